"""The home page, the form of a new game, and the settings of a game."""

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
    faults_of,
    form_key,
    form_version,
    game_or_404,
    page,
    pages,
    was_stale,
)
from scorekeeper.web.pages.paper import file
from scorekeeper.web.pages.sharing import share_page
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wire.rounds import MOST_PLAYERS
from scorekeeper.wire.schemas import DetailsSchema, NewGameSchema, PlayerSchema
from scorekeeper.wire.strict import load

MOST_LISTED = 50
Answer = str | tuple[str, int] | Response


@pages.get("/")
def home() -> str:
    """Show this browser's groups, then its games outside of them, latest first."""
    browser = context.browser()
    groups = own_groups(browser) if browser else []
    games_held = ledger().rights.books_of(browser, "game") if browser else []
    inside = {group.id for group in groups}
    alone = [one for one in games_held if ledger().seasons.group_of(one[0]) not in inside]
    games, damaged = [], []
    for game_id, held in alone[:MOST_LISTED]:
        try:
            games.append((game_or_404(game_id), held))
        except Damaged as error:  # other games can still be shown
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
class GroupLink:
    """A group in the list of the home page."""

    id: str
    name: str
    last: str
    """The date of the last evening, in words."""
    watching: bool


def own_groups(browser: str) -> list[GroupLink]:
    """Return a browser's groups without reading their games."""
    groups_held = ledger().rights.books_of(browser, "group")
    names = ledger().names.words_of([group_id for group_id, _ in groups_held], "name")
    return [
        GroupLink(
            group_id,
            names.get(group_id, ""),
            _last_evening(group_id),
            held == "watch",
        )
        for group_id, held in groups_held
    ]


def _last_evening(group_id: str) -> str:
    last = next(iter(ledger().seasons.evenings(group_id, most=1)), None)
    if last is None:
        return language()("groups.never")
    key = "groups.last_on" if last.over else "groups.runs"
    return language()(key, date=language().day(last.day))


def leaders(game: Game) -> str:
    """Return the names of the leaders; empty before the first round."""
    return language().all_of(game.sides[side] for side in game.sheet.leaders)


# ---- a new game ----------------------------------------------------------------------


@pages.route("/new", methods=["GET", "POST"])
def new() -> Answer:
    """Begin a game: rule system, players in seat order, stake, house rules."""
    if request.method != "POST":
        return new_page(first_form(), ["", "", "", ""])
    return process_form(_start)


def process_form(
    start: Callable[[MultiDict[str, str], list[str]], Answer], group: Group | None = None
) -> Answer:
    """Process the form of a new game; ``start`` begins it."""
    form: MultiDict[str, str] = request.form
    names = form.getlist("name")[:MOST_PLAYERS]
    if not names:
        names = ["", ""]
    do, _, which = form.get("do", "").partition(":")
    if do == "again":
        return _repeat_game(which)
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
    """Return the rules card for the rules in the form."""
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
    if not opened.pen:  # sent twice; the secrets were shown the first time
        return redirect(url_for("pages.board", game_id=opened.game.id), 303)
    return share_page(opened.game, {"pen": opened.pen, "watch": opened.watch}, begun=True)


def _repeat_game(game_id: str) -> str:
    """Show the form filled in like an earlier game of this browser."""
    before = next((game for game in evenings_before() if game.id == game_id), None)
    if before is None:
        abort(404)
    return new_page(form_of(before.rules, before.place), list(before.players))


def evenings_before() -> list[Game]:
    """Return this browser's last game under each rule system, latest first."""
    browser = context.browser()
    games_held = ledger().rights.books_of(browser, "game")[:MOST_LISTED] if browser else []
    games = [ledger().game(game_id) for game_id, held in games_held if held == "pen"]
    newest: dict[str, Game] = {}
    for game in games:
        newest.setdefault(game.rules.preset, game)
    return list(newest.values())


