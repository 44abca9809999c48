"""W2: hostile names and notes are refused or harmless on every page in Chromium.

The pages are opened without their Content-Security-Policy, so that only escaping protects them.
Each is compared with the same page with harmless words: it must have the same elements, and no
script may run.
"""

import itertools
import random
import time
from types import SimpleNamespace

import pytest

from bars import seed, tried, tries
from scorekeeper.services import clock as server_clock
from web.pages.walk import addresses, gathered, open_phone, unfold, visit

MANY = tries("W2")
SEED = seed("W2")
PLAYERS = 6
MAX_LETTERS = 40
"""The length of the longest name."""
HARMLESS = "abcdefghi"
"""The number of texts in a game: players, title, place, note."""

RUN = ("hit()", "top.hit()", "parent.hit(1)", "window['hit']()", "hit`1`", "setTimeout(hit)")
ATTACKS = (
    "<script>{run}</script>",
    "<img src=x onerror={run}>",
    "<svg onload={run}>",
    "<svg><script>{run}</script>",
    '" autofocus onfocus={run} x="',
    "' onmouseover={run} '",
    '"><b onclick={run}>',
    "</title><script>{run}</script>",
    "</textarea><img src onerror={run}>",
    "</script><script>{run}</script>",
    "<iframe srcdoc='<script>{run}</script>'>",
    "<a href=javascript:{run}>Bernd</a>",
    "javascript:{run}",
    "<details open ontoggle={run}>",
    "<style>*{{display:none}}</style>",
    "<form action=/enter><input name=code>",
    "<meta http-equiv=refresh content=0>",
    "<base href=//example.org>",
    "<!--",
    "]]><script>{run}</script>",
    "{{{{ 7*7 }}}}",
    "{{% for x in y %}}",
    "${{{run}}}",
    "{{player}}",
    "{{0.__class__}}",
    "%s%n%(name)s",
    "&lt;script&gt;{run}&lt;/script&gt;",
    "&#60;img src onerror={run}&#62;",
    "&quot; onfocus={run} &quot;",
    "\\u003cscript\\u003e{run}",
    "=HYPERLINK({run})",
    "Anna\u2028{run}",
    "Anna\u202egnp.exe",
    "An\u200bna",
    "\u200f\u200fAnna",
    "A\u0336n\u0336n\u0336a",
    "Anna\x00<b>",
    "Anna\r\nSet-Cookie: a=b",
    "\ufeffAnna",
    "A" * 500,
    "W" * 40,
    "ﷺ" * 40,
)


def attacks() -> list[str]:
    """Return ``MANY`` different attacks, the same ones every time."""
    chance = random.Random(SEED)
    found = [attack.format(run=chance.choice(RUN)) for attack in ATTACKS]
    while len(found) < MANY:
        one, other = chance.sample(ATTACKS, 2)
        mixed = one.format(run=chance.choice(RUN)) + other.format(run=chance.choice(RUN))
        cut = chance.randrange(len(mixed))
        found.append((mixed[cut:] + mixed[:cut])[:MAX_LETTERS])
    chance.shuffle(found)
    return found[:MANY]


WATCHED = """() => {
    window.hits = 0;
    window.hit = () => { window.hits += 1; };
}"""
SEEN = """() => [
    [...document.querySelectorAll("*")].map((each) => each.localName).join(" "),
    window.hits,
]"""


class Eyes:
    """A browser that reads the elements of pages, and fails if a script runs."""

    def __init__(self, phone) -> None:
        self.phone, self.page = phone, phone.new_page()
        self.alarms: list[str] = []
        self.page.add_init_script(f"({WATCHED})()")
        self.page.on("dialog", lambda dialog: (self.alarms.append("dialog"), dialog.dismiss()))
        self.page.on("pageerror", lambda error: self.alarms.append(str(error)))
        self.answer = ""
        self.page.route("**/answer", self._give)

    def _give(self, route) -> None:
        route.fulfill(body=self.answer, content_type="text/html; charset=utf-8")

    def see(self, path: str) -> str:
        """Return the elements of a page at its path."""
        visit(self.page, path)
        unfold(self.page)
        return self._elements(path)

    def read(self, html: str) -> str:
        """Return the elements of a page that came as an answer."""
        self.answer = html
        self.page.goto("/answer")
        return self._elements(html)

    def _elements(self, what: str) -> str:
        elements, hits = self.page.evaluate(SEEN)

        assert (self.alarms, hits) == ([], 0), (what, SEED)
        return elements


