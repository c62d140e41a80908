-- What SQLite's planner may assume of the taxonomy; 0001_statistics says why.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('taxonomy_node', 'taxonomy_node', '1000 500 1'),
    ('taxonomy_filing', 'taxonomy_filing', '100000 50000 2 1'),
    ('taxonomy_filing', 'taxonomy_filing_of_path', '100000 50000 200 1');
