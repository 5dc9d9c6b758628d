"""Keeps the caller's GIT_* variables away from the git commands of this program.

Git hands its hooks GIT_DIR, GIT_INDEX_FILE and the like, and a shell may hold more; any of them would send a
command to another repository or change what it prints.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

# What a user sets on purpose for every git command: configuration (`safe.directory`, say), credentials, network.
_KEPT = (
    "GIT_CONFIG_",
    "GIT_SSH",
    "GIT_SSL_",
    "GIT_HTTP_",
    "GIT_PROXY_",
    "GIT_PYTHON_",
    "GIT_ASKPASS",
    "GIT_EXEC_PATH",
    "GIT_ALLOW_PROTOCOL",
    "GIT_PROTOCOL_FROM_USER",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
)
_SET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}


@contextmanager
def isolated_git() -> Iterator[str]:
    """Clears git's location and behaviour variables from `os.environ` while inside, and restores them after.

    Inside, git takes no optional locks, fetches no missing objects, and asks no questions. Yields the caller's
    GIT_INDEX_FILE ("" if none): in a pre-commit hook that is where the staged edits are.
    """
    saved = {name: value for name, value in os.environ.items() if name.startswith("GIT_")}
    for name in saved:
        if not name.startswith(_KEPT):
            del os.environ[name]
    os.environ.update(_SET)
    try:
        yield saved.get("GIT_INDEX_FILE", "")
    finally:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            del os.environ[name]
        os.environ.update(saved)