def form_of(rules: RuleSet, place: str) -> MultiDict[str, str]:
    """Return form fields with the rules, stake and place of a game."""
    fields = {one.name: one.name for one in house_rules(rules)}
    fields |= {term: f"settle.{term}" for term in game_forms.STAKE}
    fields |= {"first_dealer": game_forms.FIRST_DEALER}
    options = {
        field: game_forms.option_text(OPTIONS[name].kind, rules[name])
        for field, name in fields.items()
    }
    return MultiDict(
        {"preset": rules.preset, "options_of": rules.preset, "place": place, **options}
    )


def _add(names: list[str], _: int) -> None:
    if len(names) < MOST_PLAYERS:
        names.append("")


def _sit(names: list[str], name: str) -> None:
    """Put a member on the first empty seat, or on a new one."""
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
"""The buttons beside the names, for browsers without scripts."""


def new_page(
    form: MultiDict[str, str],
    names: list[str],
    problems: tuple[Problem, ...] = (),
    *,
    group: Group | None = None,
    stale: bool = False,
) -> str:
    """Render the form of a new game with its input and what is wrong with it."""
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
    """Return the version that a form was made for, or the current one if that was outdated."""
    return str(group.version) if stale else form.get("version", str(group.version))


def shown_rules(
    form: MultiDict[str, str], problems: Sequence[Problem], names: Sequence[str] = ()
) -> dict[str, Any]:
    """Return rule system, stake and house rules for the form of a game."""
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
    """Return the deviations from the rule system, except for the stake, which every game agrees."""
    return [one for one in deviations(rules) if one.name not in game_forms.SEPARATE_OPTIONS]


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
    """Return the form with the stake of the new rule system, unless another was entered."""
    before = form.get("options_of", "")
    if before == form["preset"] or before not in PRESETS:
        return form
    typed = {term: form.get(term, "") for term in game_forms.STAKE}
    return MultiDict({**form, **_stake(form["preset"])}) if typed == _stake(before) else form


# ---- what else can be changed --------------------------------------------------------


@pages.get("/g/<game_id>/more")
def more(game_id: str) -> str:
    """Show the page with title, players, end, names, rules and history."""
    return more_page(game_or_404(game_id))


def more_page(game: Game, faults: dict[str, str] | None = None) -> str:
    """Render that page."""
    return page("more.html", game=game, faults=faults or {}, form=request.form)


@pages.get("/g/<game_id>/rules")
def rules(game_id: str) -> str:
    """Show the rules of this table in words, deviations first."""
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
    """Change title and place."""
    words = {name: request.form.get(name, "") for name in ("title", "place")}
    return _make_change(
        game_id,
        "title",
        lambda version, key: games.change_details(
            ledger(), game_id, load(DetailsSchema(), words), expect=version, key=key
        ),
    )


@pages.post("/g/<game_id>/players")
def join(game_id: str) -> Answer:
    """Add a player."""
    name = {"name": request.form.get("name", "")}
    return _make_change(
        game_id,
        "name",
        lambda version, key: games.add_player(
            ledger(), game_id, load(PlayerSchema(), name)["name"], expect=version, key=key
        ),
    )


@pages.post("/g/<game_id>/end")
def end(game_id: str) -> Answer:
    """End the game."""
    return _make_change(
        game_id,
        "end",
        lambda version, key: games.end_game(ledger(), game_id, expect=version, key=key),
    )


@pages.post("/g/<game_id>/reopen")
def reopen(game_id: str) -> Answer:
    """Reopen the game."""
    return _make_change(
        game_id,
        "end",
        lambda version, key: games.reopen_game(ledger(), game_id, expect=version, key=key),
    )


def _make_change(game_id: str, field: str, change: Callable[[int, str], Game]) -> Answer:
    """Make a change and return to the board, or show at the field why it was refused."""
    key, version = form_key(), form_version()
    try:
        stale = was_stale(lambda: change(version, key))
    except RuleError as error:
        game = game_or_404(game_id)
        words = language().problem(error.problems[0], game.players)
        return more_page(game, {field: words}), 422
    notice = "stale" if stale else None
    return redirect(url_for("pages.board", game_id=game_id, notice=notice), 303)
