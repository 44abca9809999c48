"""A group's pages: its own, its members and house rules, the next evening, a game put in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import abort, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.services import groups
from scorekeeper.store.evenings import Kept
from scorekeeper.web import context
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages import forms, game_forms, games
from scorekeeper.web.pages.blueprint import (
    address_of,
    answered,
    changed_meanwhile,
    form_key,
    form_page,
    form_version,
    game_or_404,
    group_of,
    group_or_404,
    names_of,
    page,
    pages,
)
from scorekeeper.web.pages.money import accounts
from scorekeeper.web.pages.season import season_now
from scorekeeper.web.pages.sharing import share_page
from scorekeeper.web.permissions import demand_pen
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wire.schemas import (
    MOST_MEMBERS,
    MOST_PLAYERS,
    GroupNameSchema,
    NewGameSchema,
    NewGroupSchema,
    PlayerSchema,
)
from scorekeeper.wire.strict import Strict, load

Answer = str | tuple[str, int] | Response
FIRST_NAMES = 4
MORE_NAMES = 2
MOST_RUNNING = 5
LAST_EVENINGS = 10

ABOUT = (
    ("pages.money", "groups.money", "groups.money_line"),
    ("pages.season_table", "season.title", "groups.season_line"),
    ("pages.group_statistics", "season.statistics", "groups.statistics_line"),
    ("pages.members", "groups.members", "groups.members_line"),
    ("pages.group_in", "groups.in", "groups.in_line"),
)
FOR_THE_PEN = (
    ("pages.house", "groups.house", "groups.house_short"),
    ("pages.share", "pages.share", "groups.share_line"),
)
"""Where the page of a group leads: address, title, what is there."""


# ---- a new group ---------------------------------------------------------------------


@pages.route("/groups/new", methods=["GET", "POST"])
def new_group() -> Answer:
    """Found a group: what it is called and who belongs to it."""
    if request.method != "POST":
        return form_page("new_group.html", form={}, names=[""] * FIRST_NAMES)
    names = request.form.getlist("member")[:MOST_MEMBERS]
    if request.form.get("do") == "add":
        more = [""] * min(MORE_NAMES, MOST_MEMBERS - len(names))
        return form_page("new_group.html", form=request.form, names=[*names, *more])
    try:
        return _found(request.form, [name for name in names if name.strip()])
    except RuleError as error:
        said = [name for name in names if name.strip()] or [""]
        return form_page("new_group.html", error.problems, form=request.form, names=said), 422


@limit_creation
def _found(form: MultiDict[str, str], names: list[str]) -> Answer:
    members = [{"name": name} for name in names]
    order = load(NewGroupSchema(), {"name": form.get("name", ""), "members": members})
    key, browser = form_key(), context.new_browser()
    found = groups.found_group(ledger(), order, key=key, browser=browser)
    if not found.pen:  # sent twice: the secrets were shown the first time
        return redirect(address_of(found.group), 303)
    return share_page(found.group, {"pen": found.pen, "watch": found.watch}, begun=True)


# ---- its page ------------------------------------------------------------------------


@dataclass(frozen=True)
class Past:
    """An evening in the list of the last ones."""

    game: str
    title: str
    players: str
    won: str
    training: bool


@pages.get("/s/<group_id>")
def group(group_id: str) -> str:
    """What goes on, who owes, the last evenings; the next one is two presses away.

    Evenings that are over come from what is kept of them: no game is replayed.
    """
    running = [game_or_404(game_id) for game_id in ledger().seasons.running(group_id, MOST_RUNNING)]
    over = ledger().seasons.evenings(group_id, over=True, most=LAST_EVENINGS)
    group = group_or_404(group_id)  # after its evenings: it knows all who played in them
    return page(
        "group.html",
        group=group,
        running=running,
        leaders=games.leaders,
        evenings=in_words(group, over),
        accounts=accounts(group),
        season=season_now(group),
        links=[*ABOUT, *(FOR_THE_PEN if context.right() == "pen" else ())],
    )


def in_words(group: Group, kept: Sequence[Kept]) -> list[Past]:
    """Evenings that are over, in words."""
    titles = ledger().names.words_of([one.game for one in kept], "title")
    names = names_of(group)
    return [_past(one, titles.get(one.game, ""), names) for one in kept]


def _past(kept: Kept, title: str, names: tuple[str, ...]) -> Past:
    lang, members = language(), kept.seating.members
    won = [names[members[one.seat]] for one in kept.evening.results if one.victory]
    return Past(
        game=kept.game,
        title=title or lang("pages.untitled", date=lang.day(kept.day)),
        players=lang.all_of(names[member] for member in members),
        won=lang("groups.won", n=len(won), players=lang.all_of(won)) if won else "",
        training=kept.seating.training,
    )


# ---- the next evening ----------------------------------------------------------------


@pages.route("/s/<group_id>/new", methods=["GET", "POST"])
def new_evening(group_id: str) -> Answer:
    """The next evening as the last one was: same players, rules and stake, all to be changed."""
    group = group_or_404(group_id)
    if request.method != "POST":
        last = _last_time(group)
        return games.new_page(_form_as(group, last), _names_as(group, last), group=group)
    return games.filled_in(lambda form, names: _begin(group, form, names), group)


def _last_time(group: Group) -> Kept | None:
    """The last evening; of several on one day the one that came to the group last."""
    latest = ledger().seasons.evenings(group.id, most=LAST_EVENINGS)
    order = {game: place for place, game in enumerate(group.evenings)}
    return max(latest, key=lambda one: (one.day, order.get(one.game, -1)), default=None)


def _form_as(group: Group, last: Kept | None) -> MultiDict[str, str]:
    """House rules win over what was played last."""
    before = ledger().game(last.game) if last else None
    place = before.place if before else ""
    rules = group.house or (before.rules if before else None)
    return games.form_of(rules, place) if rules else games.first_form()


def _names_as(group: Group, last: Kept | None) -> list[str]:
    members = last.seating.members if last else range(group.members)
    names = [group.players[member] for member in members if group.players[member]]
    return names if last or len(names) <= MOST_PLAYERS else ["", "", "", ""]


def _begin(group: Group, form: MultiDict[str, str], names: list[str]) -> Answer:
    key, version = form_key(), form_version()
    order = load(NewGameSchema(), game_forms.new_game_body(form, names))
    begun: list[Game] = []

    def change() -> None:
        training = form.get("training") == "yes"
        game = groups.open_evening(
            ledger(), group.id, order, training=training, expect=version, key=key
        )
        begun.append(game)

    if changed_meanwhile(change):
        fresh = group_or_404(group.id)
        return games.new_page(form, names, group=fresh, stale=True), 409
    shows_draw = None if begun[0].drawn_dealer is None else "yes"
    return redirect(url_for("pages.board", game_id=begun[0].id, begun=shows_draw), 303)


# ---- members, name, house rules ------------------------------------------------------


@pages.route("/s/<group_id>/members", methods=["GET", "POST"])
def members(group_id: str) -> Answer:
    """Who belongs to it; one more."""
    if request.method != "POST":
        return members_page(group_id)
    return answered(
        lambda version, key: groups.add_member(
            ledger(), group_id, _typed(PlayerSchema()), expect=version, key=key
        ),
        url_for("pages.members", group_id=group_id),
        lambda **wrong: members_page(group_id, name=request.form.get("name", ""), **wrong),
    )


@pages.route("/s/<group_id>/name", methods=["GET", "POST"])
def rename_group(group_id: str) -> Answer:
    """Another name for the group."""

    def shown(**wrong: Any) -> str:
        group = group_or_404(group_id)
        typed = request.form.get("name", group.name)
        return form_page("group_name.html", group=group, name=typed, **wrong)

    if request.method != "POST":
        return shown()
    return answered(
        lambda version, key: groups.rename_group(
            ledger(), group_id, _typed(GroupNameSchema()), expect=version, key=key
        ),
        url_for("pages.members", group_id=group_id),
        shown,
    )


def members_page(group_id: str, problems: Sequence[Problem] = (), **shown: Any) -> str:
    """The members, with what was typed and what is wrong with it."""
    group = group_or_404(group_id)
    return form_page("members.html", of_the_name(problems), group=group, **shown)


def of_the_name(problems: Sequence[Problem]) -> list[Problem]:
    """Findings about the one field that such a form has."""
    return [replace(found, path=("name",)) for found in problems]


def _typed(schema: Strict) -> str:
    return str(load(schema, {"name": request.form.get("name", "")})["name"])


@pages.route("/s/<group_id>/members/<int:member>", methods=["GET", "POST"])
def rename_member(group_id: str, member: int) -> Answer:
    """Another name for a member, from now on."""
    if request.method != "POST":
        return member_page(group_id, member)
    return answered(
        lambda version, key: groups.rename_member(
            ledger(), group_id, member, _typed(PlayerSchema()), expect=version, key=key
        ),
        url_for("pages.members", group_id=group_id),
        lambda **wrong: member_page(group_id, member, name=request.form.get("name", ""), **wrong),
    )


@pages.route("/s/<group_id>/members/<int:member>/erase", methods=["GET", "POST"])
def erase_member(group_id: str, member: int) -> Answer:
    """Take a name off the disk: asked once, since nothing brings it back."""
    if request.method != "POST":
        return member_page(group_id, member, erase=True)
    return answered(
        lambda version, key: groups.erase_member(
            ledger(), group_id, member, expect=version, key=key
        ),
        url_for("pages.members", group_id=group_id),
        lambda **wrong: member_page(group_id, member, erase=True, **wrong),
    )


def member_page(group_id: str, member: int, problems: Sequence[Problem] = (), **shown: Any) -> str:
    """What can be changed about a member; 404 if there is none."""
    group = group_or_404(group_id)
    if member >= group.members:
        abort(404)
    known = {"name": group.players[member], **shown}
    return form_page("one_member.html", of_the_name(problems), group=group, member=member, **known)


@pages.route("/s/<group_id>/house", methods=["GET", "POST"])
def house(group_id: str) -> Answer:
    """The rules and the stake that every evening of the group begins with."""
    group = group_or_404(group_id)
    if request.method != "POST":
        last = _last_time(group)
        return house_page(group, _form_as(group, last))
    form = request.form
    if form.get("do") not in ("save", "card"):
        return house_page(group, form)
    try:
        order = load(NewGameSchema(), game_forms.new_game_body(form, ["–"]))
    except RuleError as error:
        return house_page(group, form, error.problems), 422
    if form["do"] == "card":
        return games.card(order)
    return answered(
        lambda version, key: groups.keep_house_rules(
            ledger(), group_id, order.rules, expect=version, key=key
        ),
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
    """The form of the house rules, as it was filled in."""
    return page(
        "house.html",
        group=group,
        version=games.expected_version(form, group, stale),
        stale=stale,
        **games.shown_rules(form, problems),
    )


# ---- a game put into a group ---------------------------------------------------------


@pages.route("/g/<game_id>/group", methods=["GET", "POST"])
def game_group(game_id: str) -> Answer:
    """Put a game into a group, say who was who and whether it counts; take it out again."""
    game = game_or_404(game_id)
    if request.method != "POST":
        return game_group_page(game, request.args.get("group", ""))
    group_id, do = request.form.get("group", ""), request.form.get("do")
    if do not in ("admit", "release") or group_id not in dict(groups_in_hand()):
        abort(404)
    demand_pen(group_id)
    change = _admit if do == "admit" else _release
    return answered(
        lambda version, key: change(game, group_id, expect=version, key=key),
        url_for("pages.group", group_id=group_id),
        lambda **wrong: game_group_page(game, group_id, form=request.form, **wrong),
    )


def _admit(game: Game, group_id: str, *, expect: int, key: str) -> None:
    chosen = [request.form.get(f"seat-{seat}", "") for seat in range(game.sheet.seats)]
    seated = [one if isinstance(one, int) else None for one in map(forms.whole, chosen)]
    training = request.form.get("training") == "yes" or game.rules.gin.training
    groups.admit_game(
        ledger(), group_id, game.id, members=seated, training=training, expect=expect, key=key
    )


def _release(game: Game, group_id: str, *, expect: int, key: str) -> None:
    browser = context.browser()
    groups.release_game(ledger(), group_id, game.id, expect=expect, key=key, browser=browser)


def groups_in_hand() -> list[tuple[str, str]]:
    """The groups that this browser holds the pen of, with their names."""
    browser = context.browser()
    known = ledger().rights.books_of(browser, "group") if browser else []
    held = [group_id for group_id, right in known if right == "pen"]
    names = ledger().names.words_of(held, "name")
    return [(group_id, names.get(group_id, "")) for group_id in held]


def game_group_page(
    game: Game, group_id: str = "", form: MultiDict[str, str] | None = None, **wrong: Any
) -> str:
    """Which group, then who of it sat where."""
    known, home = groups_in_hand(), group_of(game)
    if home:
        group_id = home.id
    elif len(known) == 1:
        group_id = known[0][0]
    if group_id and group_id not in dict(known):
        abort(404)
    group = group_or_404(group_id) if group_id else None
    place = group.evenings.get(game.id) if group else None
    seated = place.members if place else _by_name(game, group) if group else ()
    return form_page(
        "game_group.html",
        game=game,
        groups=known,
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
    """The member of a player's name, where there is one."""
    players = group.players
    return tuple(players.index(name) if name and name in players else None for name in game.players)
