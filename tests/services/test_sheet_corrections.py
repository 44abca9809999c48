"""A corrected sheet does not book its evening twice: found, compared, corrected."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import short
from club_nights import NAMES, Club
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.tournament.plan import Money
from scorekeeper.services import games, groups
from scorekeeper.services.clock import now, set_clock
from scorekeeper.services.games import new_rules
from scorekeeper.services.paper_sheets import SheetPreview, import_sheet, preview_sheet, read_for
from scorekeeper.services.writes import Stale
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.writes import Write
from scorekeeper.wire.csv_choices import Choices
from short import FAMILY
from transfers import sent, taken_in

SHEET = "Datum;Anna;Bernd;Claire\n5.3.2026;0;35;12\n;20;0;7\n;3;4;0\n"
CORRECTED = SHEET.replace("20;0;7", "25;0;7")
DAY = "2026-03-05"
EVERYBODY = frozenset(("Anna", "Bernd", "Claire", "Dora", "Emil", "Round"))


@pytest.fixture
def group(ledger: Ledger) -> str:
    """A group into which the sheet was imported."""
    founded = groups.create_group(ledger, NewGroup("Freitag", ("Bernd", "Anna"))).group.id
    take(ledger, founded)
    return founded


def choices(existing: dict[str, Any] | None = None, **more: Any) -> Choices:
    return Choices(**{"new_members": EVERYBODY, "existing": existing or {}, **more})


def take(ledger: Ledger, group: str, text: str = SHEET, rules: Any = FAMILY, **more: Any) -> Group:
    key = more.pop("key", None)
    chosen = choices(**more)
    sheet = read_for(ledger.group(group), text, chosen)
    return import_sheet(ledger, group, sheet, rules, Write(key=key))


def preview(ledger: Ledger, group: str, text: str, **more: Any) -> list[SheetPreview]:
    book, chosen = ledger.group(group), choices(**more)
    return preview_sheet(ledger, book, read_for(book, text, chosen), FAMILY)


def refused(ledger: Ledger, group: str, text: str, **more: Any) -> list[object]:
    """Return the reasons of a refusal, after which nothing may have changed."""
    before = ledger.group(group).version, ledger.head(group)
    with pytest.raises(RuleError) as error:
        take(ledger, group, text, **more)
    assert (ledger.group(group).version, ledger.head(group)) == before
    return [problem.facts.get("why") for problem in error.value.problems]


def only_game(ledger: Ledger, group: str) -> Any:
    (game_id,) = ledger.group(group).evenings
    return ledger.game(game_id)


def totals(game: Any) -> dict[str, int]:
    tallies = zip(game.players, game.sheet.tallies, strict=True)
    return {name: tally.minus for name, tally in tallies}


def standings(game: Any) -> dict[str, tuple[object, ...]]:
    """Return tally and rank of everybody who played."""
    columns = zip(game.players, game.sheet.tallies, game.sheet.ranks, strict=True)
    return {name: (tally, rank) for name, tally, rank in columns if tally.played}


def test_an_unknown_name_joins_only_if_it_was_confirmed(ledger):
    group = groups.create_group(ledger, NewGroup("Freitag", ("Bernd", "Anna"))).group.id

    assert refused(ledger, group, SHEET, new_members=frozenset()) == ["new_member"]
    assert refused(ledger, group, SHEET, new_members=frozenset({"claire"})) == ["new_member"]
    assert take(ledger, group, new_members=frozenset({"Claire"})).players[2:] == ("Claire",)


def test_a_day_may_have_begun_in_another_time_zone(ledger, group):
    with set_clock("2026-03-19T12:00:00Z"):
        assert len(take(ledger, group, "Datum;Anna;Bernd\n20.3.2026;0;5").evenings) == 2
        assert refused(ledger, group, "Datum;Anna;Bernd\n21.3.2026;0;5") == ["future"]
    with set_clock("2026-03-19T09:00:00Z"):
        assert refused(ledger, group, "Datum;Anna;Bernd\n20.3.2026;0;5") == ["future"]


def test_a_corrected_sheet_shows_what_differs_and_needs_a_decision(ledger, group):
    (one,) = preview(ledger, group, CORRECTED)

    assert (one.state, one.action, one.known) == ("differs", None, False)
    (difference,) = one.existing.differences
    assert (difference.number, difference.kind) == (2, "changed")
    assert list(difference.cells(one.names)) == [("Anna", 20, 25)]
    assert refused(ledger, group, CORRECTED) == ["exists"]


def test_replacing_corrects_the_round_and_keeps_the_old_entry(ledger, group):
    before = ledger.group(group)
    after = take(ledger, group, CORRECTED, existing={DAY: "replace"}, key="press")
    again = take(ledger, group, CORRECTED, existing={DAY: "replace"}, key="press")
    game = only_game(ledger, group)
    row = game.sheet.row(2)

    assert after.version == again.version
    assert totals(game) == {"Anna": 28, "Bernd": 39, "Claire": 19}
    assert game.is_over
    assert [one.score.scores[0].minus for one in row.earlier] == [20]
    assert [event.kind for event in ledger.events(game.id)] == [
        *("created", "round", "round", "round", "ended", "corrected"),
    ]
    kinds = [event.kind for event in ledger.events(group)]
    assert (kinds[-1], kinds.count("game"), kinds.count("booked")) == ("booked", 1, 2)
    # Anna has 5 more, so she pays 5 to each of the two others.
    moved = [now - was for was, now in zip(before.balance("ct"), after.balance("ct"), strict=True)]
    assert moved == [Fraction(5), Fraction(-10), Fraction(5)]
    assert preview(ledger, group, CORRECTED)[0].known
    (stored,) = ledger.seasons.evenings(group)
    assert [one.minus for one in stored.evening.results] == [28, 39, 19]


def test_what_was_paid_before_the_correction_counts(ledger, group):
    game = only_game(ledger, group)
    paid = game.numbered_payments[0]
    games.mark_paid(ledger, game.id, 0, True, Write())
    before = ledger.group(group).balance("ct")
    take(ledger, group, CORRECTED, existing={DAY: "replace"})
    after, game = ledger.group(group).balance("ct"), only_game(ledger, group)

    assert [(one.payer, one.payee, one.amount) for one in game.paid] == [
        (paid.payer, paid.payee, paid.amount)
    ]
    moved = [now - was for was, now in zip(before, after, strict=True)]
    assert moved == [Fraction(5), Fraction(-10), Fraction(5)]


def test_a_corrected_table_of_a_tournament_corrects_its_result_and_the_prizes(ledger):
    money = Money(fee=Fraction(10), unit="EUR", shares=(1,), booked=True)
    club = Club(ledger, NAMES[:4], rounds=1, money=money)
    club.draw()
    club.play_all()
    club.close()
    drawn = club.now.rounds[0]
    sheet = f"Datum;{';'.join(ledger.game(drawn.games[0]).players)}\n{now()[:10]};0;10;20;30\n"
    seats = drawn.tables[0][:2]
    before = [club.group.balance("EUR")[seat] for seat in seats]
    take(ledger, club.id, f"{sheet};99;0;21;31\n", existing={now()[:10]: "replace"})

    (result,) = club.now.rounds[0].results.values()
    assert [one.worth for one in result.performances] == [-99, -10, -41, -61]
    assert before == [30, -10]
    assert [club.group.balance("EUR")[seat] for seat in seats] == [-10, 30]
    assert check(ledger).clean


def test_keeping_both_imports_one_more_evening(ledger, group):
    after = take(ledger, group, CORRECTED, existing={DAY: "keep"})

    assert len(after.evenings) == 2
    assert preview(ledger, group, CORRECTED)[0].known
    assert preview(ledger, group, SHEET)[0].known


def test_skipping_changes_nothing(ledger, group):
    before = ledger.group(group).version
    later = CORRECTED + "6.3.2026;0;5;9\n"

    assert take(ledger, group, CORRECTED, existing={DAY: "skip"}).version == before
    assert len(take(ledger, group, later, existing={DAY: "skip"}).evenings) == 2


def test_of_a_sheet_that_only_grew_the_new_rounds_are_imported(ledger, group):
    grown = SHEET + ";0;8;9\n;;0;1\n6.3.2026;0;5;9\n"
    one, other = preview(ledger, group, grown)

    assert (one.state, one.action) == ("grown", "replace")
    assert (other.state, other.action) == ("new", "import")
    assert [each.kind for each in one.existing.differences] == ["new", "new"]
    take(ledger, group, grown)
    first, _ = (ledger.game(game_id) for game_id in ledger.group(group).evenings)

    assert totals(first) == {"Anna": 23, "Bernd": 47, "Claire": 29}
    assert first.sheet.rows[-1].points(0) is None
    assert first.is_over
    assert refused(ledger, group, grown) == ["known", "known"]


def test_rounds_missing_on_the_sheet_are_struck(ledger, group):
    shorter = SHEET.replace(";3;4;0\n", "")
    (one,) = preview(ledger, group, shorter)

    assert [each.kind for each in one.existing.differences] == ["missing"]
    take(ledger, group, shorter, existing={DAY: "replace"})
    game = only_game(ledger, group)

    assert game.sheet.row(3).struck_at
    assert totals(game) == {"Anna": 20, "Bernd": 35, "Claire": 19}
    assert preview(ledger, group, shorter)[0].known
    assert preview(ledger, group, SHEET)[0].state == "grown"


def test_a_forgotten_player_is_seated_and_may_be_new(ledger, group):
    text = "Datum;Anna;Bernd;Claire;Dora\n5.3.2026;0;35;12;9\n;20;0;7;\n;3;4;0;1\n"
    (one,) = preview(ledger, group, text)

    assert one.state == "differs"
    after = take(ledger, group, text, existing={DAY: "replace"})
    game = only_game(ledger, group)

    assert totals(game) == {"Anna": 23, "Bernd": 39, "Claire": 19, "Dora": 10}
    assert after.players == ("Bernd", "Anna", "Claire", "Dora")
    assert next(iter(after.evenings.values())).members == (1, 0, 2, 3)
    assert preview(ledger, group, text)[0].known


def test_a_column_that_once_became_a_player_is_taken_out_of_the_evening(ledger):
    group = groups.create_group(ledger, NewGroup("Freitag", ("Bernd", "Anna"))).group.id
    take(ledger, group, "Datum;Round;Anna;Bernd\n5.3.2026;1;0;35\n;2;20;0\n")
    text = "Datum;Round;Anna;Bernd\n5.3.2026;1;0;35\n;2;20;0\n"

    assert refused(ledger, group, text, new_members=frozenset()) == ["doubtful"]
    without = {"new_members": frozenset[str](), "left_out": frozenset({"Round"})}
    assert preview(ledger, group, text, **without)[0].state == "differs"
    take(ledger, group, text, existing={DAY: "replace"}, **without)
    game = only_game(ledger, group)

    assert game.sheet.ranks == (None, 1, 2)
    assert [one.played for one in game.sheet.tallies] == [0, 2, 2]
    assert ledger.group(group).balance("ct") == (Fraction(-15), Fraction(15), Fraction())
    assert preview(ledger, group, text, **without)[0].known


def test_a_wrong_name_is_corrected(ledger, group):
    text = SHEET.replace("Claire", "Dora")

    assert refused(ledger, group, text) == ["exists"]
    take(ledger, group, text, existing={DAY: "replace"})

    assert standings(only_game(ledger, group)).keys() == {"Anna", "Bernd", "Dora"}
    assert preview(ledger, group, text)[0].known


def test_a_correction_seats_no_more_players_than_the_rules_allow(ledger, group):
    """Whoever is not on the sheet keeps their seat in the game."""
    table = ("Anna", "Bernd", "Claire", "Dora")
    order = NewGame("", "", new_rules("chinchon", {}), table)
    game = groups.open_evening(ledger, group, order, Write())
    short.record(ledger, game.id, 0, 5, 7, 9)
    day = game.created_at[:10]
    text = f"Datum;Anna;Bernd;Claire;Emil\n{day};0;5;7;9\n"

    with pytest.raises(RuleError) as error:
        take(ledger, group, text, existing={day: "replace"})

    (problem,) = error.value.problems
    assert (problem.code, problem.path) == ("E_SHEET", ("line", 2))
    assert dict(problem.facts) == {
        "why": "players", "line": 2, "day": day, "count": 5, "least": 2, "most": 4
    }  # fmt: skip
    assert ledger.game(game.id).players == table
    assert len(ledger.group(group).players) == 4


def test_other_players_or_another_day_are_another_evening(ledger, group):
    others = "Datum;Anna;Dora;Emil\n5.3.2026;0;35;12\n"
    another_day = SHEET.replace("5.3.", "6.3.")

    assert preview(ledger, group, others)[0].state == "new"
    assert preview(ledger, group, another_day)[0].state == "new"


def test_a_game_that_no_sheet_can_be_of_is_another_evening(ledger, group):
    order = NewGame("", "", new_rules("gin-palast", {}), ("Anna", "Bernd"))
    game = groups.open_evening(ledger, group, order, Write())
    text = f"Datum;Anna;Bernd\n{game.created_at[:10]};0;16\n"

    assert preview(ledger, group, text)[0].state == "new"


def test_an_evening_recorded_here_is_corrected_and_keeps_its_notes(ledger, group):
    order = NewGame("", "", FAMILY, ("Anna", "Bernd"))
    game = groups.open_evening(ledger, group, order, Write())
    short.record(ledger, game.id, 15, 0, note="Regen")
    short.record(ledger, game.id, 0, 9)
    day = game.created_at[:10]
    text = f"Datum;Bernd;Anna\n{day};0;16\n;9;0\n"
    (one,) = preview(ledger, group, text)

    assert list(one.existing.differences[0].cells(one.names)) == [("Anna", 15, 16)]
    take(ledger, group, text, existing={day: "replace"})
    game = ledger.game(game.id)

    assert totals(game) == {"Anna": 16, "Bernd": 9}
    assert not game.is_over  # it goes on at the table
    assert game.note(1) == "Regen"


def test_void_rounds_and_struck_rounds_are_on_no_sheet(ledger, group):
    order = NewGame("", "", FAMILY, ("Anna", "Bernd"))
    game = groups.open_evening(ledger, group, order, Write())
    short.record(ledger, game.id, 15, 0)
    short.record(ledger, game.id, 0, 1)
    games.strike_round(ledger, game.id, 2, Write())
    void = short.load_round({"outcome": "cancelled", "seats": [{}, {}]}).round
    short.written(ledger, game.id, void, "void")
    short.record(ledger, game.id, 0, 9)
    day = game.created_at[:10]

    assert preview(ledger, group, f"Datum;Anna;Bernd\n{day};15;0\n;0;9")[0].known


def test_a_correction_obeys_the_rules_by_which_the_evening_was_played(ledger):
    group = groups.create_group(ledger, NewGroup("Freitag", ("Bernd", "Anna"))).group.id
    palast = new_rules("romme-palast", {})
    take(ledger, group, "Datum;Anna;Bernd\n5.3.2026;0;499\n;7;0\n", palast)
    over = "Datum;Anna;Bernd\n5.3.2026;0;501\n;7;0\n"

    assert refused(ledger, group, over, existing={DAY: "replace"}) == ["over"]
    take(ledger, group, over.replace(";7;0\n", ""), existing={DAY: "replace"})
    game = only_game(ledger, group)

    assert game.sheet.ending
    assert totals(game) == {"Anna": 0, "Bernd": 501}


def test_all_evenings_are_corrected_or_none(ledger, group):
    text = CORRECTED + "6.3.2026;0;1;2\n"
    take(ledger, group, SHEET + "6.3.2026;0;5;9\n")

    assert refused(ledger, group, text, existing={DAY: "replace"}) == ["exists"]
    first, _ = ledger.group(group).evenings
    assert totals(ledger.game(first)) == {"Anna": 23, "Bernd": 39, "Claire": 19}


ROW = (
    st.permutations([0, None, 7, 35, 12]).filter(lambda row: 0 in row[:3]).map(lambda row: row[:3])
)
TYPED = st.lists(ROW.filter(lambda row: row.count(None) < 2), min_size=1, max_size=4)


@given(first=TYPED, second=TYPED)
@settings(max_examples=15, deadline=None)
def test_a_replaced_evening_equals_the_sheet_imported_alone(tmp_path_factory, first, second):
    def typed(rows: list[list[int | None]]) -> str:
        cells = (";".join("" if one is None else str(one) for one in row) for row in rows)
        return "\n".join(
            ["Datum;Anna;Bernd;Claire", "5.3.2026;5;0;9", *(f";{row}" for row in cells)]
        )

    ledger = open_ledger(tmp_path_factory.mktemp("typed") / "both.sqlite")
    names = ("Anna", "Bernd", "Claire")
    ids = [groups.create_group(ledger, NewGroup("F", names)).group.id for _ in range(2)]
    take(ledger, ids[0], typed(first), points="rounds")
    one, alone = (
        take(ledger, group, typed(second), points="rounds", existing={DAY: "replace"})
        if not preview(ledger, group, typed(second), points="rounds")[0].known
        else ledger.group(group)
        for group in ids
    )
    corrected, played = (standings(only_game(ledger, group)) for group in ids)

    assert corrected == played
    assert one.balance("ct") == alone.balance("ct")
    assert check(ledger).good
    ledger.close()


NEW = CORRECTED + "6.3.2026;0;1;2\n"


def take_while(ledger: Ledger, group: str, meanwhile: Any) -> list[str]:
    """Import a sheet with a correction and a new evening; return the jobs of the pool."""
    jobs: list[str] = []

    def run(job: Any, *given: Any) -> Any:
        assert not ledger.store.in_transaction
        jobs.append(job.__name__)
        meanwhile()
        return job(*given)

    sheet = read_for(ledger.group(group), NEW, choices({DAY: "replace"}))
    import_sheet(ledger, group, sheet, FAMILY, Write(key="new"), run)
    return jobs


def test_evenings_are_played_and_corrected_before_others_have_to_wait(ledger, group):
    alone = short.begun(ledger, "Carl", "Doris")
    rounds = iter(range(1, 9))

    assert take_while(ledger, group, lambda: short.record(ledger, alone, 0, next(rounds))) == [
        "play_evenings",
        "correct_evenings",
    ]
    first, _ = ledger.group(group).evenings
    assert totals(ledger.game(first)) == {"Anna": 28, "Bernd": 39, "Claire": 19}


def test_a_sheet_is_outdated_if_its_group_or_evening_changes_while_it_is_played(ledger, group):
    (game,) = ledger.group(group).evenings
    points = iter(range(1, 9))
    for meanwhile in (
        lambda: groups.rename_group(ledger, group, f"Runde {next(points)}", Write()),
        lambda: games.change_details(ledger, game, {"title": f"{next(points)}"}, Write()),
    ):
        with pytest.raises(Stale):
            take_while(ledger, group, meanwhile)
        assert list(ledger.group(group).evenings) == [game]
        assert totals(ledger.game(game)) == {"Anna": 23, "Bernd": 39, "Claire": 19}


def test_a_corrected_group_is_exported_and_imported_with_equal_chains(ledger, group, elsewhere):
    grown = CORRECTED + ";0;8;9\n"
    take(ledger, group, grown, existing={DAY: "replace"})
    taken_in(elsewhere, *sent(ledger, group))

    assert elsewhere.head(group) == ledger.head(group)
