-- What is one user's: to be handed out, or erased as a whole. A user owns its own scope and what agents keep for it.

-- name: owned_scopes
-- Scopes of a user, or of an agent for a user, that hold anything. A wildcard stands for the colon, which would begin a parameter.
select scope from entry where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from session where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from entity where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from skill where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from rejection where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from term where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from relation where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from document where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from session_snapshot where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
union select scope from status_event where tenant = :tenant and (scope = :own or scope like 'agent_%/%')
order by scope;

-- name: list_owners
-- Every scope that holds anything, and everyone who spoke, was let in, or asked in vain, as the scope of that user.
select scope from entry where tenant = :tenant
union select scope from session where tenant = :tenant
union select scope from entity where tenant = :tenant
union select scope from skill where tenant = :tenant
union select scope from rejection where tenant = :tenant
union select scope from term where tenant = :tenant
union select scope from relation where tenant = :tenant
union select scope from document where tenant = :tenant
union select scope from session_snapshot where tenant = :tenant
union select scope from status_event where tenant = :tenant
union select cast(:own as text) || user_id from session where tenant = :tenant
union select cast(:own as text) || user_id from scope_grant where tenant = :tenant
union select cast(:own as text) || user_id from hint where tenant = :tenant
order by scope;

-- name: owned_entries
-- The entries of a scope behind a key: which records and turns they are.
select key, record_id, project from entry
where tenant = :tenant and scope = :scope and key > :after
order by key limit :limit;

-- name: owned_sessions
-- The sessions of a scope behind an id.
select id, scope, user_id, agent_id, project, channel, opened_at, closed_at from session
where tenant = :tenant and scope = :scope and id > :after
order by id limit :limit;

-- name: owned_turns
-- The turns of a session of a scope, in order, whatever their standing.
select id from turn
where tenant = :tenant and scope = :scope and session_id = :session_id
order by seq, key limit :limit;

-- name: erase_owned_spans
-- What is left of the standings of what was erased.
delete from status_event where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_sessions
-- Sessions.
delete from session where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_readings
-- How far they were read.
delete from extraction where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_aliases
-- Names.
delete from entity_alias where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_links
-- What others say of the entities.
delete from entity_link where tenant = :tenant and entity_id in (
    select id from entity where tenant = :tenant and scope in each(:scopes)
);

-- name: erase_owned_merges
-- Which of the entities were one with others.
delete from entity_merge where tenant = :tenant and (
    entity_id in (select id from entity where tenant = :tenant and scope in each(:scopes))
    or into_id in (select id from entity where tenant = :tenant and scope in each(:scopes))
);

-- name: erase_owned_profiles
-- Their profiles.
delete from entity_profile where tenant = :tenant and (
    scope in each(:scopes) or entity_id in (select id from entity where tenant = :tenant and scope in each(:scopes))
);

-- name: erase_owned_entities
-- Entities.
delete from entity where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_rejections
-- Rejections.
delete from rejection where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_skills
-- Skills.
delete from skill where tenant = :tenant and scope in each(:scopes);

-- name: owned_documents
-- The documents of scopes.
select id from document where tenant = :tenant and scope in each(:scopes) order by id;

-- name: erase_owned_relations
-- Relations, and those that others assert of the terms.
delete from relation where tenant = :tenant and (
    scope in each(:scopes)
    or subject_id in (select id from term where tenant = :tenant and scope in each(:scopes))
    or object_id in (select id from term where tenant = :tenant and scope in each(:scopes))
);

-- name: erase_owned_term_names
-- Names of terms.
delete from term_name where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_terms
-- Terms.
delete from term where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_snapshot_lines
-- Lines of snapshots.
delete from snapshot_line where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_snapshots
-- Snapshots of sessions.
delete from session_snapshot where tenant = :tenant and scope in each(:scopes);

-- name: erase_owned_roots
-- Files that were followed.
delete from file_root where tenant = :tenant and (user_id = :user_id or scope in each(:scopes));

-- name: erase_owned_jobs
-- Work that waits for a scope or was given up, by how its payload begins.
delete from job where tenant = :tenant and substr(payload, 1, cast(:length as integer)) = :beginning;

-- name: erase_owned_hints
-- What was asked for in vain.
delete from hint where tenant = :tenant and user_id = :user_id;

-- name: erase_owned_grants
-- Who may read and write for the user, and in the user's name.
delete from scope_grant where tenant = :tenant and (user_id = :user_id or scope in each(:scopes));

-- name: erase_owned_answers
-- Answers to repeated requests: a principal is user and agent, joined by the only slash.
delete from idempotency
where tenant = :tenant and principal >= :first and principal < :behind;

-- name: erase_session_reading
-- How far one session was read.
delete from extraction where tenant = :tenant and scope = :scope and session_id = :session_id;

-- name: erase_session_snapshot_lines
-- The lines that its prompts kept.
delete from snapshot_line where tenant = :tenant and scope = :scope and session_id = :session_id;

-- name: erase_session_snapshots
-- The frames of these.
delete from session_snapshot where tenant = :tenant and scope = :scope and session_id = :session_id;

-- name: erase_session
-- The session.
delete from session where tenant = :tenant and scope = :scope and id = :session_id;

-- name: erase_session_jobs
-- Work that waits for it or was given up.
delete from job where tenant = :tenant and payload = :payload;
