"""Make each break in a copy of the tree and run the tests that have to notice; one that survives fails the run.

``python -m tests.mutants.run [WORD ...]`` takes the breaks whose file holds one of the words; without words, all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.breaks import BREAKS, Break

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src") / "bethink"
TAKEN = ("src", "tests", "pyproject.toml", "changelog.d")
WORKERS = 2
SECONDS = 120
"""How long the tests of one break may take; a break that makes them wait for ever is noticed too."""


def broken(text: str, one: Break) -> str:
    """The text of the file with the break in it.

    Raises:
        ValueError: the text to be replaced does not stand there exactly once.
    """
    if text.count(one.find) != 1:
        msg = f"{one.file}: {one.find!r} stands there {text.count(one.find)} times"
        raise ValueError(msg)
    return text.replace(one.find, one.put)


def copied(folder: Path) -> Path:
    """A copy of the tree to break."""
    for name in TAKEN:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy(source, target)
    return folder


def killed(one: Break | None, tree: Path, tests: Sequence[str], *more: str) -> bool:
    """Whether the tests turn red under the break; None is the tree as it is."""
    path = tree / PACKAGE / one.file if one else None
    whole = path.read_text("utf-8") if path else ""
    if path and one:
        path.write_text(broken(whole, one), "utf-8")
    try:
        # The copy's own package, no bytecode of an earlier break, and one database: the other runs the same rules.
        environ = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        names = [f"tests/{name}" for name in tests]
        call = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-k",
            "not postgres",
            *more,
            *names,
        ]
        done = subprocess.run(
            call, cwd=tree, env=environ, capture_output=True, timeout=SECONDS if one else None, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        if path:
            path.write_text(whole, "utf-8")
    if done.returncode not in {0, 1}:
        raise RuntimeError(done.stdout.decode()[-2_000:] + done.stderr.decode()[-2_000:])
    return done.returncode != 0


def main(words: Sequence[str]) -> int:
    """Run the breaks; how many survived, 1 at most."""
    chosen = [one for one in BREAKS if not words or any(word in one.file for word in words)]
    free: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        for worker in range(WORKERS):
            free.put(copied(Path(folder) / str(worker)))
        every = sorted({name for one in chosen for name in one.tests})
        if killed(None, Path(folder) / "0", every, "-n", str(WORKERS)):
            sys.stdout.write("The tests are red before anything is broken.\n")
            return 1

        def run(one: Break) -> bool:
            tree = free.get()
            try:
                noticed = killed(one, tree, one.tests)
            finally:
                free.put(tree)
            sys.stdout.write(f"{'killed' if noticed else 'SURVIVED':<9} {one.file}: {one.find} -> {one.put}\n")
            sys.stdout.flush()
            return noticed

        with ThreadPoolExecutor(WORKERS) as threads:
            noticed = list(threads.map(run, chosen))
    sys.stdout.write(f"{sum(noticed)} of {len(noticed)} breaks were noticed.\n")
    return int(not all(noticed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
