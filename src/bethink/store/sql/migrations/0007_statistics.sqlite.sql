-- What SQLite's planner may assume of the tables of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('rejection', 'rejection', '1000 500 50 2 1'),
    ('rejection', 'rejection_by_id', '1000 500 2'),
    ('rejection', 'rejection_of_record', '1000 500 2'),
    ('hint', 'hint', '1000 500 20 1'),
    ('hint', 'hint_of_entity', '1000 500 1'),
    ('record_pair', 'record_pair', '10000 5000 2 1'),
    ('record_pair', 'record_pair_of_second', '10000 5000 2'),
    ('record_pair', 'record_pair_waiting', '1000 500 250 2 1 1'),
    ('file_root', 'file_root', '10 5 1'),
    ('file_section', 'file_section', '1000 500 1'),
    ('file_section', 'file_section_of_root', '1000 500 100 10 1'),
    ('skill', 'skill', '100 50 10 1');
analyze sqlite_schema;
