"""A group is exported and imported with all its evenings, without loss or not at all."""

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import date
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import short
from forged_exports import sealed, whole_club
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import games, groups, imports
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.services.exports import group_lines
from scorekeeper.services.games import replace_secret
from scorekeeper.services.import_checks import NETWORK, Bounds
from scorekeeper.services.imported_groups import GROUP
from scorekeeper.services.imported_tournaments import TOURNAMENT
from scorekeeper.store import AlreadyExists, BadExport, Ledger, open_ledger
from scorekeeper.store.chain import canonical, link
from scorekeeper.store.check import check
from scorekeeper.store.exports import exported
from scorekeeper.store.writes import Write
from scorekeeper.wire.strict import FormError
from transfers import sent, taken_in

WISHES = DemoSettings(evenings=3, members=4, seed=3, until=date(2026, 6, 12))


@given(st.integers(0, 10_000), st.integers(2, 6))
@settings(max_examples=4, deadline=None)
def test_an_imported_group_has_the_same_heads_evenings_and_balances(
    tmp_path_factory: pytest.TempPathFactory, seed: int, members: int
) -> None:
    folder = tmp_path_factory.mktemp("transfer")
    home, abroad = open_ledger(folder / "home.sqlite"), open_ledger(folder / "abroad.sqlite")
    wishes = DemoSettings(
        evenings=1 + seed % 4, members=members, seed=seed, until=date(2026, 6, 12)
    )
    group = make(home, wishes).group
    groups.pay(home, group.id, Transfer(0, 1, Fraction(7, 3)), "DM", note="=1+1", write=Write())
    groups.erase_member(home, group.id, 0, write=Write())
    group = home.group(group.id)
    export, games = sent(home, group.id)
    arrived = taken_in(abroad, export, games).group

    assert arrived == group == abroad.group(group.id)
    for book in (group.id, *group.evenings):
        assert abroad.head(book) == home.head(book)
        assert abroad.events(book) == home.events(book)
    assert abroad.seasons.evenings(group.id) == home.seasons.evenings(group.id)
    assert abroad.seasons.figures(group.id) == home.seasons.figures(group.id)
    assert abroad.seasons.encounters(group.id) == home.seasons.encounters(group.id)
    assert sent(abroad, group.id) == (export, games)
    assert check(abroad).good
    home.close()
    abroad.close()


def _open(ledger: Ledger, group: str) -> str:
    order = NewGame("", "", short.FAMILY, ("Anna", "Bernd"))
    return groups.open_evening(ledger, group, order, Write()).id


MEANWHILE: dict[str, Callable[[Ledger, str, str], object]] = {
    "ends": lambda ledger, _, game: games.end_game(ledger, game, Write()),
    "goes on": lambda ledger, _, game: short.record(ledger, game, 5, 0),
    "newcomer": lambda ledger, _, game: games.add_player(ledger, game, "Claire", Write()),
    "another begins": lambda ledger, group, _: _open(ledger, group),
    "leaves": lambda ledger, group, game: groups.release_game(ledger, group, game, Write()),
}


@pytest.mark.parametrize("change", MEANWHILE)
def test_a_group_is_exported_as_it_was_when_the_export_began(
    ledger: Ledger, elsewhere: Ledger, change: str
) -> None:
    group = groups.create_group(ledger, NewGroup("Runde", ("Anna", "Bernd"))).group.id
    evenings = [_open(ledger, group) for _ in range(2)]
    for game in evenings:
        short.record(ledger, game, 0, 12)
    before = sent(ledger, group)
    export = group_lines(ledger, group)
    first = json.loads(next(export))
    MEANWHILE[change](ledger, group, evenings[1])
    rest = [json.loads(line) for line in export]

    assert (first, rest) == before
    assert list(taken_in(elsewhere, first, rest).group.evenings) == evenings


