"""Make a store where no file may grow beyond a size: prints what was said, and what was said once it may, as JSON.

Usage: ``python -m tests.faults.no_room FOLDER BYTES``.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from pathlib import Path

from bethink.errors import BethinkError
from bethink.store.sqlite import TRUTH, SqliteFile
from bethink.system import SystemClock


def made(path: Path) -> str:
    """The code of the error, or that there was none."""
    try:
        SqliteFile(path, TRUTH, SystemClock()).close()
    except BethinkError as error:
        return error.code
    return "made"


def main() -> None:
    """Fail, then go on."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path, (_, hard) = Path(sys.argv[1]) / "m.db", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), hard))
    full, left = made(path), path.exists()
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    json.dump({"full": full, "left": left, "later": made(path)}, sys.stdout)


if __name__ == "__main__":
    main()
