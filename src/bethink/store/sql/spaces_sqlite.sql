-- Spaces on SQLite.

-- name: drop_other_segments
-- Sealed vectors of the spaces a flip replaces.
delete from vector_segment where space <> :id;
