-- What SQLite's planner may assume of the tables of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('term', 'term', '1000 500 1'),
    ('term', 'term_of_scope', '1000 500 100 1'),
    ('term_name', 'term_name', '2000 1000 200 200 1'),
    ('term_name', 'term_name_of_term', '2000 1000 2'),
    ('relation', 'relation', '2000 1000 1'),
    ('relation', 'relation_of_subject', '2000 1000 4 2 1'),
    ('relation', 'relation_of_object', '2000 1000 4'),
    ('relation', 'relation_of_source', '1000 500 2');
analyze sqlite_schema;
