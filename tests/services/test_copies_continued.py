"""Copies that continue what is here: what was erased, replaced, released or diverged there."""

from datetime import datetime, timedelta

import pytest

import short
from scorekeeper.domain.game.changes import NewGame, score_for
from scorekeeper.domain.game.state import Account
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import erasure, games, groups, imports
from scorekeeper.services.clock import TIME, now, set_clock
from scorekeeper.services.copies import Taken, copy_lines, read_copy, take_copy
from scorekeeper.services.discard import KEPT_DAYS, discard_due
from scorekeeper.store.chain import as_stored
from scorekeeper.store.check import check
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.links import SecretName
from scorekeeper.store.writes import PROGRAM
from transfers import sent

IBAN = "LU280019400644750000"
PLAYERS = ("Anna", "Bernd", "Claire")


def take(ledger: Ledger, source: Ledger) -> Taken:
    """Take in a copy of everything that is elsewhere."""
    return take_copy(ledger, read_copy("".join(copy_lines(source)).encode()))


def found(ledger: Ledger, name: str = "Stammtisch") -> str:
    return groups.create_group(ledger, NewGroup(name, PLAYERS)).group.id


def opened(ledger: Ledger, group: str) -> str:
    """Open an evening of a group for a cent a point, with a round."""
    game = groups.open_evening(ledger, group, NewGame("", "", short.FAMILY, PLAYERS), PROGRAM).id
    short.record(ledger, game, 0, 35, 12)
    return game


def discard(ledger: Ledger, game: str) -> None:
    """Throw an evening away, and erase it a month later."""
    games.throw_away(ledger, game, PROGRAM)
    later = datetime.fromisoformat(now()) + timedelta(days=KEPT_DAYS + 1)
    with set_clock(later.strftime(TIME)):
        assert discard_due(ledger) == 1


def written(ledger: Ledger) -> list[str]:
    """Return all words of a database, replaced ones too."""
    return [one.text for one in ledger.names.written(bool)]


# ---- erased --------------------------------------------------------------------------


