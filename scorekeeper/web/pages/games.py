"""My games, a new one, and what can be changed about one besides its rounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import abort, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorekeeper import pdf
from scorekeeper.domain.changes import NewGame
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.domain.options import GROUPS, OPTIONS, RuleSet
from scorekeeper.domain.presets import PRESETS, Deviation, deviations, preset, remarks
from scorekeeper.services import games
from scorekeeper.store.errors import Damaged
from scorekeeper.web import context
from scorekeeper.web.background import in_pool_later
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages import forms, game_forms
from scorekeeper.web.pages.blueprint import (
    changed_meanwhile,
    faults_of,
    form_key,
    form_version,
    game_or_404,
    page,
    pages,
)
from scorekeeper.web.pages.paper import file
from scorekeeper.web.pages.sharing import share_page
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wire.schemas import MOST_PLAYERS, DetailsSchema, NewGameSchema, PlayerSchema
from scorekeeper.wire.strict import load

MOST_LISTED = 50
Answer = str | tuple[str, int] | Response


@pages.get("/")
def home() -> str:
    """The groups that this browser knows, then the games of none: what changed last first."""
    browser = context.browser()
    groups = own_groups(browser) if browser else []
    known = ledger().rights.books_of(browser, "game") if browser else []
    inside = {group.id for group in groups}
    alone = [one for one in known if ledger().seasons.group_of(one[0]) not in inside]
    games, damaged = [], []
    for game_id, held in alone[:MOST_LISTED]:
        try:
            games.append((game_or_404(game_id), held))
        except Damaged as error:  # the others go on
            damaged.append(language().problem(error.problem))
    return page(
        "home.html",
        groups=groups,
        games=games,
        damaged=damaged,
        leaders=leaders,
        house=house_rules,
    )


@dataclass(frozen=True)
class Known:
    """A group in the list of those that a browser knows."""

    id: str
    name: str
    last: str
    """When they meet or met last, in words."""
    watching: bool


def own_groups(browser: str) -> list[Known]:
    """A browser's groups; none of their games is read."""
    known = ledger().rights.books_of(browser, "group")
    names = ledger().names.words_of([group_id for group_id, _ in known], "name")
    return [
        Known(
            group_id,
            names.get(group_id, ""),
            _last_evening(group_id),
            held == "watch",
        )
        for group_id, held in known
    ]


def _last_evening(group_id: str) -> str:
    last = next(iter(ledger().seasons.evenings(group_id, most=1)), None)
    if last is None:
        return language()("groups.never")
    key = "groups.last_on" if last.over else "groups.runs"
    return language()(key, date=language().day(last.day))


def leaders(game: Game) -> str:
    """Who is first, in words; empty before the first round."""
    return language().all_of(game.sides[side] for side in game.sheet.leaders)


# ---- a new game ----------------------------------------------------------------------


@pages.route("/new", methods=["GET", "POST"])
def new() -> Answer:
    """Begin an evening: rule system, players in seat order, stake, house rules."""
    if request.method != "POST":
        return new_page(first_form(), ["", "", "", ""])
    return filled_in(_start)


def filled_in(
    start: Callable[[MultiDict[str, str], list[str]], Answer], group: Group | None = None
) -> Answer:
    """What a press on the form of a new evening does; ``start`` begins it."""
    form: MultiDict[str, str] = request.form
    names = form.getlist("name")[:MOST_PLAYERS]
    if not names:
        names = ["", ""]
    do, _, which = form.get("do", "").partition(":")
    if do == "again":
        return _again(which)
    if do in MOVES:
        seat = forms.whole(which)
        MOVES[do](names, seat if isinstance(seat, int) else 0)
    if do == "sit":
        _sit(names, which)
    if do not in ("start", "card"):
        return new_page(form, names, group=group)
    dealer, names = game_forms.seated(form, names)
    form = MultiDict({**form, **dealer})
    try:
        if do == "card":
            return card(load(NewGameSchema(), game_forms.new_game_body(form, ["–"])))
        return start(form, names)
    except RuleError as error:
        names += [""] * (2 - len(names))
        return new_page(form, names, error.problems, group=group), 422


def card(order: NewGame) -> Response:
    """The rules as they are set, on one page, whoever will play."""
    printed = in_pool_later(pdf.rules_card, order.rules, language(), title=order.title)
    return file(printed, f"{order.rules.preset}-rules")


