"""The pages of a group: overview, members, house rules, next evening, adding a game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import abort, redirect, request, url_for
from werkzeug.datastructures import MultiDict

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.services import groups
from scorekeeper.services.bookkeeping import kept, without_result
from scorekeeper.services.renaming import correct_member
from scorekeeper.store.errors import Damaged
from scorekeeper.store.evenings import StoredEvening
from scorekeeper.store.writes import Write
from scorekeeper.web import context
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.pages.blueprint import (
    Answer,
    book_url,
    damage_words,
    form_key,
    form_page,
    form_write,
    game_or_404,
    group_of,
    group_or_404,
    handle_form,
    names_of,
    page,
    pages,
    was_stale,
)
from scorekeeper.web.pages.group.money import open_balances
from scorekeeper.web.pages.group.season import season_now
from scorekeeper.web.pages.new_game import fields as game_forms
from scorekeeper.web.pages.new_game import views as games
from scorekeeper.web.pages.sharing import share_page
from scorekeeper.web.permissions import offers, require_pen
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wire.groups import MAX_MEMBERS, GroupNameSchema, NewGroupSchema
from scorekeeper.wire.rounds import MAX_PLAYERS
from scorekeeper.wire.schemas import NewGameSchema, PlayerSchema
from scorekeeper.wire.strict import StrictSchema, load
from scorekeeper.wording.seasons import evening_title

FIRST_NAMES = 4
MORE_NAMES = 2
MAX_RUNNING = 5
LAST_EVENINGS = 10

LINKS = (
    ("pages.money", "groups.money", "groups.money_line"),
    ("pages.season_table", "season.title", "groups.season_line"),
    ("pages.group_statistics", "season.statistics", "groups.statistics_line"),
    ("pages.members", "groups.members", "groups.members_line"),
    ("pages.tournament", "tournament.title", "tournament.line"),
    ("pages.group_import", "groups.import", "groups.import_line"),
)
PEN_LINKS = (
    ("pages.house", "groups.house", "groups.house_short"),
    ("pages.share", "pages.share", "groups.share_line"),
)
"""The links on the page of a group: endpoint, title, description."""


# ---- a new group ---------------------------------------------------------------------


@pages.route("/groups/new", methods=["GET", "POST"])
def new_group() -> Answer:
    """Found a group."""
    if request.method != "POST":
        return form_page("new_group.html", form={}, names=[""] * FIRST_NAMES)
    names = request.form.getlist("member")[:MAX_MEMBERS]
    if request.form.get("do") == "add":
        more = [""] * min(MORE_NAMES, MAX_MEMBERS - len(names))
        return form_page("new_group.html", form=request.form, names=[*names, *more])
    if request.form.get("do") == "enter":
        return form_page("new_group.html", form=request.form, names=names)
    try:
        return _create(request.form, [name for name in names if name.strip()])
    except RuleError as error:
        filled = [name for name in names if name.strip()] or [""]
        return form_page("new_group.html", error.problems, form=request.form, names=filled), 422


@limit_creation
def _create(form: MultiDict[str, str], names: list[str]) -> Answer:
    members = [{"name": name} for name in names]
    new_group = load(NewGroupSchema(), {"name": form.get("name", ""), "members": members})
    key, browser = form_key(), context.new_browser()
    founded = groups.create_group(ledger(), new_group, key=key, browser=browser)
    if not (founded.pen and offers("pages.share")):  # sent twice: the first time showed the links
        return redirect(book_url(founded.group), 303)
    return share_page(founded.group, begun=True)


# ---- its page ------------------------------------------------------------------------


@dataclass(frozen=True)
class EveningLine:
    """A finished evening in the list."""

    game: str
    title: str
    players: str
    won: str
    training: bool


@pages.get("/s/<group_id>")
def group(group_id: str) -> str:
    """Show unfinished games, open balances and the last evenings.

    Past evenings come from their stored results, so no game is replayed.
    """
    seat = language().seat
    damaged: list[Damaged] = []
    found = without_result(ledger(), group_id, damaged)
    unfinished = [game.with_stand_ins(seat) for game in found]
    over = ledger().seasons.evenings(group_id, over=True, limit=LAST_EVENINGS)
    group = group_or_404(group_id)  # loaded after the evenings, so that it has all their players
    links = (*LINKS, *(PEN_LINKS if context.right() == "pen" else ()))
    return page(
        "group.html",
        group=group,
        damaged=damage_words(damaged),
        running=[game for game in unfinished if not game.thrown_away_at][:MAX_RUNNING],
        thrown=[game for game in unfinished if game.thrown_away_at and not game.discarded],
        leaders=games.leaders,
        evenings=past_evenings(group, over),
        open_balances=open_balances(group),
        season=season_now(group),
        links=[link for link in links if offers(link[0]) and _leads_somewhere(link[0], group)],
    )


def _leads_somewhere(endpoint: str, group: Group) -> bool:
    """Return whether there is a page: watchers find no tournament before it is planned."""
    return endpoint != "pages.tournament" or bool(group.tournament) or context.right() == "pen"


def past_evenings(group: Group, stored: Sequence[StoredEvening]) -> list[EveningLine]:
    """Return past evenings in words."""
    titles = ledger().names.words_of([one.game for one in stored], "title")
    lang, names = language(), names_of(group)
    several = len({one.evening.preset for one in stored}) > 1
    words = [
        evening_title(titles.get(one.game, ""), one.began, one.evening.preset * several, lang)
        for one in stored
    ]
    return [_past_evening(one, title, names) for one, title in zip(stored, words, strict=True)]


def _past_evening(stored: StoredEvening, title: str, names: tuple[str, ...]) -> EveningLine:
    lang, members = language(), stored.seating.members
    won = [names[members[result.seat]] for result in stored.evening.results if result.victory]
    return EveningLine(
        game=stored.game,
        title=title,
        players=lang.all_of(names[member] for member in members),
        won=lang("groups.won", n=len(won), players=lang.all_of(won)) if won else "",
        training=stored.seating.training,
    )


# ---- the next evening ----------------------------------------------------------------


@pages.route("/s/<group_id>/new", methods=["GET", "POST"])
def new_evening(group_id: str) -> Answer:
    """Begin the next evening; the form starts with the players, rules and stake of the last one."""
    group = group_or_404(group_id)
    if request.method != "POST":
        return games.new_page(*next_evening(group), group=group)
    if request.form.get("do") == "repeat":
        form, names = next_evening(group)
        form = MultiDict({**form, **request.form})
        return games.submit(form, names, lambda form, names: _begin(group, form, names), group)
    return games.process_form(lambda form, names: _begin(group, form, names), group)


def next_evening(group: Group) -> tuple[MultiDict[str, str], list[str]]:
    """Return form and names of the next evening: those of the last one, with the house rules."""
    last, active = _last_evening(group), group.active
    played = [group.players[member] for member in last.seating.members] if last else active
    names = [name for name in played if name in active]
    if not last and len(names) > MAX_PLAYERS:
        names = ["", "", "", ""]
    again, place = None, ""
    if before := next(ledger().readable(Game, [last.game]), None) if last else None:
        asked = [name if name in active else None for name in played]
        (again, names), place = games.form_again(before, asked), before.place
    if group.house:
        return games.form_of(group.house, place), names
    return again or games.first_form(), names


def _last_evening(group: Group) -> StoredEvening | None:
    """Return the last evening; of several on one day, the one added to the group last."""
    latest = kept(ledger(), ledger().seasons.evenings(group.id, limit=LAST_EVENINGS))
    order = {game: place for place, game in enumerate(group.evenings)}
    return max(latest, key=lambda one: (one.day, order.get(one.game, -1)), default=None)


def _begin(group: Group, form: MultiDict[str, str], names: list[str]) -> Answer:
    write = form_write()
    new_game = load(NewGameSchema(), game_forms.new_game_body(form, names))
    begun: list[Game] = []

    def change() -> None:
        training = form.get("training") == "yes"
        game = groups.open_evening(ledger(), group.id, new_game, training=training, write=write)
        begun.append(game)

    if was_stale(change):
        fresh = group_or_404(group.id)
        return games.new_page(form, names, group=fresh, stale=True), 409
    shows_draw = None if begun[0].drawn_dealer is None else "yes"
    return redirect(url_for("pages.board", game_id=begun[0].id, begun=shows_draw), 303)


# ---- members, name, house rules ------------------------------------------------------


@pages.route("/s/<group_id>/members", methods=["GET", "POST"])
def members(group_id: str) -> Answer:
    """Show the members, or add one."""
    if request.method != "POST":
        return members_page(group_id)
    return handle_form(
        lambda write: groups.add_member(ledger(), group_id, _typed(PlayerSchema()), write=write),
        url_for("pages.members", group_id=group_id),
        lambda **wrong: members_page(group_id, name=request.form.get("name", ""), **wrong),
    )


@pages.route("/s/<group_id>/name", methods=["GET", "POST"])
def rename_group(group_id: str) -> Answer:
    """Rename the group."""

    def shown(**wrong: Any) -> str:
        group = group_or_404(group_id)
        typed = request.form.get("name", group.name)
        return form_page("group_name.html", group=group, name=typed, **wrong)

    if request.method != "POST":
        return shown()
    return handle_form(
        lambda write: groups.rename_group(
            ledger(), group_id, _typed(GroupNameSchema()), write=write
        ),
        url_for("pages.members", group_id=group_id),
        shown,
    )


def members_page(group_id: str, problems: Sequence[Problem] = (), **shown: Any) -> str:
    """Render the members with the form for a new one."""
    group = group_or_404(group_id)
    return form_page("members.html", at_name_field(problems), group=group, **shown)


def at_name_field(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems with the path of the only field in the form."""
    return [replace(problem, path=("name",)) for problem in problems]


