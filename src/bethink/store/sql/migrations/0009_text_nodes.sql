-- What a model reads of a text one window after another: each part of the words of an entry that is longer than the window, from
-- character `first` up to `last`, with a float32 little-endian vector. An entry that fits has none. No search reads them; they let
-- a record be quoted by its best part.
create table text_node (
    tenant text not null,
    space text not null,
    key bigint not null,
    ordinal bigint not null,
    first bigint not null,
    last bigint not null,
    vector bytea not null,
    primary key (tenant, space, key, ordinal)
) /*clustered*/;
