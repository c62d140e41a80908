"""The command line starts fast, says what it can do, and loads only what it needs."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from tests.interfaces.golden import FOLDER, command_lines, help_text

from bethink.interfaces import cli

SRC = Path(cli.__file__).parents[3]
HEAVY = {"numpy", "apsw", "rich", "mcp", "Stemmer", "asyncio", "bethink.memory", "bethink.opening"}
EXTRA_SECONDS = 0.35


def python(code, *args, **options):
    """Run code in a fresh interpreter that finds the package."""
    line = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SRC)!r}); {code}", *args]
    return subprocess.run(line, capture_output=True, text=True, check=False, **options)


def seconds(code, *args):
    """The cheapest of several starts in processor time, which a busy machine stretches least."""
    best = 9.0
    for _ in range(5):
        started = spent()
        assert python(code, *args).returncode == 0
        best = min(best, spent() - started)
    return best


def spent():
    """Processor seconds of the processes this one has started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


MAIN = "from bethink.interfaces.cli import main; main()"


def test_help_costs_little_more_than_a_bare_interpreter():
    assert seconds(MAIN, "--help") - seconds("pass") <= EXTRA_SECONDS


@pytest.mark.parametrize("args", [["--help"], ["version"], ["recall", "--help"], ["import", "--help"]])
def test_nothing_heavy_loads_before_it_is_needed(args):
    code = f"from bethink.interfaces.cli import run; run({args}); print(*sorted(sys.modules), file=sys.stderr)"
    done = python(code)

    assert done.returncode == 0
    assert HEAVY & set(done.stderr.split()) == set()


def test_the_list_of_commands_loads_none_of_them():
    done = python("from bethink.interfaces.cli import run; run(['--help']); print(*sys.modules, file=sys.stderr)")
    rooms = {name for name in done.stderr.split() if name.startswith("bethink.")}

    assert rooms <= {
        *(
            "bethink.domain",
            "bethink.domain.ids",
            "bethink.domain.scope",
            "bethink.domain.time",
            "bethink.errors",
            "bethink.interfaces",
        ),
        *("bethink.interfaces.cli", "bethink.interfaces.cli.command", "bethink.interfaces.cli.lazy"),
        *("bethink.interfaces.cli.screen", "bethink.interfaces.codec", "bethink.operations"),
        "bethink.operations.common",
    }


def test_the_help_is_what_it_was(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    assert help_text() == (FOLDER / "help.txt").read_text("utf-8")


def test_the_catalogue_says_what_each_command_says_of_itself():
    program = typer.main.get_command(cli.app)
    shown = {name: (program.get_command(None, name).help or "").split("\n")[0] for name in cli.COMMANDS}

    assert shown == {name: line for name, (_, line) in cli.COMMANDS.items()}


def test_every_command_answers_in_json_and_takes_of_the_shared_options_those_that_count(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    caller, surroundings = ["--user", "--agent", "--tenant"], ["--project", "--task", "--ceiling"]
    alone, whole = {"demo", "copy", "bench", "eval", "version"}, {"check", "repair", "worker", "jobs"}
    for words in command_lines():
        if words and words not in [[group] for group in cli.GROUPS]:
            cli.run([*words, "--help"])
            shown = capsys.readouterr().out
            taken = ["--json", "--quiet"]
            taken += ["--home"] if words[0] not in alone else []
            tree = words[0] == "taxonomy" and words != ["taxonomy", "file"]
            tree = tree or words[0] in {"receipts", "erase-user", "erase-session", "export"}
            taken += caller if words[0] not in alone | whole and not tree else []
            taken += ["--tenant"] if words == ["jobs"] or tree else []
            taken += ["--user"] if words in (["export"], ["erase-session"]) else []
            taken += surroundings if words[0] not in alone | whole | {"grant"} and not tree else []
            offered = [*caller, *surroundings, "--home", "--json", "--quiet"]
            assert {option for option in offered if f"{option} " in shown or f"{option}\n" in shown} == set(taken)


def test_no_arguments_show_the_help(capsys):
    assert cli.run([]) == 0
    assert "Commands:" in capsys.readouterr().out


def test_completion_is_offered_for_commands_options_and_choices():
    def completed(line):
        words = line.split(" ")
        given = {"_BETHINK_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        code = f"import os; os.environ.update({given}); {MAIN}"
        return python(code).stdout.split()

    assert completed("bethink reca") == ["recall", "recall-episodes"]
    assert "--as-of" in completed("bethink recall --as")
    assert completed("bethink forget --mode er") == ["erase"]
    assert completed("bethink recall --type user") == ["user_attribute"]


def test_completion_can_be_shown_for_a_shell():
    done = python(f"sys.argv[0] = 'bethink'; {MAIN}", "--show-completion", "bash")

    assert (done.returncode, "_BETHINK_COMPLETE" in done.stdout) == (0, True)


FULL = Path("/dev/full")
"""What every write to fails as a full disk does, where there is one."""


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("args", [["version"], ["version", "--json"], ["version", "--nonsense", "--json"]])
def test_an_answer_that_cannot_be_written_is_told_and_no_defect(args, buffered):
    line = [
        sys.executable,
        *([] if buffered else ["-u"]),
        "-c",
        f"import sys; sys.path.insert(0, {str(SRC)!r}); {MAIN}",
    ]
    with FULL.open("w") as full:
        done = subprocess.run([*line, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode in {1, 2}
    assert done.stderr.startswith("Error: ")
    assert "No space left" in done.stderr or "No such option" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_reader_who_left_hears_no_complaint():
    line = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SRC)!r}); {MAIN}", "version"]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as left:
        done = subprocess.run(line, stdout=left, stderr=subprocess.PIPE, text=True, check=False)

    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("closed", [1, 2])
def test_a_stream_that_the_caller_closed_is_written_to_by_nobody(closed):
    code = (
        f"import os, sys; os.close({closed}); os.execv(sys.executable, [sys.executable, '-c', sys.argv[1], 'version'])"
    )
    done = python(code, f"import sys; sys.path.insert(0, {str(SRC)!r}); {MAIN}")

    assert done.returncode == 0
    assert "Traceback" not in done.stderr
