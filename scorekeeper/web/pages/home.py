"""The home page, and the list of all evenings of a browser."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from flask import url_for

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.services.bookkeeping import kept, running_games
from scorekeeper.services.clock import TIME, now
from scorekeeper.store.errors import Damaged
from scorekeeper.web import context
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.blueprint import damage_words, page, pages, readable_games
from scorekeeper.web.pages.group import views as groups
from scorekeeper.web.pages.new_game import systems
from scorekeeper.web.pages.new_game import views as games
from scorekeeper.web.permissions import offers
from scorekeeper.wording import endings, pad

MAX_LISTED = 50
MAX_LOOKED_AT = 12
"""The home page reads this many games outside of groups, the last changed first."""
MAX_TABLES = 3
MAX_EARLIER = 3
FEW = 5
"""The number of last evenings to look through for one that was not thrown away."""
TONIGHT = timedelta(days=14)
"""A game that nobody has changed for this long loses the first place."""
MORNING, DAY, EVENING = 5, 11, 17
"""The hours at which the greeting changes."""


@dataclass(frozen=True)
class Running:
    """A game that is not over."""

    game: Game
    title: str
    """Its own, or the name of its group; empty if it has neither."""
    right: str
    day: str
    """When it began, in words."""

    @property
    def name(self) -> str:
        """Return its title, or who plays."""
        return self.title or language().all_of(self.game.sides)


@dataclass(frozen=True)
class Rematch:
    """A game that can be begun again with the same players."""

    name: str
    players: str
    deals: str
    action: str
    fields: Mapping[str, str]
    version: int | None = None


@dataclass(frozen=True)
class Earlier:
    """A past evening: its day, and who won against whom."""

    day: str
    result: str
    url: str


@dataclass(frozen=True)
class BrowserBooks:
    """The groups of a browser, and its games outside of them, last changed first."""

    groups: Sequence[tuple[str, str]] = ()
    games: Sequence[tuple[str, str]] = ()
    damaged: list[Damaged] = field(default_factory=list)

    def loaded(self, most: int) -> Iterator[tuple[Game, str]]:
        """Yield the games; a damaged one is reported, and the others can still be shown."""
        rights = dict(self.games[:most])
        for game in readable_games(rights, self.damaged):
            yield game, rights[game.id]


def books_of_browser() -> BrowserBooks:
    """Return the games and groups that this browser can open."""
    browser = context.browser()
    if not browser:
        return BrowserBooks()
    groups_held = ledger().rights.books_of(browser, "group")
    inside = {group_id for group_id, _ in groups_held}
    alone = [
        (game_id, right)
        for game_id, right in ledger().rights.books_of(browser, "game")
        if ledger().group_of(game_id) not in inside
    ]
    return BrowserBooks(groups_held, alone)


@pages.get("/")
def home() -> str:
    """Show tonight's pad, the next table and the last evenings; newcomers get an explanation."""
    mine = books_of_browser()
    if not (mine.groups or mine.games):
        return page("home_first.html")
    known = list(mine.loaded(MAX_LOOKED_AT))
    running = sorted(_running(mine, known), key=lambda one: one.game.changed_at, reverse=True)
    tonight = running[0] if running and _is_recent(running[0].game) else None
    return page(
        "home.html",
        greeting=greeting(),
        today=language().date(now(), language()("home.date")),
        tonight=tonight,
        since=_since(tonight.game) if tonight else "",
        go_on=_go_on(tonight) if tonight else "",
        heads=pad.heads(tonight.game, language()) if tonight else (),
        running=running[bool(tonight) :],
        alike=_alike(running),
        kept=_kept_offline(running),
        tables=_tables(mine, running),
        earlier=_earlier(mine, known),
        count=_count(mine),
        has_groups=bool(mine.groups),
        damaged=damage_words(mine.damaged),
    )


def _kept_offline(running: Sequence[Running]) -> list[str]:
    """Return the pages that a browser keeps for times without a connection."""
    boards = (url_for("pages.board", game_id=one.game.id) for one in running)
    return [*boards, url_for("pages.away")] if offers("pages.away") else list(boards)


def greeting() -> str:
    """Return the key of the greeting for this hour."""
    hour = int(language().time(now())[:2])
    return "morning" if MORNING <= hour < DAY else "day" if DAY <= hour < EVENING else "evening"


def _since(game: Game) -> str:
    lang, began = language(), game.created_at
    if lang.date(began) == lang.date(now()):
        return lang("home.since", time=lang.time(began))
    return lang("home.since_day", day=lang.date(began, lang("home.short_date")))


def _go_on(tonight: Running) -> str:
    """Return the words of the button; the day is named only if it is not today."""
    lang, began = language(), tonight.game.created_at
    if tonight.right != "pen":
        return lang("home.watch")
    if lang.date(began) == lang.date(now()):
        return lang("home.go_on")
    return lang("home.go_on_day", day=lang.date(began, "EEEE"))


def _is_recent(game: Game) -> bool:
    since = (datetime.fromisoformat(now()) - TONIGHT).strftime(TIME)
    return game.changed_at > since  # as text: an imported game may hold any time


