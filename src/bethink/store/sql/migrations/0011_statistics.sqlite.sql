-- What SQLite's planner may assume of the table of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('column_segment', 'sqlite_autoindex_column_segment_1', '200 100 20 1');
analyze sqlite_schema;
