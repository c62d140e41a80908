-- What SQLite's planner may assume of the tables of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('document', 'document', '1000 500 1'),
    ('document', 'document_by_source', '1000 500 100 100 1'),
    ('passage', 'passage', '20000 10000 20 1'),
    ('passage_word', 'passage_word', '2000000 1000000 50 5 1'),
    ('passage_word', 'passage_word_of_document', '2000000 1000000 2000'),
    ('passage_vector', 'passage_vector', '60000 30000 30000 60 3 1'),
    ('passage_pending', 'passage_pending', '100 50 50 1');
analyze sqlite_schema;
