-- The fence, once for both databases. Aliases: e is entry, s the status span known at the asked time.
-- :after is -1 for whatever was written, whenever.
-- :timeless is 1 when all of valid time is asked about.
-- :known is 2^60 - 1 for the latest knowledge: the open end is 2^60, so one comparison serves both cases.
e.tenant = :tenant
and e.scope in each(:scopes)
and e.sensitivity <= :ceiling
and (cast(:channel as text) is null or e.channel = :channel)
and (cast(:kinds as text) is null or e.kind in each(:kinds))
and (cast(:types as text) is null or e.type in each(:types))
and (cast(:sources as text) is null or e.source_kind in each(:sources))
and (:timeless = 1 or (e.valid_from <= :instant and :instant < e.valid_until))
and e.recorded_at <= :known and :known < e.retired_at
and s.tenant = e.tenant and s.record_id = e.record_id
and s.recorded_from <= :known and :known < s.recorded_to
and s.status in each(:statuses)
and (:timeless = 1 or :instant < s.ends_at)
and coalesce(e.event_at, nullif(e.valid_from, -1152921504606846976), e.recorded_at) >= :since
and coalesce(e.event_at, nullif(e.valid_from, -1152921504606846976), e.recorded_at) < :until
and (:after < 0 or e.key > :after or s.position > :after)
and (
    e.project is null or e.project = :project
    or (:isolate = 0 and (e.portability > 0 or (e.subject_key <> '' and e.subject_key in each(:subjects))))
)
