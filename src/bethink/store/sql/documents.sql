-- Documents and their passages.

-- name: list_documents
-- The documents of these scopes, as the fence has to judge them.
select d.id, d.scope, d.channel_key, d.source, d.sensitivity, d.project, d.title, d.digest, d.characters, d.creator, d.added_at,
    (select count(*) from passage p where p.tenant = d.tenant and p.document_id = d.id)
from document d
where d.tenant = :tenant and d.scope in each(:scopes)
order by d.source, d.scope, d.id;

-- name: document_from
-- The document of an owner and channel from a source.
select d.id, d.digest, d.splitter, d.title, d.sensitivity from document d
where d.tenant = :tenant and d.scope = :scope and d.channel_key = :channel_key and d.source = :source;

-- name: read_passage
-- One passage.
select document_id, ordinal, first, last, line, flagged, headings, content from passage
where tenant = :tenant and document_id = :id and ordinal = :ordinal;

-- name: passages_of
-- The passages of documents.
select document_id, ordinal from passage
where tenant = :tenant and document_id in each(:ids) order by document_id, ordinal;

-- name: passages_holding
-- Which passages of documents hold a term.
select document_id, ordinal, packed from passage_word
where tenant = :tenant and term = :term and document_id in each(:ids) order by document_id, ordinal;

-- name: passage_vectors
-- Their vectors in a space.
select document_id, ordinal, vector from passage_vector
where tenant = :tenant and space = :space and document_id in each(:ids) order by document_id, ordinal, part;

-- name: count_unembedded
-- How many of their passages have none there.
select count(*) from passage p
where p.tenant = :tenant and p.document_id in each(:ids) and not exists (
    select 1 from passage_vector v
    where v.tenant = p.tenant and v.space = :space and v.document_id = p.document_id and v.ordinal = p.ordinal);

-- name: passage_tenants
-- Whose documents wait in a space.
select tenant from tenant t
where (select 1 from passage_pending w where w.tenant = t.tenant and w.space = :space limit 1) = 1
order by tenant;

-- name: unembedded_passages
-- A tenant's passages that wait for vectors in a space, with what to embed.
select p.document_id, p.ordinal,
    (select d.title from document d where d.tenant = :tenant and d.id = p.document_id), p.headings, p.content
from passage_pending w cross join passage p
where w.tenant = :tenant and w.space = :space and p.tenant = :tenant and p.document_id = w.document_id and not exists (
    select 1 from passage_vector v
    where v.tenant = :tenant and v.space = :space and v.document_id = p.document_id and v.ordinal = p.ordinal)
order by p.document_id, p.ordinal limit :limit;

-- name: enqueue_document
-- A new document waits in every space.
insert into passage_pending (tenant, space, document_id)
select cast(:tenant as text), s.id, cast(:id as text) from space s where true
on conflict (tenant, space, document_id) do nothing;

-- name: enqueue_documents
-- All documents of a tenant wait in a new space.
insert into passage_pending (tenant, space, document_id)
select d.tenant, cast(:space as text), d.id from document d where d.tenant = :tenant
on conflict (tenant, space, document_id) do nothing;

-- name: release_document
-- A document whose passages all have vectors in a space waits there no more.
delete from passage_pending
where tenant = :tenant and space = :space and document_id = :id and (
        select count(*) from passage p where p.tenant = :tenant and p.document_id = :id
    ) = (
        select count(distinct v.ordinal) from passage_vector v
        where v.tenant = :tenant and v.space = :space and v.document_id = :id
    );

-- name: drop_passage_pending
-- Documents that are no more wait nowhere.
delete from passage_pending where tenant = :tenant and space in (select id from space) and document_id in each(:ids);

-- name: drop_other_passage_pending
-- What waited for spaces that are no longer used.
delete from passage_pending where tenant = :tenant and space <> :id;

-- name: own_passage_terms
-- The terms of documents that no other document's passages hold.
select distinct w.term from passage_word w
where w.tenant = :tenant and w.document_id in each(:ids) and not exists (
    select 1 from passage_word o
    where o.tenant = w.tenant and o.term = w.term and not (o.document_id in each(:ids)))
order by w.term;

-- name: put_document
-- A document.
insert into document (
    tenant, id, scope, channel_key, source, sensitivity, project, title, digest, splitter, characters, creator, added_at
) values (
    :tenant, :id, :scope, :channel_key, :source, :sensitivity, :project, :title, :digest, :splitter, :characters, :creator, :at
);

-- name: put_passage
-- One of its passages.
insert into passage (tenant, document_id, ordinal, first, last, line, flagged, headings, content)
values (:tenant, :id, :ordinal, :first, :last, :line, :flagged, :headings, :content);

-- name: put_passage_word
-- One of its words.
insert into passage_word (tenant, term, document_id, ordinal, packed) values (:tenant, :term, :id, :ordinal, :packed);

