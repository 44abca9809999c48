"""The form of a new game, and the settings of a game."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from flask import abort, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.changes import MOST_SEATS, NewGame, check_new_players
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.rules import DRAW, GROUPS, OPTIONS, RuleSet
from scorekeeper.domain.rules.presets import PRESETS, Deviation, deviations, remarks
from scorekeeper.i18n import Language
from scorekeeper.services import games
from scorekeeper.services.rematch import seats_of
from scorekeeper.store.writes import Write
from scorekeeper.web import context, paper
from scorekeeper.web.accept_language import accepted_languages
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.pages.blueprint import (
    Answer,
    faults_of,
    form_key,
    game_or_404,
    handle_press,
    page,
    pages,
)
from scorekeeper.web.pages.new_game import fields as game_forms
from scorekeeper.web.pages.new_game import key_rules, seats, stakes, systems
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wire.rounds import MAX_PLAYERS
from scorekeeper.wire.schemas import DetailsSchema, NewGameSchema, PlayerSchema
from scorekeeper.wire.strict import load
from scorekeeper.wording.systems import terms_in_words
from scorekeeper.wording.terms import LIMIT, STAKE, rule_or_limit, stake_sentences


def leaders(game: Game) -> str:
    """Return the names of the leaders; empty before the first round."""
    return language().all_of(game.sides[side] for side in game.sheet.leaders)


# ---- a new game ----------------------------------------------------------------------


@pages.route("/new", methods=["GET", "POST"])
def new() -> Answer:
    """Begin a game: rule system, players in seat order, stake, house rules."""
    if request.method != "POST":
        form = first_form()
        return new_page(form, seats.rows([], _rules_in(form)))
    return process_form(_start)


def process_form(
    start: Callable[[MultiDict[str, str], list[str]], Answer], group: Group | None = None
) -> Answer:
    """Process the form of a new game; ``start`` begins it."""
    form: MultiDict[str, str] = request.form
    names = form.getlist("name")[:MAX_PLAYERS]
    if not names:
        names = ["", ""]
    do, _, which = form.get("do", "").partition(":")
    if do in ("again", "rematch"):
        before = _own_game(which)
        filled, names = form_again(before, before.players)
        if do == "again":
            return new_page(filled, names)
        return submit(MultiDict({**filled, **form, "do": do}), names, start)
    names = seats.moved(names, do, which)
    if do == "usual":
        form = game_forms.with_usual(form, which)
    if do in ("teams", "players"):
        form = MultiDict({**form, "teams" if do == "teams" else "players.max": which})
    form = seats.with_three(form)
    if do in ("start", "card"):
        return submit(form, names, start, group)
    names = seats.rows(names, _rules_in(form), form.get("options_of", ""))
    problems = _at_rows(problems_of(form, seats.filled(names)), names) if "tried" in form else ()
    return new_page(form, names, problems, group=group)


def submit(
    form: MultiDict[str, str],
    rows: list[str],
    start: Callable[[MultiDict[str, str], list[str]], Answer],
    group: Group | None = None,
) -> Answer:
    """Begin the game or print its rules card; if it is refused, show all that is wrong."""
    dealer, names = game_forms.seated(form, rows)
    form = MultiDict({**form, **dealer})
    try:
        if form["do"] == "card":
            return card(load(NewGameSchema(), game_forms.new_game_body(form, ["–"])))
        return start(form, names)
    except RuleError as error:
        problems = error.problems if form["do"] == "card" else problems_of(form, names)
        names += [""] * (len(rows) - len(names))
        return new_page(form, names, problems or error.problems, group=group), 422


def problems_of(form: MultiDict[str, str], names: list[str]) -> tuple[Problem, ...]:
    """Return everything that keeps the game from beginning, the players first."""
    preset_name = form.get("preset", "")
    found: list[Problem] = []
    if preset_name in PRESETS:
        rules = game_forms.rules_so_far(preset_name, game_forms.chosen_options(form))
        found += found_by(lambda: check_new_players(rules, tuple(names)))
    places = {problem.path for problem in found}
    body = game_forms.new_game_body(form, names)
    others = found_by(lambda: load(NewGameSchema(), body))
    return (*found, *(problem for problem in others if problem.path not in places))


def found_by(check: Callable[[], object]) -> tuple[Problem, ...]:
    """Return the problems that a check finds."""
    try:
        check()
    except RuleError as error:
        return error.problems
    return ()


def _at_rows(problems: Sequence[Problem], names: Sequence[str]) -> tuple[Problem, ...]:
    """Return problems with the rows of the form in place of seats; empty rows are no seats."""
    rows = [row for row, name in enumerate(names) if name.strip()]

    def at_row(problem: Problem) -> Problem:
        match problem.path:
            case ("players", int(seat), *rest):
                return replace(problem, path=("players", rows[seat], *rest))
        return problem

    return tuple(map(at_row, problems))


def _rules_in(form: MultiDict[str, str]) -> RuleSet:
    """Return the rules in a form so far; those of the usual system without a valid one."""
    chosen = form.get("preset", "")
    name = chosen if chosen in PRESETS else game_forms.FIRST_PRESET
    return game_forms.rules_so_far(name, game_forms.chosen_options(form))


def card(new_game: NewGame) -> Response:
    """Return the rules card for the rules in the form."""
    return paper.rules_card(new_game.rules, language(), new_game.title).response("inline")


@limit_creation
def _start(form: MultiDict[str, str], names: list[str]) -> Answer:
    opened = games.create_game(
        ledger(),
        load(NewGameSchema(), game_forms.new_game_body(form, names)),
        key=form_key(),
        browser=context.new_browser(),
    )
    if not opened.pen:  # sent twice
        return redirect(url_for("pages.board", game_id=opened.game.id), 303)
    begun = None if opened.game.drawn_dealer is None else "yes"
    return redirect(url_for("pages.board", game_id=opened.game.id, begun=begun), 303)


def _own_game(game_id: str) -> Game:
    """Return an earlier game that the form offers; 404 for any other."""
    offered = (game for game in systems.evenings_before() if game.id == game_id)
    return next(offered, None) or abort(404)


def _tables_before() -> list[tuple[Game, list[str]]]:
    """Return the earlier games that the form offers, with those who would play again."""
    before = systems.evenings_before()
    return [
        (game, form_again(game, game.with_stand_ins(language().seat).players)[1]) for game in before
    ]


def _players_before() -> list[str]:
    """Return the players of the last evenings of this browser, latest first."""
    return [name for game in systems.evenings_before() for name in game.players if name]


def form_of(rules: RuleSet, place: str) -> MultiDict[str, str]:
    """Return form fields with the rules, stake and place of a game."""
    found = _written(_deviations(rules))
    options = {name: _shown(rules, name) for name in found}
    for name in filter(rules.applies, game_forms.IMPLIED_OPTIONS):
        brought, value = game_forms.implied_text(rules, name, found), _shown(rules, name)
        if brought != value:
            options |= {name: value, game_forms.IMPLIED_PREFIX + name: brought}
    options["first_dealer"] = _shown(rules, game_forms.FIRST_DEALER)
    about = {"preset": rules.preset, "options_of": rules.preset, "place": place}
    return MultiDict({**about, **options, **stakes.agreed_stake(rules, _unit())})


def form_again(game: Game, players: Sequence[str | None]) -> tuple[MultiDict[str, str], list[str]]:
    """Return form and names of another game at the same table; ``players`` are those of the seats.

    A player that is None, or has left, is not asked again.
    """
    asked = {seat for seat, player in enumerate(players) if player is not None}
    seats = [seat for seat in seats_of(game) if seat in asked]
    form, first = form_of(game.rules, game.place), game.rules.deal.first_dealer
    if first != DRAW:
        form["first_dealer"] = str(seats.index(first) if first in seats else 0)
    return form, [players[seat] or "" for seat in seats]


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
    sides = seats.ways_to_sit(shown["rules"], names, language())
    if sides:  # they say how many play
        shown["groups"] = [
            (group, [one for one in options if not one.name.startswith("players.")])
            for group, options in shown["groups"]
        ]
    return page(
        "new.html",
        **shown,
        names=names,
        most=shown["rules"].players.max if sides else MAX_PLAYERS,
        sides=sides,
        remedy=game_forms.remedy(shown["rules"], seats.filled(names), language())
        if "players" in shown["faults"]
        else None,
        entered=form.get("do") == "enter",
        asked=request.method != "POST" or form.get("do") == "enter",
        focus=names.index("") if "" in names else None,
        ordered=form.get("order") == "yes" or bool(form.get("first_dealer", "0").strip("0")),
        tried=bool(problems) or "tried" in form,
        before=_tables_before() if request.method != "POST" and not group else [],
        group=group,
        known=seats.known(group.active if group else _players_before(), names),
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
    options = game_forms.chosen_options(form)
    rules, first = game_forms.rules_so_far(form["preset"], options), key_rules.KEY_RULES
    words = game_forms.player_sentences(form, rules, seats.filled(names), language())
    faults = faults_of(problems, game_forms.new_game_field, names, words)
    wrong_rules = faults.keys() & OPTIONS.keys()
    do = form.get("do", "").partition(":")[0]
    form = stakes.with_usual_stake(game_forms.with_split_amount(form), _unit())
    return {
        "form": form,
        "rules": rules,
        "key_rules": key_rules.key_rules(rules, form, options, language()),
        "groups": game_forms.option_groups(rules, form, language(), first[rules.family]),
        "deviations": [(one.name, *language().deviation(one)) for one in house_rules(rules)],
        "remarks": [language().problem(remark) for remark in remarks(rules)],
        "faults": faults,
        "hundred": stakes.hundred_points(form, language()),
        "units": stakes.units_offered(form["preset"], _unit()),
        "rules_open": do in ("rules", "usual") or bool(wrong_rules),
        "unfolded": do == "rules" or bool(wrong_rules - set(first[rules.family])),
    }


def house_rules(rules: RuleSet) -> list[Deviation]:
    """Return the house rules that players chose: none that follows from another one."""
    found = _deviations(rules)
    options = _written(found)
    return [
        one
        for one in found
        if one.name not in game_forms.IMPLIED_OPTIONS
        or game_forms.implied_text(rules, one.name, options) != _shown(rules, one.name)
    ]


def _deviations(rules: RuleSet) -> list[Deviation]:
    """Return the deviations from the rule system, except for the stake, which every game agrees."""
    return [
        deviation
        for deviation in deviations(rules)
        if deviation.name not in game_forms.SEPARATE_OPTIONS
    ]


def _written(found: Sequence[Deviation]) -> dict[str, object]:
    return {one.name: OPTIONS[one.name].kind.write(one.value) for one in found}


def _shown(rules: RuleSet, name: str) -> str:
    return game_forms.option_text(OPTIONS[name].kind, rules[name])


def first_form() -> MultiDict[str, str]:
    """Return the form as it is opened: the rule system played last on this phone, or the usual one.

    An address may name another: ``/new?preset=gin-palast``.
    """
    last = next(iter(systems.evenings_before()), None)
    first = language().usual_presets[0]
    usual = request.args.get("preset") or (last.rules.preset if last else first)
    name = usual if usual in PRESETS else first
    return MultiDict({"preset": name, "options_of": name, **stakes.usual_stake(name, _unit())})


def _unit() -> str:
    return stakes.usual_unit(accepted_languages(request.headers.get("Accept-Language")))


# ---- settings of a game --------------------------------------------------------------


@pages.get("/g/<game_id>/more")
def more(game_id: str) -> str:
    """Show the page with title, players, end, names, rules and history."""
    return more_page(game_or_404(game_id))


def more_page(game: Game, faults: dict[str, str] | None = None) -> str:
    """Render that page."""
    return page(
        "more.html", game=game, faults=faults or {}, form=request.form, most_seats=MOST_SEATS
    )


@pages.get("/g/<game_id>/rules")
def rules(game_id: str) -> str:
    """Show the rules of this table in words, deviations first."""
    game, lang = game_or_404(game_id), language()
    return page(
        "rules.html",
        game=game,
        terms=terms_in_words(game.rules.preset, lang),
        deviations=[lang.deviation(one) for one in house_rules(game.rules)],
        played=list(_played(game.rules, lang)),
    )


def _played(rules: RuleSet, lang: Language) -> Iterator[tuple[str, list[str]]]:
    """Yield each group of rules with its sentences."""
    names = [name for name in rules.effective_names() if name not in ("family", *LIMIT, *STAKE)]
    for group, parts in GROUPS.items():
        of_group = (name for name in names if name.partition(".")[0] in parts)
        sentences = [rule_or_limit(name, rules, lang) for name in of_group]
        if group == "end":
            stakes = list(stake_sentences(rules, lang))
            sentences += stakes or [lang("play.settle.point_value.none")]
        if sentences:
            yield group, sentences


@pages.post("/g/<game_id>/details")
def details(game_id: str) -> Answer:
    """Change title and place."""
    words = {name: request.form.get(name, "") for name in ("title", "place")}
    return _make_change(
        game_id,
        "title",
        lambda write: games.change_details(
            ledger(), game_id, load(DetailsSchema(), words), write=write
        ),
    )


@pages.post("/g/<game_id>/players")
def join(game_id: str) -> Answer:
    """Add a player, perhaps in the place of one who leaves, or as the third at gin."""
    name, taken = {"name": request.form.get("name", "")}, request.form.get("in_place_of", "")
    return _make_change(
        game_id,
        "name",
        lambda write: games.add_player(
            ledger(),
            game_id,
            load(PlayerSchema(), name)["name"],
            write=write,
            in_place_of=whole_or_none(taken),
            third=taken == "third",
        ),
    )


@pages.post("/g/<game_id>/end", provide_automatic_options=False)
def end(game_id: str) -> Answer:
    """End the game and show its winner."""
    return _make_change(
        game_id,
        "end",
        lambda write: games.end_game(ledger(), game_id, write=write),
        then="pages.evening_end",
    )


@pages.post("/g/<game_id>/reopen")
def reopen(game_id: str) -> Answer:
    """Reopen the game."""
    return _make_change(
        game_id,
        "end",
        lambda write: games.reopen_game(ledger(), game_id, write=write),
    )


def _make_change(
    game_id: str, field: str, change: Callable[[Write], Game], then: str = "pages.board"
) -> Answer:
    """Make a change and go to the next page, or show at the field why it was refused."""
    try:
        return handle_press(game_id, change, then)
    except RuleError as error:
        game = game_or_404(game_id)
        words = language().problem(error.problems[0], game.players)
        return more_page(game, {field: words}), 422