@limit_creation
def _start(form: MultiDict[str, str], names: list[str]) -> Answer:
    opened = games.open_game(
        ledger(),
        load(NewGameSchema(), game_forms.new_game_body(form, names)),
        key=form_key(),
        browser=context.new_browser(),
    )
    if not opened.pen:  # sent twice: the secrets were shown the first time
        return redirect(url_for("pages.board", game_id=opened.game.id), 303)
    return share_page(opened.game, {"pen": opened.pen, "watch": opened.watch}, begun=True)


def _again(game_id: str) -> str:
    """The form filled in as for an evening that was begun in this browser."""
    before = next((game for game in evenings_before() if game.id == game_id), None)
    if before is None:
        abort(404)
    return new_page(form_of(before.rules, before.place), list(before.players))


def evenings_before() -> list[Game]:
    """What this browser wrote last under each rule system, the latest first."""
    browser = context.browser()
    known = ledger().rights.books_of(browser, "game")[:MOST_LISTED] if browser else []
    games = [ledger().game(game_id) for game_id, held in known if held == "pen"]
    newest: dict[str, Game] = {}
    for game in games:
        newest.setdefault(game.rules.preset, game)
    return list(newest.values())


def form_of(rules: RuleSet, place: str) -> MultiDict[str, str]:
    """Rule system, house rules, stake and place of an evening, as its form had them."""
    fields = {one.name: one.name for one in house_rules(rules)}
    fields |= {term: f"settle.{term}" for term in game_forms.STAKE}
    fields |= {"first_dealer": game_forms.FIRST_DEALER}
    said = {
        field: game_forms.option_text(OPTIONS[name].kind, rules[name])
        for field, name in fields.items()
    }
    return MultiDict({"preset": rules.preset, "options_of": rules.preset, "place": place, **said})


def _add(names: list[str], _: int) -> None:
    if len(names) < MOST_PLAYERS:
        names.append("")


def _sit(names: list[str], name: str) -> None:
    """A member takes the first empty seat, or one more."""
    if "" in names:
        names[names.index("")] = name
    elif len(names) < MOST_PLAYERS:
        names.append(name)


def _drop(names: list[str], seat: int) -> None:
    if len(names) > 2 and seat < len(names):
        del names[seat]


def _swap(names: list[str], seat: int) -> None:
    if 0 < seat < len(names):
        names[seat - 1], names[seat] = names[seat], names[seat - 1]


MOVES: dict[str, Callable[[list[str], int], None]] = {
    "add": _add,
    "drop": _drop,
    "up": _swap,
    "down": lambda names, seat: _swap(names, seat + 1),
}
"""What the buttons beside the names do without script."""


def new_page(
    form: MultiDict[str, str],
    names: list[str],
    problems: tuple[Problem, ...] = (),
    *,
    group: Group | None = None,
    stale: bool = False,
) -> str:
    """The form of a new evening, as it was filled in, with what is wrong where it is wrong."""
    shown = shown_rules(form, problems, names)
    return page(
        "new.html",
        **shown,
        names=names,
        most=shown["rules"].players.max,
        before=evenings_before() if request.method != "POST" and not group else [],
        group=group,
        members=[name for name in group.players if name and name not in names] if group else [],
        version=expected_version(form, group, stale) if group else None,
        stale=stale,
    )


def expected_version(form: MultiDict[str, str], group: Group, stale: bool) -> str:
    """The version that a form was made for; the newest where that was told to be old."""
    return str(group.version) if stale else form.get("version", str(group.version))


def shown_rules(
    form: MultiDict[str, str], problems: Sequence[Problem], names: Sequence[str] = ()
) -> dict[str, Any]:
    """Rule system, stake and house rules as the form of an evening shows them."""
    chosen = form.get("preset", "")
    form = form if chosen in PRESETS else MultiDict({**form, "preset": game_forms.FIRST_PRESET})
    rules = game_forms.rules_so_far(form["preset"], game_forms.chosen_options(form))
    faults = faults_of(problems, game_forms.new_game_field, names)
    return {
        "form": _with_usual_stake(form),
        "rules": rules,
        "groups": game_forms.option_groups(rules, form, language()),
        "deviations": [language().deviation(one) for one in house_rules(rules)],
        "remarks": [language().problem(one) for one in remarks(rules)],
        "faults": faults,
        "unfolded": form.get("do") == "rules" or any("." in field for field in faults),
        "presets": PRESETS,
    }