-- name: put_passage_vector
-- A vector of a passage that is still there.
insert into passage_vector (tenant, space, document_id, ordinal, part, vector)
select tenant, cast(:space as text), document_id, ordinal, cast(:part as bigint), :vector from passage
where tenant = :tenant and document_id = :id and ordinal = :ordinal
on conflict (tenant, space, document_id, ordinal, part) do nothing;

-- name: drop_documents
-- Documents.
delete from document where tenant = :tenant and id in each(:ids);

-- name: drop_passages
-- Their passages.
delete from passage where tenant = :tenant and document_id in each(:ids);

-- name: drop_passage_words
-- The words of those.
delete from passage_word where tenant = :tenant and document_id in each(:ids);

-- name: drop_passage_vectors
-- The vectors of those, in every space.
delete from passage_vector where tenant = :tenant and space in (select id from space) and document_id in each(:ids);

-- name: drop_space_passages
-- Those of a space that is no longer used.
delete from passage_vector where tenant = :tenant and space = :space;

-- name: drop_tenant_passage_words
-- All words of passages, before they are derived anew.
delete from passage_word where tenant = :tenant;

-- name: every_passage
-- Every passage of a tenant with what its words come from.
select p.document_id, p.ordinal, d.title, p.headings, p.content
from passage p join document d on d.tenant = p.tenant and d.id = p.document_id
where p.tenant = :tenant order by p.document_id, p.ordinal;

-- name: passages_said
-- The passages of documents with what their words come from.
select p.document_id, p.ordinal, d.title, p.headings, p.content
from passage p join document d on d.tenant = p.tenant and d.id = p.document_id
where p.tenant = :tenant and p.document_id in each(:ids) order by p.document_id, p.ordinal;

-- name: check_documents
-- Passages cover their document, each as long as it says; words and vectors belong to a passage.
select d.tenant, d.id from document d left join passage p on p.tenant = d.tenant and p.document_id = d.id
where d.tenant = :tenant
group by d.tenant, d.id
having count(p.ordinal) = 0 or min(p.ordinal) <> 1 or max(p.ordinal) <> count(*) or min(p.first) <> 0
    or max(p.last) <> max(d.characters) or sum(p.last - p.first) <> max(d.characters)
    or sum(length(p.content)) <> max(d.characters) or min(p.last - p.first) < 1
order by 1, 2 limit 100;

-- name: check_passages
-- Passages, words and vectors belong to a document that is there, and a passage without a vector waits for one.
select p.tenant, p.document_id from passage p
where p.tenant = :tenant and not exists (select 1 from document d where d.tenant = p.tenant and d.id = p.document_id)
union
select w.tenant, w.document_id from passage_word w
where w.tenant = :tenant and not exists (
    select 1 from passage p where p.tenant = w.tenant and p.document_id = w.document_id and p.ordinal = w.ordinal)
union
select v.tenant, v.document_id from passage_vector v
where v.tenant = :tenant and not exists (
    select 1 from passage p where p.tenant = v.tenant and p.document_id = v.document_id and p.ordinal = v.ordinal)
union
select w.tenant, w.document_id from passage_pending w
where w.tenant = :tenant and (
    not exists (select 1 from document d where d.tenant = w.tenant and d.id = w.document_id)
    or not exists (select 1 from space s where s.id = w.space))
union
select p.tenant, p.document_id from passage p, space s
where p.tenant = :tenant and not exists (
        select 1 from passage_vector v
        where v.tenant = p.tenant and v.space = s.id and v.document_id = p.document_id and v.ordinal = p.ordinal)
    and not exists (
        select 1 from passage_pending w where w.tenant = p.tenant and w.space = s.id and w.document_id = p.document_id)
order by 1, 2 limit 100;

-- name: repair_passages
-- Passages without their document.
delete from passage
where tenant = :tenant
    and not exists (select 1 from document d where d.tenant = passage.tenant and d.id = passage.document_id);

-- name: repair_passage_vectors
-- Vectors without their passage or space.
delete from passage_vector
where tenant = :tenant and (not exists (
        select 1 from passage p
        where p.tenant = passage_vector.tenant and p.document_id = passage_vector.document_id
            and p.ordinal = passage_vector.ordinal)
    or not exists (select 1 from space s where s.id = passage_vector.space));

-- name: repair_passage_waiting
-- What waits without its document or space.
delete from passage_pending
where tenant = :tenant and (
    not exists (select 1 from document d where d.tenant = passage_pending.tenant and d.id = passage_pending.document_id)
    or not exists (select 1 from space s where s.id = passage_pending.space));

-- name: repair_passage_pending
-- Documents with a passage that has no vector wait for it.
insert into passage_pending (tenant, space, document_id)
select distinct p.tenant, s.id, p.document_id from passage p, space s
where p.tenant = :tenant
    and exists (select 1 from document d where d.tenant = p.tenant and d.id = p.document_id)
    and not exists (
        select 1 from passage_vector v
        where v.tenant = p.tenant and v.space = s.id and v.document_id = p.document_id and v.ordinal = p.ordinal)
on conflict (tenant, space, document_id) do nothing;
