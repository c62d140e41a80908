"""Every known way around row-level security, tried as the app's login on our own schema. None of them leads anywhere.

Tenant ``mine`` is who asks, ``theirs`` is who must stay unseen. Each test first shows that the row is there.
"""

from __future__ import annotations

from contextlib import contextmanager

import psycopg
import pytest
from psycopg import errors

from tests.postgres.structure import APP, tables
from tests.postgres.template import SCHEMA

RECORD = (
    "insert into record (tenant, id, live_key, versions, kind, type, created_at, supersedes, position)"
    " values (%s, %s, 1, 1, 'semantic', 'fact', 0, '[]', 1)"
)
USAGE = "insert into usage (tenant, record_id, confidence, evidence_count, utility) values (%s, %s, 0.5, 1, 0)"
FOREIGN = "their-record"


@contextmanager
def tenant(on: psycopg.Connection, name: str):
    """A transaction of one tenant, as the driver opens it; undone afterwards."""
    with on.transaction(force_rollback=True):
        on.execute("select set_config('app.tenant', %s, true)", [name])
        yield on


@pytest.fixture(autouse=True)
def written(app):
    """One record of each tenant, written under the policies."""
    for name, record in (("mine", "my-record"), ("theirs", FOREIGN)):
        with app.transaction():
            app.execute("select set_config('app.tenant', %s, true)", [name])
            app.execute(RECORD, [name, record])
            app.execute(USAGE, [name, record])
            app.execute("insert into tenant values (%s, 1, 1)", [name])
            app.execute("insert into job values (%s, 'j', 'scrub', '{}', 'waiting', 0, 0, null)", [name])
            app.execute("insert into embedding_pending values (%s, 'sp', 1)", [name])
            app.execute("insert into passage_pending values (%s, 'sp', 'd')", [name])


def seen(on: psycopg.Connection, statement: str = "select id from record order by id") -> list[str]:
    return [row[0] for row in on.execute(statement)]


def test_a_tenant_sees_its_own_rows_and_no_others(app, admin):
    assert seen(admin) == ["my-record", FOREIGN]
    with tenant(app, "mine"):
        assert seen(app) == ["my-record"]
    with tenant(app, "theirs"):
        assert seen(app) == [FOREIGN]


def test_the_owner_of_the_tables_is_bound_too(owner):
    assert seen(owner) == []
    with tenant(owner, "mine"):
        assert seen(owner) == ["my-record"]


def test_an_administrator_who_steps_down_is_bound(admin):
    with admin.transaction(force_rollback=True):
        admin.execute("select set_config('app.tenant', 'mine', true), set_config('role', %s, true)", [APP])

        assert seen(admin) == ["my-record"]


@pytest.mark.parametrize("setting", ["select 1", "set local app.tenant = ''", "set local app.tenant = default"])
def test_without_a_tenant_nothing_is_seen_and_nothing_written(app, setting):
    with app.transaction(force_rollback=True):
        app.execute(setting)

        assert seen(app) == []
        with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
            app.execute(RECORD, ["mine", "new"])


@pytest.mark.parametrize("name", ["", None])
def test_nothing_belongs_to_an_empty_tenant(admin, name):
    with pytest.raises((errors.CheckViolation, errors.NotNullViolation)):
        admin.execute(RECORD, [name, "new"])


def test_a_setting_of_the_transaction_does_not_reach_the_next(app):
    with tenant(app, "mine"):
        pass

    assert app.execute("select current_setting('app.tenant', true)").fetchone() == ("",)
    assert seen(app) == []


@pytest.mark.parametrize("kind", ["view", "materialized view"])
def test_what_an_administrator_saw_is_not_shown_to_the_app(admin, app, kind):
    admin.execute(f"create {kind} peek as select * from record")
    try:
        assert len(seen(admin, "select id from peek")) == 2
        with tenant(app, "mine"), pytest.raises(errors.InsufficientPrivilege):
            app.execute("select * from peek")
    finally:
        admin.execute(f"drop {kind} peek")


@pytest.mark.parametrize(
    "made",
    [
        "create view peek as select * from record",
        "create table peek as select * from record",
        "create function peek() returns bigint language sql security definer return 1",
        "create policy wide on record using (true)",
        "drop policy tenant_wall on record",
        "alter table record disable row level security",
        "alter table record no force row level security",
        "create trigger t before insert on record for each row execute function suppress_redundant_updates_trigger()",
        "create index on record (id)",
    ],
)
def test_the_app_can_make_nothing_that_would_see_more(app, made):
    with tenant(app, "mine"), pytest.raises(errors.InsufficientPrivilege):
        app.execute(made)


