"""Every Python example of the documents runs as it stands, given what the page has told before it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.shape.source import ROOT, SRC
from tests.shape.test_docs import PYTHON

NEEDED = {
    "docs/x.md": "# Kiln\n\nThe kiln is fired slowly.\n",
    "servers.toml": 'default = "north"\n[servers]\nnorth = "n.db"\nsouth = "s.db"\n[tenants]\nacme = "south"\n',
}
"""What examples read. Where servers stand on the page, files stand here: a directory knows only URLs."""

RUN = """
import pathlib, sys, traceback
import bethink
memory = bethink.open("all.db")
bound = memory.bind(user="ada", agent="helper", voice="user")
bound.remember("The oven is hot.")
answer, changed = bound.recall("How hot is the oven?"), bound.recall("Is the oven hot?")
for name in sys.argv[1:]:
    told = {"bethink": bethink, "memory": memory, "bound": bound}
    told |= {"answer": answer, "changed": changed, "text": "Hello."}
    try:
        exec(compile(pathlib.Path(name).read_text("utf-8"), name, "exec"), told)
    except Exception:
        print("FAILED", name, traceback.format_exc())
memory.close()
print("done", len(sys.argv) - 1)
"""


def test_every_python_example_of_readme_and_documents_runs(tmp_path: Path):
    for name, text in NEEDED.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    names = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for number, example in enumerate(PYTHON.findall(page.read_text("utf-8"))):
            names.append(f"{page.stem}-{number}.py")
            (tmp_path / names[-1]).write_text(example, "utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN, *names],
        cwd=tmp_path,
        env={
            "PYTHONPATH": str(SRC),
            "PATH": os.environ["PATH"],
            "BETHINK_HOME": str(tmp_path / "home"),
            "BETHINK_EMBEDDER": "hash",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if line.startswith("FAILED")] == [], done.stdout
    assert done.stdout.splitlines()[-1] == f"done {len(names)}"
    assert len(names) > 8
