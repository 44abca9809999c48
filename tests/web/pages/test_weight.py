"""The number of bytes that a phone loads before it can show a page."""

import gzip
import re
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bench.wire import counting
from web.pages.walk import open_phone

SIX = ("Anna", "Bernd", "Claire", "Dieter", "Emil", "Frieda")
MAX_BYTES, MAX_ENTRY, MAX_REQUESTS, MAX_SCRIPT = 60_000, 32_000, 6, 20_000


@pytest.fixture
def evening(anna):
    """A game of six with some rounds."""
    game = anna.begin(name=list(SIX))
    for number in range(1, 9):
        held = {f"hand__{seat}": str(10 * seat + number) for seat in range(1, 6)}
        anna.enter(game, 0, **held)
    return game


def fetched(chromium, address, reader, path) -> dict[str, int]:
    """Return the size of every answer to the first load of a page, with headers, by path."""
    phone = open_phone(chromium, address, reader, has_touch=True)
    page = phone.new_page()
    _, sizes = counting(phone, page)
    page.goto(path, wait_until="networkidle")
    phone.close()

    assert all(sizes.values())
    return sizes


@pytest.mark.parametrize(
    "page",
    ["", "/round", "/round/7/correct", "/tv", "/settlement"],
    ids=["board", "entry", "correct", "television", "settlement"],
)
def test_the_first_load_is_small_and_from_this_server_only(chromium, address, anna, evening, page):
    sizes = fetched(chromium, address, anna, evening + page)
    script = sum(size for url, size in sizes.items() if urlsplit(url).path.endswith(".js"))

    assert 0 < script < MAX_SCRIPT
    assert sum(sizes.values()) < (MAX_ENTRY if page.startswith("/round") else MAX_BYTES)
    assert len(sizes) <= MAX_REQUESTS
    assert {urlsplit(url).netloc for url in sizes} == {urlsplit(address).netloc}


def test_pages_are_compressed_for_clients_that_accept_gzip(anna, game):
    plain = anna.get(f"{game}/rules")
    packed = anna.get(f"{game}/rules", **{"Accept-Encoding": "gzip"})

    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.data) == plain.data


STRING = re.compile(r"""(["'`])(?:\\.|(?!\1).)*\1""")
REGEX = re.compile(r"[(=,!&|?:;{}]\s*(/(?:[^/\\\n]|\\.)+/)")
LOOSE = re.compile(r"(?<=[{};,:])\s|\s(?=[{};,])")
STATIC = sorted(
    path for end in ("js", "css") for path in (Path("scorekeeper") / "static").glob(f"*.{end}")
)


@pytest.mark.parametrize("file", STATIC, ids=lambda file: file.name)
def test_scripts_and_styles_are_sent_without_their_comments(anna, file):
    packed = anna.get(f"/static/{file.name}", **{"Accept-Encoding": "gzip"})
    sent = gzip.decompress(packed.data).decode()
    code = file.read_text(encoding="utf-8")
    if file.suffix == ".css":
        code = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
        assert not any(re.search(r"\s>|>\s|;\s*}", one.group()) for one in STRING.finditer(code))
        assert not any(LOOSE.search(one.group()) for one in STRING.finditer(code))
        code = re.sub(r"\s*>(?!=)\s*", ">", re.sub(r";(\s*})", r"\1", code))
        assert sent.split() == LOOSE.sub("", " ".join(code.split())).split()
    else:
        code = re.sub(r"^ *//.*\n| // .*", "", code, flags=re.MULTILINE)
        assert not [one for one in REGEX.findall(STRING.sub('""', code)) if " " in one]

    assert re.findall(r"\w+", sent) == re.findall(r"\w+", code)
    assert "".join(sent.split()) == "".join(code.split())
    assert STRING.findall(sent) == STRING.findall(code)


@pytest.mark.parametrize("file", STATIC, ids=lambda file: file.name)
def test_no_string_looks_like_a_comment_or_goes_beyond_its_line(file):
    for line in file.read_text(encoding="utf-8").splitlines():
        code = line.lstrip() if line.lstrip().startswith("//") else line.partition(" // ")[0]
        if file.suffix == ".js" and not code.startswith("//"):
            rest = STRING.sub("", re.sub(r"/[^/ ]+/[gimu]*(?=[.,;)])", "", code))
            assert not re.search(r"""["'`]|\\$""", rest), line


def test_a_page_that_shows_a_secret_is_never_compressed(anna, game):
    shown = anna.get(f"{game}/share", **{"Accept-Encoding": "gzip"})

    assert "/enter#" in shown.text
    assert shown.cache_control.no_transform
    assert "Content-Encoding" not in shown.headers


def test_the_token_of_a_form_changes_every_second(anna, game, monkeypatch):  # BREACH
    seconds = count(1_700_000_000)
    monkeypatch.setattr(
        "itsdangerous.timed.TimestampSigner.get_timestamp", lambda signer: next(seconds)
    )
    tokens = [anna.form(f"{game}/round")["csrf_token"].rpartition(".")[2] for _ in range(3)]
    same = sum(len(set(place)) == 1 for place in zip(*tokens, strict=True))

    assert same < len(tokens[0]) / 2


def test_the_indentation_of_templates_leaves_no_space_in_pages(make_app):
    source = "<ul>\n  {% for name in names %}\n  <li>{{ name }}\n  {% endfor %}\n</ul>"
    for templates in make_app().extensions["templates"].values():
        page = templates.from_string(source).render(names="AB")

        assert page == "<ul>\n<li>A\n<li>B\n</ul>"
