"""Install the wheels of ``make dist`` as a stranger does, and play an evening with each.

``python tools/try_wheel.py dist [PYTHON ...]`` tries pip, and uvx and pipx if they are installed,
in fresh environments outside of this checkout: uvx with each extra, the others, which take longer,
with none. A compiled wheel is tried with pip and this Python, which has to be the one it is for.
``--at ADDRESS`` plays the evening on a server that runs already, such as a container. It needs the
standard library only.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

API = "/api/v1"
EXTRAS = ("", "[camera]", "[postgres]")
NAMES = ("Anna", "Bernd", "Claire")
ROUNDS = (((0, 35, 15), 0), ((40, 20, 0), 2), ((5, 0, 60), 1))
"""The points of each player, and who went out."""
LARGEST = 4_000_000
"""Bytes of the wheel."""


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a stranger: nothing of this checkout, nothing kept by pipx."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "bin")}


def install(tool: str, python: str, what: str, folder: Path) -> list[str]:
    """Return the command that runs scorekeeper, installed by one of the tools."""
    quietly: dict[str, Any] = {"check": True, "env": environment(folder), "cwd": folder}
    if tool == "uvx":
        return ["uvx", "--quiet", "--python", python, "--from", what, "scorekeeper"]
    if tool == "pipx":
        subprocess.run(
            ["pipx", "install", "--quiet", "--python", python, what],
            capture_output=True,
            **quietly,
        )
        return [str(folder / "bin" / "scorekeeper")]
    subprocess.run([python, "-m", "venv", "venv"], **quietly)
    bin_ = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(bin_ / "python"), "-m", "pip", "--disable-pip-version-check", "install", "-qq", what]
    subprocess.run(pip, **quietly)
    return [str(bin_ / "scorekeeper")]


def try_command(command: list[str], extra: str, folder: Path) -> None:
    """Ask an installed scorekeeper for its version, serve, play, and stop it."""
    alone: dict[str, Any] = {"cwd": folder, "env": environment(folder), "text": True}
    told = subprocess.run([*command, "--version"], check=True, capture_output=True, **alone).stdout
    assert re.search(r"\d+\.\d+\.\d+", told), told
    serve = [*command, "serve", "--port", "0", "--data", str(folder / "evening.sqlite")]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, **alone) as server:
        try:
            assert server.stdout
            found = re.search(r"http://\S+:\d+", server.stdout.readline())
            assert found, "the server did not start"
            play(found[0])
            plain = {"Content-Type": "text/plain"}
            photograph = status(found[0], "POST", f"{API}/cards/recognise", plain)
            assert photograph == (415 if extra == "[camera]" else 501), photograph
        finally:
            server.terminate()
    assert server.returncode == 0, server.returncode
    if extra == "[postgres]":  # nobody answers there; without the extra the reason is another one
        nowhere = [*command, "check", "--lang", "en", "--data", "postgresql://127.0.0.1:9/none"]
        refused = subprocess.run(nowhere, capture_output=True, check=False, **alone)
        assert refused.returncode and "scorekeeper[postgres]" not in refused.stderr, refused.stderr


def status(address: str, method: str, path: str, headers: Mapping[str, str] = {}) -> int:
    """Send one request and return the status of its answer."""
    url = urlsplit(address)
    with closing(HTTPConnection(url.netloc, timeout=60)) as connection:
        connection.request(method, url.path.rstrip("/") + path, headers=headers)
        return connection.getresponse().status


def play(address: str) -> None:
    """Play an evening with the client, and read it as page, settlement and paper."""
    from scorekeeper_client import Server  # type: ignore[import-not-found]  # from its wheel

    for page in ("/", "/healthz", "/new"):
        assert status(address, "GET", page) == 200, page
    stake = {"point_value": "1/10", "unit": "ct"}
    game = Server(address).new_game("Friday", "german-family", NAMES, stake=stake)
    for points, winner in ROUNDS:
        seats = [{"points": own} if own else {} for own in points]
        sheet = game.record({"outcome": "out", "winner": winner, "seats": seats})
    assert [tally["minus"] for tally in sheet["totals"]] == [45, 55, 75]
    assert game.settlement()["transfers"]
    assert paper(game).startswith(b"%PDF")


def paper(game: Any) -> bytes:
    """Return the score sheet; a busy machine, which answers 503, is asked again for a minute."""
    from scorekeeper_client import Refused

    until = time.monotonic() + 60
    while True:
        try:
            return bytes(game.sheet_pdf())
        except Refused as refused:
            if refused.status != 503 or time.monotonic() > until:
                raise
        time.sleep(2)


def attempts(tools: list[str], pythons: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what is tried: a tool, a Python and an extra."""
    for python in pythons:
        for tool in tools:
            for extra in EXTRAS if tool == "uvx" else EXTRAS[:1]:
                yield tool, python, extra


def main() -> None:
    """Try what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dist", type=Path)
    parser.add_argument("pythons", nargs="*")
    parser.add_argument("--at", metavar="ADDRESS")
    asked = parser.parse_args()
    wheel = next(asked.dist.resolve().glob("scorekeeper-*-py3-none-any.whl"))
    sys.path.insert(0, str(next(asked.dist.resolve().glob("scorekeeper_client-*.whl"))))
    if asked.at:
        play(asked.at)
        print(f"An evening was played at {asked.at}.")
        return
    assert wheel.stat().st_size <= LARGEST, wheel.stat().st_size
    tools = ["pip", *filter(shutil.which, ("uvx", "pipx"))]
    tried = [(wheel, *one) for one in attempts(tools, asked.pythons or [sys.executable])]
    compiled = asked.dist.resolve().glob("scorekeeper-*-cp*.whl")
    tried += [(one, "pip", sys.executable, "") for one in compiled]
    for file, tool, python, extra in tried:
        with TemporaryDirectory() as folder:
            where = Path(folder)
            try_command(install(tool, python, f"{file}{extra}", where), extra, where)
        print(f"{tool} {file.name}{extra} with {python}: an evening was played.", flush=True)


if __name__ == "__main__":
    main()
