-- What a session left in memory, by the session it was learned in.
create index entry_of_session on entry (tenant, session_id, key) where session_id is not null and type <> 'turn';