def test_a_definer_function_of_the_app_sees_what_the_app_sees(app):
    with tenant(app, "mine"):
        app.execute(
            f"create function pg_temp.peek() returns setof text language sql security definer"
            f" as 'select id from {SCHEMA}.record'"
        )

        assert seen(app, "select * from pg_temp.peek()") == ["my-record"]


def test_truncate_which_no_policy_sees_is_not_granted(app, owner):
    for name, _ in tables(owner, SCHEMA):
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            app.execute(f"truncate {name}")


def test_a_partition_is_reached_only_by_its_parent(app, owner):
    parts = seen(owner, f"select relname from pg_class where relispartition and relnamespace = '{SCHEMA}'::regnamespace"
                        " and relkind = 'r'")  # fmt: skip
    assert parts
    for name in parts:
        with tenant(app, "mine"), pytest.raises(errors.InsufficientPrivilege):
            app.execute(f"select * from {name}")


def outcome(on: psycopg.Connection, statement: str, values: list[str]) -> str:
    """What a statement came to, as one who may only look at answers sees it."""
    try:
        with tenant(on, "mine"):
            done = on.execute(statement, values)
            return f"{done.rowcount} {done.statusmessage}"
    except psycopg.Error as error:
        return f"{error.sqlstate} {error}".replace(values[-1], "ID")


@pytest.mark.parametrize(
    "statement",
    [
        USAGE.replace("%s", "'mine'", 1),
        RECORD.replace("%s", "'mine'", 1),
        RECORD.replace("%s", "'mine'", 1) + " on conflict do nothing",
        RECORD.replace("%s", "'mine'", 1) + " on conflict (tenant, id) do update set kind = 'episodic'",
        "select * from record where id = %s",
        "select * from record where id = %s for update",
        "update record set kind = 'episodic' where id = %s",
        "delete from record where id = %s",
        "with gone as (delete from record where id = %s returning 1) select count(*) from gone",
        "merge into record r using (select %s::text as id) n on r.id = n.id when matched then delete",
        RECORD.replace("%s", "'theirs'", 1) + " on conflict do nothing",
    ],
)
def test_a_foreign_id_is_as_absent_as_none(app, statement):
    assert outcome(app, statement, [FOREIGN]) == outcome(app, statement, ["no-record"])


@pytest.mark.parametrize("statement", [RECORD, "update record set tenant = %s where id = 'my-record' or id = %s"])
def test_no_row_moves_to_another_tenant(app, statement):
    with tenant(app, "mine"), pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
        app.execute(statement, ["theirs", "new"])


def test_a_permissive_policy_added_later_widens_nothing(admin, app):
    admin.execute("create policy wide on record as permissive to public using (true)")
    try:
        with tenant(app, "mine"):
            assert seen(app) == ["my-record"]
    finally:
        admin.execute("drop policy wide on record")


def test_turning_row_security_off_is_an_error_and_shows_nothing(app):
    with tenant(app, "mine"):
        app.execute("set local row_security = off")
        with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
            app.execute("select * from record")


@pytest.mark.parametrize("role", ["bethink_owner", "postgres", "pg_read_all_data"])
def test_the_app_cannot_become_somebody_else(app, role):
    with tenant(app, "mine"):
        app.execute(f"set local role {APP}")
        with pytest.raises(errors.InsufficientPrivilege):
            app.execute(f"set local role {role}")


@pytest.mark.parametrize("setting", ["session_replication_role = replica", "session authorization postgres"])
def test_the_app_cannot_switch_the_rules_off(app, setting):
    with tenant(app, "mine"), pytest.raises(errors.InsufficientPrivilege):
        app.execute(f"set local {setting}" if "=" in setting else f"set {setting}")


def test_copy_in_is_refused_and_copy_out_shows_ones_own(app):
    with tenant(app, "mine"):
        with app.cursor().copy("copy (select id from record) to stdout") as rows:
            assert [row[0] for row in rows.rows()] == ["my-record"]
        with pytest.raises(errors.FeatureNotSupported, match="row-level security"):
            app.cursor().copy("copy record from stdin").__enter__()


def test_a_function_that_tells_what_it_is_given_is_given_ones_own(app):
    told = []
    app.add_notice_handler(lambda notice: told.append(notice.message_primary))
    with tenant(app, "mine"):
        app.execute(
            "create function pg_temp.tell(text) returns boolean language plpgsql cost 0.0000001 as"
            " $$begin raise notice '%', $1; return true; end$$"
        )
        app.execute("select * from record where pg_temp.tell(id)")

    assert told == ["my-record"]


