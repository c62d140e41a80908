"""The default encoder, measured by itself."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bethink.evaluation.bench_timing import spread, timed
from bethink.evaluation.corpus import Corpus
from bethink.opening import open_memory
from bethink.settings import load_settings


def encoder_rates() -> dict[str, Any]:
    """One query, a bulk of turns, and `remember` with it, on a 14-token text."""
    with tempfile.TemporaryDirectory(prefix="bethink-bench-") as folder:
        settings = load_settings({"home": folder}, {})
        with open_memory(Path(folder) / "bench.db", settings=settings) as memory:
            embedder = memory.embedder
            if embedder is None:
                return {"available": False}
            text = "When did the harbour release of the tide tables happen for the small boats"
            embedder.embed_query(text)
            query = [timed(embedder.embed_query, f"{text} {n}") for n in range(50)]
            bulk_texts = [f"{speaker}: {words}" for speaker, words in Corpus(3).texts(256)]
            bulk = timed(embedder.embed_documents, bulk_texts)
            caller = memory.bind(voice="user")
            wrote = [timed(caller.remember, f"{text} on pier {n}") for n in range(50)]
    return {
        "available": True,
        "query": spread(query),
        "bulk_per_second": round(len(bulk_texts) / bulk * 1e3, 1),
        "remember": {**spread(wrote), "per_second": round(1e3 / float(np.mean(wrote)), 1)},
    }
