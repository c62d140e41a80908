-- Who this store is, and the secret its hashes of erased content are keyed with. Made once, never changed.
insert into meta (name, value) values ('store_id', lower(hex(randomblob(16)))), ('secret', lower(hex(randomblob(32))));
