"""A real server process for the tests of the command line."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def served(tmp_path: Path, external: None) -> Iterator[Any]:
    """Start the real command; return its process, its output until it listens, and its port."""
    processes = []

    def start(*arguments: str) -> tuple[subprocess.Popen[str], list[str], int]:
        command = [sys.executable, "-m", "scorekeeper", "serve", "--port", "0", "--lang", "en"]
        environment = os.environ | {"XDG_DATA_HOME": str(tmp_path / "home")}
        process = subprocess.Popen(
            [*command, *arguments], env=environment, stdout=subprocess.PIPE, text=True
        )
        processes.append(process)
        assert process.stdout
        output = []
        for line in process.stdout:
            output.append(line.rstrip("\n"))
            if line.startswith("Stop with"):
                break
        return process, output, int(output[0].rsplit(":", 1)[1])

    yield start
    for process in processes:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()
