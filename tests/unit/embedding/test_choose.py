from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bethink
from bethink.embedding.choose import make_embedder
from bethink.errors import InvalidInput


def test_each_name_gives_the_embedder_it_stands_for():
    assert make_embedder("builtin").spec.model == "all-MiniLM-L6-v2"
    assert make_embedder("hash").spec.provider == "hash"
    assert make_embedder("none") is None


@pytest.mark.parametrize("name", ["", "Builtin", "openai", "builtin "])
def test_another_name_is_refused_with_the_choices(name):
    with pytest.raises(InvalidInput) as caught:
        make_embedder(name)
    assert repr(name) in str(caught.value)
    assert "builtin, multilingual, hash, none" in str(caught.value)


def test_importing_the_choice_imports_no_numpy():
    code = "import sys, bethink.embedding.choose; sys.exit('numpy' in sys.modules)"
    source = str(Path(bethink.__file__).parent.parent)
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": source})