def _typed(schema: StrictSchema) -> str:
    return str(load(schema, {"name": request.form.get("name", "")})["name"])


@pages.route("/s/<group_id>/members/<int:member>", methods=["GET", "POST"])
def rename_member(group_id: str, member: int) -> Answer:
    """Rename a member, here or everywhere."""
    if request.method != "POST":
        return member_page(group_id, member)
    rename = correct_member if request.form.get("everywhere") == "yes" else groups.rename_member
    return handle_form(
        lambda write: rename(ledger(), group_id, member, _typed(PlayerSchema()), write=write),
        url_for("pages.members", group_id=group_id),
        lambda **wrong: member_page(group_id, member, name=request.form.get("name", ""), **wrong),
    )


@pages.post("/s/<group_id>/members/<int:member>/retire")
def retire_member(group_id: str, member: int) -> Answer:
    """Retire a member, or let one come back."""
    retired = request.form.get("retired") == "yes"
    return handle_form(
        lambda write: groups.retire_member(ledger(), group_id, member, retired, write=write),
        url_for("pages.members", group_id=group_id),
        lambda **wrong: member_page(group_id, member, **wrong),
    )


@pages.route("/s/<group_id>/members/<int:member>/erase", methods=["GET", "POST"])
def erase_member(group_id: str, member: int) -> Answer:
    """Erase a member's name, after a confirmation because it cannot be restored."""
    if request.method != "POST":
        return member_page(group_id, member, erase=True)
    return handle_form(
        lambda write: groups.erase_member(ledger(), group_id, member, write=write),
        url_for("pages.members", group_id=group_id),
        lambda **wrong: member_page(group_id, member, erase=True, **wrong),
    )


