"""Every table whose rows are a tenant's, in one list: what a copy of a store reads and writes.

`queries.py` writes each query with a ``/*table*/`` mark once per table of this list. What is not here is the store's
own: `meta`, of which a copy takes the secret and the analyser, and `space`, which is copied whole at the beginning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARK = re.compile(r"/\*(table|columns|key|after|values)\*/")


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, the columns that tell a tenant's rows apart, its other columns.

    `page` is how many rows are read and written at a time, fewer where a row is large; `floats` the column that holds
    vectors; `plain` whether every value is a text or a number, so that a page can be sent as JSON.
    """

    name: str
    key: str
    rest: str = ""
    page: int = 1_000
    floats: str = ""
    plain: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column, the key's first."""
        return tuple(dict.fromkeys(("tenant", *self.key.split(), *self.rest.split())))

    def written(self, text: str) -> str:
        """A query with the marks of the table replaced."""
        key = self.key.split()
        bound = {name: f"vector(:{name})" if name == self.floats else f":{name}" for name in self.columns}
        words = {
            "table": self.name,
            "columns": ", ".join(self.columns),
            "values": ", ".join(bound.values()),
            "key": ", ".join(key),
            "after": ", ".join(f":after_{name}" for name in key),
        }
        return _MARK.sub(lambda mark: words[mark[1]], text)


TRUTH = (
    Table("record", "id", "live_key versions kind type created_at supersedes position"),
    Table(
        "entry",
        "key",
        "record_id kind type scope channel sensitivity portability project subject_key attribute_key digest session_id"
        " seq valid_from valid_until event_at recorded_at retired_at retired_position created_at source_kind"
        " subject_entity speaker_key flags id_hash",
    ),
    Table("status_event", "record_id position", "scope status recorded_from recorded_to ends_at successor reason"),
    Table(
        "version",
        "key",
        "record_id number subject attribute polarity source_ref source_revision source_role creator derivation"
        " review_at file_path parents tags evidence metadata content screened",
        page=250,
    ),
    Table(
        "usage",
        "record_id",
        "confidence evidence_count last_evidence_at last_used_at utility review_flagged_at",
    ),
    Table("support", "record_id source_ref", "source_kind recorded_at"),
    Table("lineage", "source_id record_id role"),
    Table(
        "turn",
        "key",
        "id scope session_id seq message_id role speaker said_at time_text zone_assumed content screened",
        page=250,
    ),
    Table("session", "scope id", "user_id agent_id project channel opened_at closed_at next_seq"),
    Table(
        "extraction",
        "scope session_id",
        "next_seq upto claim claimed_until outcome problem runs summary_id updated_at",
    ),
    Table("session_snapshot", "scope session_id reader", "epoch position trace_id sha256 opening taken_at"),
    Table("snapshot_line", "scope session_id reader place", "record_id short_id line"),
    Table("entity", "id", "kind name scope provisional created_at"),
    Table("entity_alias", "scope alias_key entity_id", "alias"),
    Table("entity_link", "record_id entity_id role"),
    Table("entity_merge", "entity_id", "into_id merged_at"),
    Table("entity_profile", "entity_id scope project", "record_id ended"),
    Table("rejection", "scope statement id", "reason project rank record_id trace_id said_at"),
    Table("hint", "user_id subject", "entity_id asked first_at last_at"),
    Table("record_pair", "first_id second_id", "kind cosine decision decided_by found_at claimed_until decided_at"),
    Table("file_root", "id", "path scope target pattern user_id agent_id project task added_at scanned_at"),
    Table("file_section", "record_id", "root_id path section file_sha256 scanned_at missing_at"),
    Table("skill", "scope id", "version description tool_names sha256 creator registered_at instructions"),
    Table("term", "id", "scope channel sensitivity name declared_at"),
    Table("term_name", "scope channel_key name_key", "term_id name"),
    Table(
        "relation",
        "id",
        "scope channel sensitivity subject_id predicate object_id source_id evidence creator asserted_at",
    ),
    Table(
        "document",
        "id",
        "scope channel_key source sensitivity project title digest splitter characters creator added_at",
    ),
    Table("passage", "document_id ordinal", "first last line flagged headings content", page=250),
    Table("passage_word", "term document_id ordinal", "packed", page=5_000),
    Table("upkeep_mark", "name", "position"),
    Table("conflict", "first_id second_id", "recorded_at"),
    Table("taxonomy_node", "path", "name created_at"),
    Table("taxonomy_filing", "record_id path", "filed_by filed_at"),
    Table("scope_grant", "user_id agent_id scope", "can_read can_write granted_at"),
    Table("event", "position part", "kind subject at payload"),
    Table("job", "id", "kind payload state attempts run_at problem claim due_at"),
    Table("idempotency", "principal idempotency_key", "request_hash answer record_id created_at"),
    Table("tombstone", "digest", "erased_at"),
    Table("receipt", "number", "at previous digest body", page=100),
    Table("vector", "space key", "scope vector", page=500, floats="vector", plain=False),
    Table("embedding_pending", "space key"),
    Table("passage_pending", "space document_id"),
    Table("passage_vector", "space document_id ordinal part", "vector", page=500, plain=False),
    Table("text_node", "space key ordinal", "first last vector", page=500, plain=False),
    # Derived, and copied all the same: the same segments and lists answer with the same bytes.
    Table("posting", "scope term key", "packed", page=5_000),
    Table("name_gram", "scope gram name"),
    Table("name_entry", "scope name key"),
    Table("vector_state", "space scope", "shape rows"),
    Table("vector_segment", "space scope first_key", "last_key shape rows keys bits bytes", page=1, plain=False),
    Table("column_segment", "scope position", "previous rows body", page=10, plain=False),
    # The counter is last: a program that opened the target before the copy began has none, and its writes collide.
    Table("tenant", "tenant", "position latest"),
)
"""The tables of a store, in the order in which a copy writes them."""

TRACES = (
    Table(
        "trace",
        "id",
        "user_id agent_id session_id created_at operator_expire_at erased body operator",
        page=100,
        plain=False,
    ),
    Table("trace_ref", "trace_id", "hashes", plain=False),
    Table("trace_erased", "hash"),
)
"""The tables beside it."""
