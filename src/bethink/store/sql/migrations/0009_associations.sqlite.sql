-- What SQLite's planner may assume of the tables of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('term', 'term', '100000 50000 1'),
    ('term', 'term_of_scope', '100000 50000 50 1'),
    ('term_name', 'term_name', '200000 100000 100 100 1'),
    ('term_name', 'term_name_of_term', '200000 100000 2'),
    ('relation', 'relation', '200000 100000 1'),
    ('relation', 'relation_of_scope', '200000 100000 100 1'),
    ('relation', 'relation_of_subject', '200000 100000 4 2 1'),
    ('relation', 'relation_of_object', '200000 100000 4'),
    ('relation', 'relation_of_source', '100000 50000 2');
analyze sqlite_schema;