def test_an_error_that_would_tell_of_a_foreign_row_does_not_happen(app):
    with tenant(app, "mine"):
        rows = app.execute("select id from record where 1 / (case when id = %s then 0 else 1 end) = 1", [FOREIGN])

        assert rows.fetchall() == [("my-record",)]


def test_a_row_cannot_be_had_by_its_place(app, admin):
    (place,) = admin.execute("select ctid::text from record where id = %s", [FOREIGN]).fetchone()
    with tenant(app, "mine"):
        assert app.execute("select * from record where ctid = %s::tid", [place]).fetchall() == []


def test_the_planner_s_samples_are_hidden(app, admin):
    admin.execute("analyze record")
    assert admin.execute("select count(*) from pg_stats where tablename = 'record'").fetchone()[0] > 0
    with tenant(app, "mine"):
        assert app.execute("select count(*) from pg_stats where tablename = 'record'").fetchone() == (0,)
        with pytest.raises(errors.InsufficientPrivilege):
            app.execute("select * from pg_statistic")


def test_a_plan_counts_no_foreign_row_as_removed(app):
    for number in range(50):
        with app.transaction():
            app.execute("select set_config('app.tenant', 'theirs', true)")
            app.execute(RECORD, ["theirs", f"r{number}"])
    with tenant(app, "mine"):
        app.execute("set local enable_seqscan = off")
        plan = "\n".join(seen(app, "explain (analyze, costs off) select * from record where kind = 'semantic'"))

    assert "rows=1" in plan
    assert "Removed" not in plan


def test_files_and_programs_of_the_server_are_out_of_reach(app):
    for statement in ("select pg_read_file('pg_hba.conf')", "copy record to program 'cat'", "select pg_ls_dir('.')"):
        with tenant(app, "mine"), pytest.raises(errors.InsufficientPrivilege):
            app.execute(statement)


class TestUpkeep:
    """A transaction that names no tenant and says ``list``."""

    @pytest.fixture
    def upkeep(self, app):
        with app.transaction(force_rollback=True):
            app.execute("select set_config('app.upkeep', 'list', true)")
            yield app

    @pytest.mark.parametrize("listed", ["tenant", "job", "embedding_pending", "passage_pending"])
    def test_it_learns_where_there_is_work(self, upkeep, listed):
        assert seen(upkeep, f"select tenant from {listed} order by 1") == ["mine", "theirs"]

    def test_it_sees_nothing_else(self, upkeep, owner):
        listed = {"tenant", "job", "embedding_pending", "passage_pending"}
        for name, _ in tables(owner, SCHEMA, column="tenant"):
            if name not in listed and not name.startswith("turn_"):
                assert seen(upkeep, f"select count(*) from {name}") == [0], name

    def test_it_changes_nothing(self, upkeep):
        assert upkeep.execute("update job set attempts = 9").rowcount == 0
        assert upkeep.execute("delete from embedding_pending").rowcount == 0
        assert upkeep.execute("delete from passage_pending").rowcount == 0
        assert upkeep.execute("update tenant set position = 9").rowcount == 0
        with pytest.raises(errors.InsufficientPrivilege):
            upkeep.execute("delete from tenant")

    def test_it_ends_where_a_tenant_is_named(self, upkeep):
        upkeep.execute("select set_config('app.tenant', 'mine', true)")

        assert seen(upkeep, "select tenant from tenant") == ["mine"]


class TestTablesOfTheDeployment:
    """The ledger of migrations, the store's id and its secret can be read and not changed."""

    @pytest.mark.parametrize("name", ["migration/0001_initial", "store_id", "secret"])
    def test_what_the_owner_wrote_stays(self, app, admin, name):
        admin.execute(
            "insert into meta values (%s, 'as it was') on conflict (name) do update set value = 'as it was'", [name]
        )
        with tenant(app, "mine"):
            assert app.execute("select value from meta where name = %s", [name]).fetchone() == ("as it was",)
            assert app.execute("update meta set value = 'x' where name = %s", [name]).rowcount == 0
            assert app.execute("delete from meta where name = %s", [name]).rowcount == 0
            with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
                app.execute(
                    "insert into meta values (%s || '', 'x') on conflict (name) do update set value = 'x'", [name]
                )

    def test_the_app_s_own_notes_can_be_changed(self, app):
        with tenant(app, "mine"):
            app.execute("insert into meta values ('analyser', 'a') on conflict (name) do update set value = 'b'")

            assert app.execute("select count(*) from meta where name = 'analyser'").fetchone() == (1,)