def house_rules(rules: RuleSet) -> list[Deviation]:
    """Where rules differ from their system, the stake left out: that is agreed anew."""
    return [one for one in deviations(rules) if one.name not in game_forms.NOT_ASKED]


def first_form() -> MultiDict[str, str]:
    usual = game_forms.FIRST_PRESET
    return MultiDict({"preset": usual, "options_of": usual, **_stake(usual)})


def _stake(name: str) -> dict[str, str]:
    usual = preset(name)
    return {
        term: game_forms.option_text(OPTIONS[f"settle.{term}"].kind, usual[f"settle.{term}"])
        for term in game_forms.STAKE
    }


def _with_usual_stake(form: MultiDict[str, str]) -> MultiDict[str, str]:
    """The stake of the rule system chosen now, unless another one was typed."""
    before = form.get("options_of", "")
    if before == form["preset"] or before not in PRESETS:
        return form
    typed = {term: form.get(term, "") for term in game_forms.STAKE}
    return MultiDict({**form, **_stake(form["preset"])}) if typed == _stake(before) else form


# ---- what else can be changed --------------------------------------------------------


@pages.get("/g/<game_id>/more")
def more(game_id: str) -> str:
    """Title and place, one more player, the end, a name to erase; rules and history."""
    return more_page(game_or_404(game_id))


def more_page(game: Game, faults: dict[str, str] | None = None) -> str:
    """The page of everything that is not needed every round."""
    return page("more.html", game=game, faults=faults or {}, form=request.form)


@pages.get("/g/<game_id>/rules")
def rules(game_id: str) -> str:
    """The rules of this table in words, what it plays differently first."""
    game, lang = game_or_404(game_id), language()
    played = [
        (group, [lang.rule_sentence(name, game.rules[name]) for name in names])
        for group, names in _names_by_group(game)
    ]
    return page(
        "rules.html",
        game=game,
        deviations=[lang.deviation(one) for one in house_rules(game.rules)],
        played=played,
    )


def _names_by_group(game: Game) -> list[tuple[str, list[str]]]:
    names = [name for name in game.rules.telling() if name != "family"]
    groups = [
        (group, [name for name in names if name.partition(".")[0] in parts])
        for group, parts in GROUPS.items()
    ]
    return [(group, names) for group, names in groups if names]


@pages.post("/g/<game_id>/details")
def details(game_id: str) -> Answer:
    """Another title or place."""
    words = {name: request.form.get(name, "") for name in ("title", "place")}
    return _changed(
        game_id,
        "title",
        lambda version, key: games.change_details(
            ledger(), game_id, load(DetailsSchema(), words), expect=version, key=key
        ),
    )


@pages.post("/g/<game_id>/players")
def join(game_id: str) -> Answer:
    """One more sits down."""
    name = {"name": request.form.get("name", "")}
    return _changed(
        game_id,
        "name",
        lambda version, key: games.add_player(
            ledger(), game_id, load(PlayerSchema(), name)["name"], expect=version, key=key
        ),
    )


@pages.post("/g/<game_id>/end")
def end(game_id: str) -> Answer:
    """End the evening."""
    return _changed(
        game_id,
        "end",
        lambda version, key: games.end_game(ledger(), game_id, expect=version, key=key),
    )


@pages.post("/g/<game_id>/reopen")
def reopen(game_id: str) -> Answer:
    """Go on playing."""
    return _changed(
        game_id,
        "end",
        lambda version, key: games.reopen_game(ledger(), game_id, expect=version, key=key),
    )


def _changed(game_id: str, field: str, change: Callable[[int, str], Game]) -> Answer:
    """Make a change and go back to the board, or say at its field why not."""
    key, version = form_key(), form_version()
    try:
        stale = changed_meanwhile(lambda: change(version, key))
    except RuleError as error:
        game = game_or_404(game_id)
        words = language().problem(error.problems[0], game.players)
        return more_page(game, {field: words}), 422
    notice = "stale" if stale else None
    return redirect(url_for("pages.board", game_id=game_id, notice=notice), 303)