def member_page(group_id: str, member: int, problems: Sequence[Problem] = (), **shown: Any) -> str:
    """Render the forms of a member; 404 if there is none."""
    group = group_or_404(group_id)
    if member >= group.members:
        abort(404)
    fields = {"name": group.players[member], **shown}
    return form_page(
        "edit_member.html", at_name_field(problems), group=group, member=member, **fields
    )


@pages.route("/s/<group_id>/house", methods=["GET", "POST"])
def house(group_id: str) -> Answer:
    """Show or set the rules and stake with which every evening of the group begins."""
    group = group_or_404(group_id)
    if request.method != "POST":
        return house_page(group, next_evening(group)[0])
    form: MultiDict[str, str] = request.form
    do, _, which = form.get("do", "").partition(":")
    if do == "usual":
        form = game_forms.with_usual(form, which)
    if do not in ("save", "card"):
        return house_page(group, form)
    try:
        new_game = load(NewGameSchema(), game_forms.new_game_body(form, ["–"]))
    except RuleError as error:
        return house_page(group, form, error.problems), 422
    if form["do"] == "card":
        return games.card(new_game)
    return handle_form(
        lambda write: groups.keep_house_rules(ledger(), group_id, new_game.rules, write=write),
        url_for("pages.group", group_id=group_id),
        lambda **wrong: house_page(group_or_404(group_id), form, **wrong),
    )


