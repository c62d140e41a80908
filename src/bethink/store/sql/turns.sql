-- Turns: what was said, in order.

-- name: get_turns
-- Turns by id; the columns are read by codec.turn. The ids are said of the entry too, so that whichever table comes first goes by them.
select t.key, t.id, t.session_id, t.seq, t.role, t.speaker, t.content, t.said_at, t.message_id, t.time_text, t.zone_assumed,
    e.source_kind, e.sensitivity, e.recorded_at, e.portability
from turn t cross join entry e cross join status_event s
where t.tenant = :tenant and t.id in each(:ids) and e.key = t.key and e.record_id in each(:ids) and /*fence*/;

-- name: turns_of_session
-- A session's turns after a place, in order. With :holding, plain ASCII turns without these characters are left out: their
-- bytes and letters are as many, and cutting the characters out leaves them as they are.
select t.key, t.id, t.session_id, t.seq, t.role, t.speaker, t.content, t.said_at, t.message_id, t.time_text, t.zone_assumed,
    e.source_kind, e.sensitivity, e.recorded_at, e.portability
from turn t cross join entry e cross join status_event s
where t.tenant = :tenant and t.scope in each(:scopes) and t.session_id = :session_id and t.seq > :after
    and (:holding = '' or octet_length(t.content) <> length(t.content) or replace(t.content, :holding, '') <> t.content)
    and e.key = t.key and /*fence*/
order by t.seq, t.key limit :limit;

-- name: turns_between
-- Turns inside the fence's window, by time.
select t.key, t.id, t.session_id, t.seq, t.role, t.speaker, t.content, t.said_at, t.message_id, t.time_text, t.zone_assumed,
    e.source_kind, e.sensitivity, e.recorded_at, e.portability
from turn t cross join entry e cross join status_event s
where t.tenant = :tenant and t.said_at >= :since and t.said_at < :until and e.key = t.key and /*fence*/
order by t.said_at, t.key limit :limit;

-- name: known_messages
-- Which of these message ids a session holds.
select message_id from turn
where tenant = :tenant and scope = :scope and session_id = :session_id and message_id in each(:message_ids);

-- name: add_turn
-- One utterance.
insert into turn (
    tenant, key, id, scope, session_id, seq, message_id, role, speaker, said_at, time_text, zone_assumed, content,
    screened
) values (
    :tenant, :key, :id, :scope, :session_id, :seq, :message_id, :role, :speaker, :said_at, :time_text, :zone_assumed, :content,
    :screened
);
