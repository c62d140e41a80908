-- What SQLite's planner may assume of the tables of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('entity', 'entity_of_scope', '10000 5000 500 1'),
    ('entity_merge', 'entity_merge', '100 50 1'),
    ('entity_merge', 'entity_merge_into', '100 50 2 1'),
    ('entity_profile', 'entity_profile', '1000 500 2 1 1'),
    ('entity_profile', 'entity_profile_of_record', '1000 500 1'),
    ('entity_profile', 'entity_profile_ended', '10 5 1'),
    ('upkeep_mark', 'upkeep_mark', '10 5 1');
analyze sqlite_schema;
