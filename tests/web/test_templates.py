"""The code in the documents for developers runs in order against a real server."""

import contextlib
import html
import io
import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pytest

from rest import served
from scorekeeper import create_app

ROOT = Path(__file__).parents[2]
SHOWN = "http://127.0.0.1:8000"
END = "---- end of a block ----"


class Block(NamedTuple):
    """A piece of code on a page, and the output that the page shows for it."""

    language: str
    code: str
    printed: str | None


def blocks(page: str) -> Iterator[Block]:
    """Return the code of a page in order."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    for (language, code), (following, printed) in zip(found, [*found[1:], ("", "")], strict=True):
        if language != "text":
            yield Block(language, code, printed if following == "text" else None)


def same(answer: str, shown: str | None) -> bool:
    """Return whether an output matches the page, where ``...`` stands for anything."""
    words = [re.escape("".join(part.split())) for part in (shown or "").split("...")]
    return bool(re.fullmatch(".*".join(words), "".join(answer.split())))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, external: None) -> Iterator[str]:
    """A server with nothing on it; files are written beside its record."""
    monkeypatch.chdir(tmp_path)
    app = create_app({"DATA": tmp_path / "pages.sqlite"})
    with served(app) as where:
        yield where
    app.extensions["ledger"].close()


def shell(script: str, **words: str) -> str:
    """Return the output of a script."""
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **words})

    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_curl_tutorial_gets_the_documented_answers(address: str) -> None:
    said = [one for one in blocks(read("docs/rest.md")) if one.language == "sh"]
    script = f"echo '{END}'\n".join(one.code for one in said).replace(SHOWN, address)

    body = shell(script).split(END)

    for block, answer in zip(said, body, strict=True):
        assert same(answer, block.printed), f"{block.code}\n{answer}"
    assert Path("friday.pdf").read_bytes().startswith(b"%PDF")


def test_the_python_tutorial_gets_the_documented_answers(address: str) -> None:
    said = [one for one in blocks(read("docs/rest.md")) if one.language == "python"]
    names: dict[str, object] = {}
    for block in said:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(block.code.replace(SHOWN, address), names)

        assert same(printed.getvalue(), block.printed), f"{block.code}\n{printed.getvalue()}"
    assert Path("friday-evening.pdf").read_bytes().startswith(b"%PDF")


def test_every_block_of_the_tutorial_is_run() -> None:
    assert {one.language for one in blocks(read("docs/rest.md"))} == {"sh", "python"}


def test_the_evening_in_three_calls_of_the_handbook_works(address: str) -> None:
    with urlopen(f"{address}/api/v1/docs", timeout=20) as answer:
        page = answer.read().decode()
    found = re.search(
        r'<section id="start">.*?<pre tabindex="0"><code>(.*?)</code>', page, re.DOTALL
    )
    assert found
    begin, rest = html.unescape(found[1]).split("\n\n", 1)

    api = f"{address}/api/v1"
    begun = json.loads(shell(begin, API=api))
    played, settled = shell(rest, API=api, ID=begun["id"], PEN=begun["pen"]).splitlines()

    assert json.loads(played)["number"] == 1
    assert sum(json.loads(settled)["balances"]) == 0


@pytest.mark.parametrize("page", ["README.md", "docs/groups.md"])
def test_the_documented_calls_work_in_order(page: str, address: str) -> None:
    """Id and pen replace the three dots of the page."""
    (block,) = (one for one in blocks(read(page)) if f"api={SHOWN}" in one.code)
    code = block.code.replace(SHOWN, address)
    begin, name, rest = re.split(r"^(id|group)=\.\.\.  pen=\.\.\.$", code, flags=re.MULTILINE)

    begun = json.loads(shell(begin))
    body = shell(f"api={address}/api/v1\n{rest}", pen=begun["pen"], **{name: begun["id"]})

    answers = [json.loads(line) for line in body.splitlines()]
    assert answers
    assert all("problems" not in answer for answer in answers), body
