-- Who this store is, and the secret its hashes of erased content are keyed with. Made once, never changed.
insert into meta (name, value) values
    ('store_id', replace(gen_random_uuid()::text, '-', '')),
    ('secret', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
