-- What SQLite's planner may assume of the new indexes; see 0001_statistics.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('job', 'job', '10000 5000 1'),
    ('job', 'job_due', '10000 5000 2 1'),
    ('extraction', 'extraction', '10000 5000 1000 1'),
    ('version', 'version_by_review', '1000 500 2 1');
analyze sqlite_schema;