@pytest.fixture
def eyes(chromium, address):
    """Return a function that gives a reader such a browser."""
    opened = []

    def of(reader) -> Eyes:
        reader.begin()
        opened.append(Eyes(open_phone(chromium, address, reader, bypass_csp=True)))
        return opened[-1]

    yield of
    for one in opened:
        one.phone.close()


def refused(reader, text: str) -> str:
    """Return the page that refuses a name; empty if the name is accepted."""
    form = reader.form("/new")
    form.setlist("name", [text, "Bernd"])
    form["do"] = "start"
    answer = reader.post("/new", form)

    assert answer.status_code in (303, 422), text
    return answer.text if answer.status_code == 422 else ""


def play(reader, words: list[str]) -> str:
    """A game with hostile text in every place for text."""
    names, title, place, note = words[:-3], *words[-3:]
    about = {"preset": "romme-palast", "title": title, "place": place}
    game = reader.begin(name=names, point_value="1", unit="ct", **about)
    for winner in range(3):
        holds = {f"hand-{seat}": "5" for seat in range(len(names)) if seat != winner}

        assert reader.enter(game, winner, note=note, **holds).status_code == 303
    reader.send(f"{game}/round/1/correct", do="save", note=note, **{"hand-1": "7"})
    reader.send(f"{game}/round/3/strike", page=game)
    settlement = f"{game}/settlement"

    assert reader.send(f"{settlement}/0", page=settlement, paid="yes").status_code == 303

    account = {"holder": names[0][:70], "iban": "LU28 0019 4006 4475 0000", "do": "keep"}
    reader.send(f"{settlement}/account", page=settlement, side="0", **account)
    return game


def everything(reader, words: list[str]) -> dict[str, str]:
    """Return all pages of such a game and of its group."""
    game = play(reader, words)
    return addresses(game, gathered(reader, game, words[:-3], *words[-3:-1]))


@pytest.mark.bar("W2")
def test_invalid_form_input_is_refused_in_words_and_changes_nothing(anna, eyes):
    """The names of the games that began are offered, so all texts are sent before it looks."""
    texts = [text for text in attacks() if refused(anna, text)]
    look = eyes(anna)
    twin = look.read(refused(anna, 500 * "n"))

    assert len(texts) >= MANY // 10
    for text in texts:
        page = refused(anna, text)

        assert "Geht nicht:" in page, text
        assert look.read(page) == twin, (text, SEED)
        tried()


def seen(reader, eyes, words: list[str]) -> dict[str, str]:
    """Return the elements of all pages of such a game, for a reader without other games."""
    look = eyes(reader)
    return {name: look.see(path) for name, path in everything(reader, words).items()}


@pytest.fixture
def ticking(monkeypatch) -> None:
    """Let each look at the clock take a second: Home sorts by time, and ties fall at random."""
    seconds = itertools.count(time.time())
    clock = SimpleNamespace(strftime=time.strftime, gmtime=lambda: time.gmtime(next(seconds)))
    monkeypatch.setattr(server_clock, "time", clock)


@pytest.mark.long
@pytest.mark.bar("W2")
@pytest.mark.usefixtures("ticking")
def test_accepted_input_adds_no_element_to_any_page_and_runs_no_script(app, anna, eyes):
    reader = type(anna)
    taken = [text for text in attacks() if not refused(anna, text)]
    twin = seen(reader(app), eyes, list(HARMLESS))

    assert len(taken) >= MANY // 3
    for begin in range(0, len(taken), PLAYERS):
        names = [*taken[begin:], *taken][:PLAYERS]
        words = [*names, names[0], names[1], names[2]]

        assert seen(reader(app), eyes, words) == twin, (words, SEED)
        tried(len(taken[begin : begin + PLAYERS]))


def test_hostile_urls_and_codes_are_only_text(anna, eyes):
    look, form = eyes(anna), anna.form("/enter")
    for text in attacks()[:10]:
        form["code"] = text
        query = {"cards": text, "hand": text}
        pad = {"name": text, "preset": text}
        answers = (
            anna.post("/enter", form),
            anna.client.get("/referee", query_string=query),
            anna.client.get("/pads/pad.pdf", query_string=pad),
            anna.client.get("/nowhere/" + text),
        )
        for answer in answers:
            assert answer.status_code < 500
            assert look.read(answer.text)
