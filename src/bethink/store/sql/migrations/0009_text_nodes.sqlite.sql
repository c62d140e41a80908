-- What SQLite's planner may assume of the table of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('text_node', 'text_node', '20000 10000 10000 4 1');
analyze sqlite_schema;
