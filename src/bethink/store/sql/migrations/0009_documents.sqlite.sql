-- What SQLite's planner may assume of the tables of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('document', 'document', '100000 50000 1'),
    ('document', 'document_by_source', '100000 50000 50 50 1'),
    ('passage', 'passage', '2000000 1000000 20 1'),
    ('passage_word', 'passage_word', '200000000 100000000 500 5 1'),
    ('passage_word', 'passage_word_of_document', '200000000 100000000 2000'),
    ('passage_vector', 'passage_vector', '6000000 3000000 3000000 60 3 1'),
    ('passage_pending', 'passage_pending', '100 50 50 1');
analyze sqlite_schema;