def house_page(
    group: Group,
    form: MultiDict[str, str],
    problems: Sequence[Problem] = (),
    *,
    stale: bool = False,
) -> str:
    """Render the form of the house rules."""
    return page(
        "group_rules.html",
        group=group,
        version=games.expected_version(form, group, stale),
        stale=stale,
        **games.shown_rules(form, problems),
    )


# ---- adding a game to a group --------------------------------------------------------


@pages.route("/g/<game_id>/group", methods=["GET", "POST"])
def game_group(game_id: str) -> Answer:
    """Add a game to a group, change its seating, or remove it."""
    game = game_or_404(game_id)
    if request.method != "POST":
        return game_group_page(game, request.args.get("group", ""))
    group_id, do = request.form.get("group", ""), request.form.get("do")
    if do not in ("admit", "release") or group_id not in dict(writable_groups()):
        abort(404)
    require_pen(group_id)
    change = _admit if do == "admit" else _release
    return handle_form(
        lambda write: change(game, group_id, write),
        url_for("pages.group", group_id=group_id),
        lambda **wrong: game_group_page(game, group_id, form=request.form, **wrong),
    )


def _admit(game: Game, group_id: str, write: Write) -> None:
    seats = range(game.sheet.seats)
    seated = [whole_or_none(request.form.get(f"seat-{seat}", "")) for seat in seats]
    training = request.form.get("training") == "yes" or game.rules.gin.training
    groups.admit_game(ledger(), group_id, game.id, members=seated, training=training, write=write)


def _release(game: Game, group_id: str, write: Write) -> None:
    browser = context.browser()
    groups.release_game(ledger(), group_id, game.id, write=write, browser=browser)


def writable_groups() -> list[tuple[str, str]]:
    """Return the groups that this browser holds the pen of, with their names."""
    browser = context.browser()
    groups_held = ledger().rights.books_of(browser, "group") if browser else []
    held = [group_id for group_id, right in groups_held if right == "pen"]
    names = ledger().names.words_of(held, "name")
    return [(group_id, names.get(group_id, "")) for group_id in held]


def game_group_page(
    game: Game, group_id: str = "", form: MultiDict[str, str] | None = None, **wrong: Any
) -> str:
    """Render the choice of the group, then of its members by seat."""
    groups_held, current = writable_groups(), group_of(game)
    if current:
        group_id = current.id
    elif len(groups_held) == 1:
        group_id = groups_held[0][0]
    if group_id and group_id not in dict(groups_held):
        abort(404)
    group = group_or_404(group_id) if group_id else None
    place = group.evenings.get(game.id) if group else None
    seated = place.members if place else _by_name(game, group) if group else ()
    return form_page(
        "game_group.html",
        game=game,
        groups=groups_held,
        group=group,
        chosen=[
            form.get(f"seat-{seat}", "") if form else "" if member is None else str(member)
            for seat, member in enumerate(seated)
        ],
        training=form.get("training") == "yes" if form else bool(place and place.training),
        inside=place is not None,
        **wrong,
    )


def _by_name(game: Game, group: Group) -> tuple[int | None, ...]:
    """Return the members with the players' names, where there are any."""
    players = group.players
    return tuple(players.index(name) if name and name in players else None for name in game.players)