def test_a_name_that_is_erased_during_an_export_is_not_missed(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = groups.create_group(ledger, NewGroup("Runde", ("Anna", "Bernd"))).group.id
    evening = _open(ledger, group)
    export = group_lines(ledger, group)
    first = json.loads(next(export))
    groups.erase_member(ledger, group, 0, Write())
    taken_in(elsewhere, first, [json.loads(line) for line in export])

    assert elsewhere.game(evening).players == ("", "Bernd")


def test_a_group_with_every_kind_of_event_is_imported_without_loss(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = whole_club(ledger)
    groups.keep_rating(ledger, group, True, Write())
    for retired in (True, False):
        groups.retire_member(ledger, group, 2, retired, Write())
    replace_secret(ledger, group, "watch", Write())
    groups.release_game(ledger, group, next(iter(ledger.group(group).evenings)), Write())
    kinds = {event.kind for event in ledger.events(group)}
    export, evenings = sent(ledger, group)
    there = taken_in(elsewhere, export, evenings).group

    assert kinds == {"founded", *GROUP} - {*TOURNAMENT, "prizes", "as_it_was"}
    assert there == ledger.group(group)
    assert sent(elsewhere, group) == (export, evenings)
    assert check(elsewhere).good


def test_an_erased_name_is_not_exported(ledger: Ledger, elsewhere: Ledger) -> None:
    group = make(ledger, WISHES).group
    name = group.players[2]
    groups.erase_member(ledger, group.id, 2, write=Write())
    export, games = sent(ledger, group.id)
    arrived = taken_in(elsewhere, export, games).group

    assert name not in json.dumps([export, games], ensure_ascii=False)
    assert arrived.players[2] == ""
    assert arrived.balance("ct")[2] == group.balance("ct")[2]


def test_the_secrets_of_a_group_are_not_exported(ledger: Ledger, elsewhere: Ledger) -> None:
    at_home = make(ledger, WISHES)
    arrived = taken_in(elsewhere, *sent(ledger, at_home.group.id))
    game, *_ = arrived.group.evenings

    for book in (arrived.group.id, game):
        assert elsewhere.rights.of_secret(book, at_home.pen) is None
        assert elsewhere.rights.of_secret(book, arrived.pen) == "pen"
        assert elsewhere.rights.of_secret(book, arrived.watch) == "watch"


def test_an_existing_group_or_game_is_reported_and_not_imported_twice(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = make(ledger, WISHES).group
    export, games = sent(ledger, group.id)
    with pytest.raises(AlreadyExists) as known:
        taken_in(ledger, export, games)
    imports.import_game(elsewhere, games[1])
    with pytest.raises(AlreadyExists) as one_game:
        taken_in(elsewhere, export, games)

    assert known.value.book_id == group.id
    assert one_game.value.book_id == games[1]["id"]
    assert elsewhere.version(group.id) is None
    assert elsewhere.version(games[0]["id"]) is None


def _event(export: Any, kind: str) -> Any:
    return next(event for event in export["events"] if event["kind"] == kind)["payload"]


CHANGES: dict[str, Callable[[Any, list[Any]], object]] = {
    "an amount": lambda group, games: _event(group, "booked")["moves"][0].__setitem__(2, "1"),
    "a seat": lambda group, games: _event(group, "game")["members"].reverse(),
    "head": lambda group, games: group.update(head="0" * 64),
    "a game's head": lambda group, games: games[-1].update(head="0" * 64),
    "a game is missing": lambda group, games: games.pop(),
    "a game comes twice": lambda group, games: games.append(games[0]),
    "no event": lambda group, games: group.update(events=[]),
    "a game for a group": lambda group, games: group.update(games[0]),
    "a group for a game": lambda group, games: games.insert(0, deepcopy(group)),
    "no object": lambda group, games: games.insert(0, 7),
}


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_export_of_a_group_is_refused_and_nothing_is_written(
    ledger: Ledger, elsewhere: Ledger, change: Callable[[Any, list[Any]], object]
) -> None:
    export, games = sent(ledger, make(ledger, WISHES).group.id)
    change(export, games)

    with pytest.raises(BadExport):
        taken_in(elsewhere, export, games)

    for table in ("books", "events", "texts", "evenings", "results", "encounters"):
        assert elsewhere.store.engine.rows(f"SELECT * FROM {table}") == []


def test_only_the_games_that_were_checked_are_written(ledger: Ledger, elsewhere: Ledger) -> None:
    """A file may change between the two times it is read."""
    export, games = sent(ledger, make(ledger, WISHES).group.id)
    group = imports.read_group(export, games)
    other = deepcopy(games[1])
    other["events"][1]["at"] = "2026-01-01T00:00:00Z"

    for changed in ([games[0], other, games[2]], games[:2], [*games, games[0]], games[::-1]):
        with pytest.raises(BadExport):
            imports.write_group(elsewhere, group, changed)

        assert elsewhere.store.engine.rows("SELECT * FROM books") == []


HOSTILE = {
    "founded": {"members": 10**9, "house": None},
    "member": {"member": 10**9},
    "game": {"game": "g", "members": [0, 10**9], "training": False},
    "paid": {"moves": [[0, "ct", "1e999999999"], [1, "ct", "-1e999999999"]]},
    "rate": {"unit": "a", "in": "b", "rate": "1e999999999"},
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_forged_group_does_not_use_much_memory(elsewhere: Ledger, kind: str) -> None:
    """A forger can also forge the head of an export."""
    events: list[dict[str, Any]] = []
    head = b""
    for name, payload in {"founded": {"members": 2, "house": None}, kind: HOSTILE[kind]}.items():
        number = len(events) + 1
        stored = (number, "2026-01-01T00:00:00Z", name, "pen", canonical(payload), None, None)
        head = link(head, "forged", stored)
        named = zip(("number", "at", "kind", "by", "payload", "key", "digest"), stored, strict=True)
        events.append({**dict(named), "payload": payload})
    forged = {"format": "scorekeeper group 1", "id": "forged", "head": head.hex()}

    with pytest.raises(RuleError, match="E_IMPORT"):
        taken_in(elsewhere, {**forged, "events": events, "texts": {}}, [])


def test_a_group_with_bookings_that_match_no_evening_is_refused(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    """Change a booking so that it is balanced but wrong."""
    export, games = sent(ledger, make(ledger, WISHES).group.id)
    moves = _event(export, "booked")["moves"]
    (first, _, won), (second, _, lost) = moves[:2]
    moves[0][2] = str(Fraction(won) + 7)
    moves[1][2] = str(Fraction(lost) - 7)
    with pytest.raises(RuleError) as refused:
        taken_in(elsewhere, sealed(export), games)
    answer = {
        (one.code, one.facts["why"], one.facts["player"], one.facts["stored"], one.facts["now"])
        for one in refused.value.problems
    }
    names = elsewhere.version(export["id"]), export["texts"]["1"]

    assert names[0] is None
    assert answer == {
        ("E_IMPORT_DIFFERS", "booked", names[1][f"member.{member}"], now + more, now)
        for member, now, more in ((first, Fraction(won), 7), (second, Fraction(lost), -7))
    }

    taken = taken_in(elsewhere, sealed(export), games, as_it_was=True).group

    assert taken.as_it_was
    assert elsewhere.events(taken.id)[-1].payload == {"games": [games[0]["id"]]}

    report = check(elsewhere)

    assert report.clean
    assert report.line("as_it_was").facts == {"n": 1, "places": ((games[0]["id"], 0),)}


def with_other_points(game: Any) -> int:
    """Forge the first round of a game, and return the points that it should have."""
    score = _event(game, "round")["score"]
    line = next(one for one in score["lines"] if one["minus"])
    line["minus"] += 1
    score["scores"][line["seat"]][0] += 1
    sealed(game)
    return int(line["minus"]) - 1


def test_an_evening_with_other_points_is_taken_as_it_was_with_a_valid_chain(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    export, games = sent(ledger, make(ledger, WISHES).group.id)
    points = with_other_points(games[0])
    with pytest.raises(RuleError) as refused:
        taken_in(elsewhere, export, games)
    first = refused.value.problems[0]

    assert (first.code, first.facts["tally"]) == ("E_IMPORT_DIFFERS", "minus")
    assert (first.facts["stored"], first.facts["now"]) == (points + 1, points)
    assert first.path == ("games", 0)

    taken_in(elsewhere, export, games, as_it_was=True)

    assert elsewhere.game(games[0]["id"]).as_it_was == {1}
    assert check(elsewhere).clean


def test_a_group_and_its_games_are_imported_from_one_text(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    """As over REST, where a game stays a text until a worker reads it."""
    group = make(ledger, WISHES).group.id
    export, games = sent(ledger, group)
    with_other_points(games[0])
    text = json.dumps({**export, "games": games}).encode()
    checked = imports.read_group(*imports.group_from_json(text), as_it_was=True)
    arrived = imports.write_group(elsewhere, checked).group

    assert arrived == elsewhere.group(group)
    *events, marked = elsewhere.events(group)
    assert events == ledger.events(group)
    assert marked.payload == {"games": [games[0]["id"]]}
    assert [elsewhere.game(game["id"]).as_it_was for game in games] == [{1}, set(), set()]
    assert check(elsewhere).clean


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b'{"games": [', FormError),
        (b"[]", BadExport),
        (b"{}", BadExport),
        (b'{"games": {}}', BadExport),
        (json.dumps({"games": [0] * (imports.MAX_GAMES + 1)}).encode(), BadExport),
    ],
    ids=["no JSON", "no object", "no games", "no list of games", "too many games"],
)
def test_a_text_that_is_no_group_with_its_games_is_refused(
    text: bytes, error: type[Exception]
) -> None:
    with pytest.raises(error):
        imports.group_from_json(text)


def test_a_group_may_have_as_many_games_as_two_evenings_a_week_for_a_century() -> None:
    text = json.dumps({"games": [0] * imports.MAX_GAMES}).encode()

    assert len(imports.group_from_json(text)[1]) == imports.MAX_GAMES == 10_000


def clubbed(members: int, times: int) -> Any:
    """Return a forged group with many random payments and settlements."""
    group = Group(id="club", members=members)
    texts = {"name": "Club", **{f"member.{one}": f"M{one}" for one in range(members)}}
    first: Any = {"members": members, "house": None}
    events = [Event(1, "2026-01-01T00:00:00Z", "founded", "pen", first, texts)]
    dice = Random("club")
    for _ in range(times):
        drafts = [
            partial(
                group_changes.pay,
                payment=Transfer(0, one, Fraction(dice.randint(1, 10**6))),
                unit="ct",
            )
            for one in range(1, members)
        ]
        for draft in (*drafts, partial(group_changes.settle, unit="ct")):
            made = draft(group)
            event = Event(len(events) + 1, "2026-01-01T00:00:00Z", made.kind, "pen", made.payload)
            events.append(event)
            group = group.apply(event)
    return json.loads(json.dumps(exported(Group, "club", events)))


def joined(joins: int) -> Any:
    """Return a forged group of two that others join one by one."""
    texts = {"name": "Club", "member.0": "Anna", "member.1": "Ben"}
    at, about = "2026-01-01T00:00:00Z", {"members": 2, "house": None}
    events = [Event(1, at, "founded", "pen", about, texts)]
    for member in range(2, 2 + joins):
        words = {f"member.{member}": f"M{member}"}
        events.append(Event(member, at, "member", "pen", {"member": member}, words))
    return json.loads(json.dumps(exported(Group, "club", events)))


def test_a_group_whose_names_take_too_long_to_compare_is_refused(elsewhere: Ledger) -> None:
    club = joined(10)
    work = sum(range(2, 12))
    with pytest.raises(RuleError) as refused:
        imports.read_group(club, [], bounds=Bounds(members=work - 1))
    (problem,) = refused.value.problems

    assert (problem.code, problem.facts) == ("E_IMPORT", {"why": "members"})
    for code in LANGUAGES:
        assert "scorekeeper import" in language(code).problem(problem)
    assert imports.read_group(club, [], bounds=Bounds(members=work)).book.members == 12
    assert NETWORK.members is not None
    assert NETWORK.members >= 100 * (NETWORK.events or 0)  # a hundred members for life


def paid_by(club: Any, transfers: list[list[Any]]) -> Any:
    """Return the forged group, settled by these payments."""
    settled = club["events"][-1]["payload"]
    settled["transfers"] = transfers
    settled["moves"] = [
        [member, "ct", amount if sign > 0 else str(-Fraction(amount))]
        for payer, payee, amount in transfers
        for member, sign in ((payer, 1), (payee, -1))
    ]
    return sealed(club)


def test_a_group_may_have_settled_by_other_payments_than_today() -> None:
    club = clubbed(5, 1)
    *others, (payer, payee, amount) = club["events"][-1]["payload"]["transfers"]
    half = str(Fraction(amount) / 2)
    assert others

    again = imports.read_group(paid_by(club, [[payer, payee, amount], *others]), [])
    assert not any(again.book.balance("ct"))
    for broken in (
        others,
        [*others, [payer, payee, half]],
        [*others, [payer, payee, half], [payer, payee, half]],
        [*others, [payee, payer, f"-{amount}"]],
        [*others, [payer, payer, amount]],
        [*others, [99, payee, amount]],
    ):
        with pytest.raises(RuleError) as refused:
            imports.read_group(paid_by(club, broken), [])
        assert refused.value.problems[0].code == "E_IMPORT"


def test_a_group_may_have_settled_by_the_step_of_an_older_evening(ledger: Ledger) -> None:
    """Up to version 1.1 an older evening that was corrected set the step of its group again."""
    group = groups.create_group(ledger, NewGroup("Runde", ("Anna", "Bernd", "Claire"))).group.id
    evenings = []
    for step in ("50", "1"):
        rules = short.FAMILY.override({"settle.payable": step})
        about = NewGame("", "", rules, ("Anna", "Bernd", "Claire"))
        evenings.append(groups.open_evening(ledger, group, about, Write()).id)
        short.record(ledger, evenings[-1], 0, 12, 35)
        games.end_game(ledger, evenings[-1], Write())
    short.correct(ledger, evenings[0], 1, 0, 11, 35)
    groups.settle_up(ledger, group, "ct", Write())
    export, played = sent(ledger, group)
    settled = export["events"][-1]["payload"]
    assert settled["transfers"] == [[2, 0, "93"], [2, 1, "24"]]

    for amount, allowed in (("100", True), ("50", False), ("110", False)):
        settled["transfers"] = [[2, 0, amount]]
        settled["moves"] = [[2, "ct", amount], [0, "ct", f"-{amount}"]]
        if allowed:
            there = imports.read_group(sealed(export), played).book
            assert there.balance("ct") == (-7, 24, -17)
        else:
            with pytest.raises(RuleError):
                imports.read_group(sealed(export), played)


def test_many_settlements_of_a_large_group_are_checked_without_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    club = clubbed(100, 2)

    def searched(*_: Any) -> Any:
        raise AssertionError("looked for the fewest payments")

    monkeypatch.setattr(group_changes, "payments", searched)
    assert imports.read_group(club, []).book.members == 100
