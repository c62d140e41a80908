-- Whole documents, apart from what is remembered: passages word for word, with words and vectors of their own.

-- A document as it was last added. `source` says where it came from: a path, or a name the host gave it; one of its owner and channel
-- has one document. `digest` is the hash of its text, `splitter` the rules that parted it.
create table document (
    tenant text not null,
    id text not null,
    scope text not null,
    channel_key text not null,
    source text not null,
    sensitivity bigint not null,
    project text,
    title text not null,
    digest text not null,
    splitter text not null,
    characters bigint not null,
    creator text not null,
    added_at bigint not null,
    primary key (tenant, id)
) /*clustered*/;
create unique index document_by_source on document (tenant, scope, channel_key, source);

-- Its passages, which cover it: characters `first` up to `last`, from line `line` on, under headings. `flagged` is 1 for one that
-- reads like orders.
create table passage (
    tenant text not null,
    document_id text not null,
    ordinal bigint not null,
    first bigint not null,
    last bigint not null,
    line bigint not null,
    flagged bigint not null,
    headings text not null,
    content text not null,
    primary key (tenant, document_id, ordinal)
) /*clustered*/;

-- Which passages hold a term; `packed` as in a posting.
create table passage_word (
    tenant text not null,
    term text not null,
    document_id text not null,
    ordinal bigint not null,
    packed bigint not null,
    primary key (tenant, term, document_id, ordinal)
) /*clustered*/;
create index passage_word_of_document on passage_word (tenant, document_id);

-- A float32 little-endian vector for each window of a passage.
create table passage_vector (
    tenant text not null,
    space text not null,
    document_id text not null,
    ordinal bigint not null,
    part bigint not null,
    vector bytea not null,
    primary key (tenant, space, document_id, ordinal, part)
) /*clustered*/;

-- Documents of which a passage still waits for its vectors in a space. Ids alone, so that upkeep may learn whose they are.
create table passage_pending (
    tenant text not null,
    space text not null,
    document_id text not null,
    primary key (tenant, space, document_id)
) /*clustered*/;