def _running(mine: BrowserBooks, known: Sequence[tuple[Game, str]]) -> Iterator[Running]:
    for game, right in known:
        if not game.is_over and not game.thrown_away_at:
            yield _running_game(game, game.title, right)
    names = ledger().names.words_of([group_id for group_id, _ in mine.groups], "name")
    for group_id, right in mine.groups:
        for game in running_games(ledger(), group_id, 1, mine.damaged):
            yield _running_game(
                game.with_stand_ins(language().seat), names.get(group_id, ""), right
            )


def _running_game(game: Game, title: str, right: str) -> Running:
    lang = language()
    return Running(game, title, right, lang.date(game.created_at, lang("home.short_date")))


def _alike(running: Sequence[Running]) -> set[tuple[str, str]]:
    """Return the names and days that several games have; only the time tells those apart."""
    seen = Counter((one.name, one.day) for one in running)
    return {which for which, times in seen.items() if times > 1}


# ---- the next evening ----------------------------------------------------------------


def _tables(mine: BrowserBooks, running: Sequence[Running]) -> list[Rematch]:
    """Return what one press can begin: groups without a running evening, else the last table."""
    busy = {ledger().group_of(one.game.id) for one in running}
    free = [group_id for group_id, right in mine.groups if right == "pen" and group_id not in busy]
    groups_free = ledger().readable(Group, free, mine.damaged)
    tables = [table for group in groups_free if (table := _table_of_group(group))]
    if not tables and not running:
        tables = [_table_of_game(game) for game in systems.evenings_before()[:1]]
    return tables[:MAX_TABLES]


def _table_of_group(group: Group) -> Rematch | None:
    if group.tournament:  # its evenings are drawn
        return None
    form, names = groups.next_evening(group)
    players = [name for name in names if name]
    if len(players) < 2:
        return None
    return Rematch(
        name=group.name,
        players=language().all_of(players),
        deals=_first_dealer(form.get("first_dealer", ""), players),
        action=url_for("pages.new_evening", group_id=group.id),
        fields={"do": "repeat"},
        version=group.version,
    )


def _table_of_game(game: Game) -> Rematch:
    lang = language()
    form, players = games.form_again(game, game.with_stand_ins(lang.seat).players)
    return Rematch(
        name=lang("pages.new.again"),
        players=lang.all_of(players),
        deals=_first_dealer(form["first_dealer"], players),
        action=url_for("pages.new"),
        fields={"do": f"rematch:{game.id}"},
    )


def _first_dealer(chosen: str, players: Sequence[str]) -> str:
    if chosen.isdecimal() and int(chosen) < len(players):
        return language()("home.deals", player=players[int(chosen)])
    return language()("home.deals.draw")


# ---- earlier evenings ----------------------------------------------------------------


def _earlier(mine: BrowserBooks, known: Sequence[tuple[Game, str]]) -> list[Earlier]:
    """Return the last finished evenings, those of groups too."""
    found = [
        (game.created_at, game.id, url_for("pages.board", game_id=game.id))
        for game, _ in known
        if game.has_result
    ]
    for group_id, _ in mine.groups:
        for evening in ledger().seasons.evenings(group_id, over=True, limit=MAX_EARLIER):
            url = url_for("pages.evening", group_id=group_id, game_id=evening.game)
            found.append((evening.began, evening.game, url))
    found.sort(reverse=True)
    urls = {game_id: url for _, game_id, url in found}
    latest = islice(readable_games(urls), MAX_EARLIER)
    return [_evening(game, urls[game.id]) for game in latest]


def _evening(game: Game, url: str) -> Earlier:
    lang = language()
    day = lang.date(game.created_at, lang("home.short_date"))
    return Earlier(day, endings.who_beat_whom(game, lang), url)


def _count(mine: BrowserBooks) -> int:
    inside = sum(ledger().seasons.count_evenings(group_id) for group_id, _ in mine.groups)
    return inside + len(mine.games)


# ---- all of them ---------------------------------------------------------------------


@dataclass(frozen=True)
class GroupLink:
    """A group in the list."""

    id: str
    name: str
    last: str
    """The date of the last evening, in words."""
    watching: bool


@pages.get("/evenings")
def evenings() -> str:
    """List this browser's groups, then its games outside of them, latest first."""
    mine = books_of_browser()
    return page(
        "evenings.html",
        groups=_group_links(mine.groups),
        games=[(game, right, _result(game)) for game, right in mine.loaded(MAX_LISTED)],
        damaged=damage_words(mine.damaged),
        house=games.house_rules,
    )


def _result(game: Game) -> str:
    """Return who won or leads, in a few words; empty before the first round."""
    lang, leaders = language(), games.leaders(game)
    if not leaders:
        return lang("home.no_round") if game.is_over else ""
    if game.is_over:
        return lang("groups.won", n=endings.people(game, game.sheet.leaders), players=leaders)
    return lang("pages.home.leads", player=leaders)


def _group_links(groups_held: Sequence[tuple[str, str]]) -> list[GroupLink]:
    """Return groups without reading their games."""
    names = ledger().names.words_of([group_id for group_id, _ in groups_held], "name")
    return [
        GroupLink(group_id, names.get(group_id, ""), _last_evening(group_id), right == "watch")
        for group_id, right in groups_held
    ]


def _last_evening(group_id: str) -> str:
    last = next(iter(kept(ledger(), ledger().seasons.evenings(group_id, limit=FEW))), None)
    if last is None:
        return language()("groups.never")
    key = "groups.last_on" if last.over else "groups.runs"
    return language()(key, date=language().date(last.began))
