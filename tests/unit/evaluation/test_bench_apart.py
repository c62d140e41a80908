"""No process of the bench outlives the one that waits for it, and no passing folder stays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from tests.unit.evaluation import apart_work as work

from bethink.errors import BethinkError, InvalidInput
from bethink.evaluation.bench_apart import apart, together

SECONDS = 120
"""How long a process may take on a machine that does much else; it ends in a fraction of one."""


def test_answers_come_in_the_order_of_the_arguments():
    assert together(work.add, [(1, 2), (30, 40), (5, 6)]) == [3, 70, 11]


@pytest.mark.parametrize("call", [work.deep, partial(apart, work.deep)])
def test_where_one_fails_the_others_have_ended_and_left_nothing(tmp_path, call):
    os.mkfifo(pipe := str(tmp_path / "pipe"))
    with pytest.raises(InvalidInput) as failed:
        call(pipe)
    number, folder = failed.value.message.split(" ", 1)

    assert any("in fail" in note for note in failed.value.__notes__), "it says where, too"
    assert not Path(folder).exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(number), 0)


def test_a_process_that_something_else_ends_is_an_error_that_says_so():
    with pytest.raises(BethinkError, match="exit code -9"):
        apart(work.vanish)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_bench_that_is_ended_leaves_no_process_and_no_passing_folder(tmp_path, number, code):
    kept, passing = tmp_path / "kept", tmp_path / "passing"
    kept.mkdir()
    passing.mkdir()
    (kept / "bench-100-11.filled.json").write_text(json.dumps({"whole": True}))
    os.mkfifo(pipe := kept / "bench-100-11.questions.json")
    command = [sys.executable, "-c", "from bethink.interfaces.cli import main; main()"]
    process = subprocess.Popen(
        [*command, "bench", "--sizes", "100", "--keep", str(kept)],
        env=os.environ | {"TMPDIR": str(passing), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # a shell's background job ignores SIGINT, and so would all that it starts
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no thread runs yet
    )
    opened: list[int] = []
    # Who opens the pipe to write waits for who reads it: the process that prepares the size, two below the command.
    writer = threading.Thread(target=lambda: opened.append(os.open(pipe, os.O_WRONLY)), daemon=True)
    writer.start()
    writer.join(SECONDS)
    assert opened, process.poll()
    under_way = [item.name for item in passing.iterdir()]
    process.send_signal(number)
    told, problems = process.communicate(timeout=SECONDS)  # at its end once no process holds the output any more
    os.close(opened[0])

    assert [name[:14] for name in under_way] == ["bethink-bench-"]
    assert (process.returncode, told, list(passing.iterdir())) == (code, b"", [])
    assert b"Traceback" not in problems