def test_a_name_that_was_erased_goes_wherever_a_copy_is_taken_in(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    game = short.begun(ledger, "Anna", "Bernd", title="Bei Anna")
    short.record(ledger, game, 0, 35, note="Anna hat Glück, Bernd zahlt")
    games.change_details(ledger, game, {"title": "Freitag"}, write=PROGRAM)
    take(elsewhere, ledger)
    erasure.erase_player(ledger, game, 0, PROGRAM)

    assert take(elsewhere, ledger) == Taken(continued=1)
    assert not [text for text in written(elsewhere) if "Anna" in text]
    assert elsewhere.export(game) == ledger.export(game)
    assert elsewhere.game(game).note(1) == "… hat Glück, Bernd zahlt"
    assert not elsewhere.names.is_unclean()
    assert check(elsewhere).clean


def test_the_name_of_a_member_goes_from_the_group_and_its_evenings(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = found(ledger)
    opened(ledger, group)
    take(elsewhere, ledger)
    groups.erase_member(ledger, group, 0, PROGRAM)

    assert take(elsewhere, ledger) == Taken(continued=1)
    assert "Anna" not in written(elsewhere)
    assert "Bernd" in written(elsewhere)
    assert check(elsewhere).clean


def test_an_evening_erased_from_the_bin_leaves_no_word(ledger: Ledger, elsewhere: Ledger) -> None:
    game = short.begun(ledger, "Anna", "Bernd", title="Peinlich")
    short.record(ledger, game, 0, 35, note="Geheim")
    take(elsewhere, ledger)
    games.store_account(elsewhere, game, 1, Account("Bernd", IBAN), PROGRAM)
    take(ledger, elsewhere)
    discard(ledger, game)

    assert take(elsewhere, ledger) == Taken(continued=1)
    assert not written(elsewhere)
    assert check(elsewhere).clean


def erased(ledger: Ledger, game: str) -> None:
    erasure.erase_player(ledger, game, 0, PROGRAM)


def removed(ledger: Ledger, game: str) -> None:
    games.store_account(ledger, game, 0, None, PROGRAM)


def replaced(ledger: Ledger, game: str) -> None:
    games.store_account(ledger, game, 0, Account("Anna", "DE89370400440532013000"), PROGRAM)


@pytest.mark.parametrize("change", [erased, removed, replaced])
def test_an_account_that_was_changed_or_erased_elsewhere_goes_and_others_stay(
    ledger: Ledger, elsewhere: Ledger, change
) -> None:
    """No copy has the numbers themselves."""
    game = short.begun(elsewhere, "Anna", "Bernd")
    for side, name in enumerate(("Anna", "Bernd")):
        games.store_account(elsewhere, game, side, Account(name, IBAN), PROGRAM)
    take(ledger, elsewhere)
    change(ledger, game)

    assert take(elsewhere, ledger) == Taken(continued=1)
    assert elsewhere.game(game).account(0) is None
    assert elsewhere.game(game).account(1) == Account("Bernd", IBAN)
    assert written(elsewhere).count(IBAN) == 1
    assert check(elsewhere).clean


def test_a_name_that_was_erased_from_the_holder_of_an_account_spoils_no_copy(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    game = short.begun(ledger, "Bernd", "Claire", title="Bei Anna")
    games.store_account(ledger, game, 0, Account("Anna Muster", IBAN), PROGRAM)
    with ledger.book_transaction(game) as transaction:
        erasure.erase_mentions(transaction, ["Anna"], by="host")

    assert ledger.game(game).latest.payload["fields"] == ["holder.0", "title"]
    assert take(elsewhere, ledger) == Taken(new=1)
    assert elsewhere.game(game).title == "Bei …"
    assert check(elsewhere).clean


def test_what_was_only_corrected_stays_readable(ledger: Ledger, elsewhere: Ledger) -> None:
    game = short.begun(ledger, "Anna", "Bernd", title="Samstag")
    take(elsewhere, ledger)
    games.change_details(ledger, game, {"title": "Freitag"}, write=PROGRAM)

    assert take(elsewhere, ledger) == Taken(continued=1)
    assert {"Samstag", "Freitag"} <= {*written(elsewhere)}


# ---- links ---------------------------------------------------------------------------


@pytest.mark.parametrize("right", ["pen", "watch"])
def test_a_link_that_was_replaced_elsewhere_is_refused_and_the_new_one_can_be_shown(
    ledger: Ledger, elsewhere: Ledger, right: SecretName
) -> None:
    game, other = short.begun(ledger, "Anna", "Bernd"), "watch" if right == "pen" else "pen"
    take(elsewhere, ledger)
    old, kept = elsewhere.link_secret(game, right), elsewhere.link_secret(game, other)
    games.replace_secret(ledger, game, right, PROGRAM)

    assert take(elsewhere, ledger) == Taken(continued=1)
    new = elsewhere.link_secret(game, right)
    assert old and new and old != new
    assert elsewhere.rights.of_secret(game, old) is None
    assert elsewhere.rights.of_secret(game, new) == right
    assert elsewhere.link_secret(game, other) == kept


def test_a_code_on_paper_ends_where_a_copy_replaces_it(ledger: Ledger, elsewhere: Ledger) -> None:
    game = short.begun(elsewhere, "Anna", "Bernd")
    games.replace_secret(elsewhere, game, "paper", PROGRAM)
    printed = elsewhere.link_secret(game, "paper")
    take(ledger, elsewhere)
    short.record(ledger, game, 0, 35)
    take(elsewhere, ledger)
    assert printed and elsewhere.rights.of_secret(game, printed) == "watch"
    games.replace_secret(ledger, game, "paper", PROGRAM)

    assert take(elsewhere, ledger) == Taken(continued=1)
    assert elsewhere.rights.of_secret(game, printed) is None
    assert elsewhere.link_secret(game, "paper") is None


def test_no_link_opens_an_evening_that_was_erased_from_the_bin_elsewhere(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    known, new = short.begun(ledger, "Anna", "Bernd"), short.begun(ledger, "Anna", "Bernd")
    take_copy(elsewhere, [ledger.export(known)])
    pen = elsewhere.link_secret(known, "pen")
    discard(ledger, known)
    discard(ledger, new)

    assert take(elsewhere, ledger) == Taken(new=1, continued=1)
    assert pen and elsewhere.rights.of_secret(known, pen) is None
    for game in (known, new):
        assert elsewhere.link_secret(game, "pen") is elsewhere.link_secret(game, "watch") is None


# ---- groups --------------------------------------------------------------------------


def test_an_evening_that_left_its_group_elsewhere_leaves_it(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = found(ledger)
    game = opened(ledger, group)
    games.end_game(ledger, game, PROGRAM)
    take(elsewhere, ledger)
    groups.release_game(ledger, group, game, PROGRAM)
    games.reopen_game(ledger, game, PROGRAM)
    short.record(ledger, game, 3, 0, 8)
    games.end_game(ledger, game, PROGRAM)

    assert take(elsewhere, ledger) == Taken(continued=2)
    assert elsewhere.group_of(game) is None
    assert not elsewhere.seasons.evenings(group)
    assert elsewhere.export(group) == ledger.export(group)
    assert games.reopen_game(elsewhere, game, PROGRAM).sheet.rows
    assert check(elsewhere).clean


def test_an_evening_of_a_group_that_was_erased_from_the_bin_elsewhere_leaves_its_season(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = found(ledger)
    game, other = opened(ledger, group), opened(ledger, group)
    take(elsewhere, ledger)
    discard(ledger, game)

    assert take(elsewhere, ledger) == Taken(continued=2)
    assert [one.game for one in elsewhere.seasons.evenings(group)] == [other]
    assert elsewhere.export(game) == ledger.export(game)
    assert check(elsewhere).clean


@pytest.mark.parametrize("order", [1, -1])
def test_an_evening_moves_to_another_group_as_it_did_elsewhere(
    ledger: Ledger, elsewhere: Ledger, order: int
) -> None:
    group, other = found(ledger), found(ledger, "Kegelclub")
    game = opened(ledger, group)
    games.end_game(ledger, game, PROGRAM)
    take(elsewhere, ledger)
    groups.release_game(ledger, group, game, PROGRAM)
    groups.admit_game(ledger, other, game, PROGRAM)
    both = list(read_copy("".join(copy_lines(ledger)).encode()))

    assert take_copy(elsewhere, both[::order]) == Taken(continued=2)
    assert elsewhere.group_of(game) == other
    assert {*copy_lines(elsewhere)} == {*copy_lines(ledger)}
    assert check(elsewhere).clean


def test_an_evening_stays_in_its_group_though_another_one_admitted_it_elsewhere(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    game = short.begun(ledger, *PLAYERS)
    take(elsewhere, ledger)
    here, there = found(elsewhere), found(ledger, "Kegelclub")
    groups.admit_game(elsewhere, here, game, PROGRAM)
    groups.admit_game(ledger, there, game, PROGRAM)
    short.record(ledger, game, 0, 35, 12)
    games.end_game(ledger, game, PROGRAM)

    assert take(elsewhere, ledger) == Taken(diverged=1)
    assert elsewhere.export(game) == ledger.export(game)
    assert elsewhere.group(here).booked[game].amounts
    assert elsewhere.groups() == (here,)
    assert check(elsewhere).clean
    groups.release_game(elsewhere, here, game, PROGRAM)
    assert take(elsewhere, ledger) == Taken(new=1)
    assert elsewhere.group_of(game) == there
    assert check(elsewhere).clean


def test_an_older_copy_of_a_group_is_known_though_its_evening_has_moved_here(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = found(ledger)
    game = opened(ledger, group)
    take(elsewhere, ledger)
    groups.release_game(elsewhere, group, game, PROGRAM)
    groups.admit_game(elsewhere, found(elsewhere, "Kegelclub"), game, PROGRAM)

    assert take(elsewhere, ledger) == Taken(known=1)


# ---- diverged ------------------------------------------------------------------------


def test_an_evening_continued_in_two_ways_keeps_result_and_money_of_here(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = found(ledger)
    game = opened(ledger, group)
    take(elsewhere, ledger)
    short.record(ledger, game, 0, 50, 60)
    games.end_game(ledger, game, PROGRAM)
    short.record(elsewhere, game, 90, 0, 80)
    short.record(elsewhere, game, 70, 0, 90)
    assert ledger.version(game) == elsewhere.version(game)

    assert take(elsewhere, ledger) == Taken(diverged=1)
    assert len(elsewhere.group(group).evenings) == 1
    assert not any(elsewhere.group(group).balance("ct"))
    assert [one.over for one in elsewhere.seasons.evenings(group)] == [False]
    assert check(elsewhere).clean


def test_somebody_who_joined_only_the_other_course_of_an_evening_has_no_seat_here(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    group = found(ledger)
    game = opened(ledger, group)
    take(elsewhere, ledger)
    games.add_player(ledger, game, "Dora", PROGRAM)
    games.end_game(ledger, game, PROGRAM)
    short.record(elsewhere, game, 3, 0, 8)
    assert take(elsewhere, ledger) == Taken(diverged=1)
    games.add_player(elsewhere, game, "Emil", PROGRAM)
    games.end_game(elsewhere, game, PROGRAM)

    assert elsewhere.group(group).players == (*PLAYERS, "Dora", "Emil")
    assert elsewhere.group(group).evenings[game].members == (0, 1, 2, 4)
    assert check(elsewhere).clean
    imports.read_group(*sent(elsewhere, group))


# ---- as it was -----------------------------------------------------------------------


def with_points_of_earlier_rules(ledger: Ledger, game: str) -> None:
    """Record a round for which today's rules would give 35 points."""
    number = len(ledger.game(game).sheet.written) + 1
    payload = as_stored(score_for(ledger.game(game), short.facts(0, 35, 12)).payload(number))
    payload["score"]["scores"][1][0] = payload["score"]["lines"][0]["minus"] = 36
    with ledger.book_transaction(game) as transaction:
        transaction.append("round", payload, at=now(), by="pen")


@pytest.mark.parametrize("in_group", [False, True])
def test_points_that_were_accepted_as_they_were_are_known_when_they_come_again(
    ledger: Ledger, elsewhere: Ledger, in_group: bool
) -> None:
    game = opened(ledger, found(ledger)) if in_group else short.begun(ledger, *PLAYERS)
    with_points_of_earlier_rules(ledger, game)
    take(elsewhere, ledger)
    with set_clock("2030-01-01T20:00:00Z"):
        assert take(elsewhere, ledger) == Taken(known=1)
        short.record(elsewhere, game, 3, 0, 8)
        assert take(elsewhere, ledger) == Taken(known=1)
        assert take(ledger, elsewhere) == Taken(continued=1)
        short.record(ledger, game, 6, 0, 8)
        assert take(elsewhere, ledger) == Taken(continued=1)

    assert elsewhere.game(game).as_it_was
    assert ledger.export(game) == elsewhere.export(game)
    assert check(elsewhere).clean


def test_an_installation_does_not_accept_its_own_points_again(ledger: Ledger) -> None:
    game = short.begun(ledger, *PLAYERS)
    with_points_of_earlier_rules(ledger, game)
    before = ledger.version(game)

    assert take(ledger, ledger) == Taken(known=1)
    assert ledger.version(game) == before
