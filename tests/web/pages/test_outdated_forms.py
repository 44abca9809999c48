"""Forms of rounds that are outdated when they are sent: they stay with their round."""

import pytest

from web.pages.conftest import words


@pytest.fixture
def game(anna):
    game = anna.begin(point_value="1/10", unit="ct", title="Freitag", place="Küche")
    anna.enter(game, 0, **{f"hand-{seat}": str(10 * seat) for seat in (1, 2, 3)})
    anna.enter(game, 1, **{f"hand-{seat}": str(seat) for seat in (0, 2, 3)}, note="knapp")
    return game


def points(app, game, number):
    return [
        score.minus
        for score in app.extensions["ledger"].game(game[3:]).sheet.row(number).score.scores
    ]


@pytest.mark.parametrize("do", ["save", "check"])
def test_a_correction_stays_with_its_round_when_a_missed_one_comes_before(anna, app, game, do):
    page, missed = f"{game}/round/2/correct", f"{game}/round/1/insert"
    slow = anna.filled(page, hand__0="77", do=do)
    seven = {"hand-0": "7", "hand-1": "7", "hand-3": "7", "winner": "2", "do": "save"}
    anna.post(missed, anna.filled(missed, **seven))
    answer = anna.post(page, slow)

    assert answer.status_code == (409 if do == "save" else 200)
    assert "Deine hat jetzt die Nummer 3." in words(answer.text)
    assert "Runde 3 ändern" in words(answer.text)
    assert f'action="{game}/round/3/correct"' in answer.text

    again = anna.post(f"{game}/round/3/correct", {**anna.form_in(answer), "do": "save"})

    assert again.status_code == 303
    assert [points(app, game, number)[0] for number in (1, 2, 3)] == [7, 0, 77]


def test_a_missed_round_keeps_its_place_when_another_one_comes_before(anna, app, game):
    late, early = f"{game}/round/2/insert", f"{game}/round/1/insert"
    fields = {"hand-1": "8", "hand-2": "9", "hand-3": "9", "winner": "0", "do": "save"}
    slow = anna.filled(late, **fields)
    seven = {"hand-0": "7", "hand-1": "7", "hand-3": "7", "winner": "2", "do": "save"}
    anna.post(early, anna.filled(early, **seven))
    answer = anna.post(late, slow)

    assert answer.status_code == 409
    assert f'action="{game}/round/3/insert"' in answer.text

    anna.post(f"{game}/round/3/insert", {**anna.form_in(answer), "do": "save"})

    assert [points(app, game, number)[1] for number in (1, 2, 3, 4)] == [7, 10, 8, 0]


def test_a_check_of_an_outdated_form_does_not_make_it_current(anna, game):
    """Both enter round 3. To look at the result first must not avoid the question."""
    slow = anna.filled(f"{game}/round", winner="3", hand__0="1", hand__1="2", hand__2="3")
    anna.enter(game, 3, **{"hand-0": "1", "hand-1": "2", "hand-2": "4"})
    checked = anna.post(f"{game}/round", {**slow, "do": "check"})
    answer = anna.post(f"{game}/round", {**anna.form_in(checked), "do": "save"})

    assert answer.status_code == 409
    assert "Jemand hat Runde 3 gerade schon gespeichert." in words(answer.text)


@pytest.mark.parametrize("place", ["round", "round/1/correct", "round/2/insert"])
def test_a_withdrawn_round_that_cannot_be_judged_any_more_is_recognised(anna, game, place):
    page = f"{game}/{place}"
    fields = {"hand-0": "7", "hand-1": "8", "hand-3": "9", "winner": "2", "do": "save"}
    form = anna.filled(page, **fields)
    assert anna.post(page, form).status_code == 303
    anna.send(f"{game}/players", page=f"{game}/more", name="Emil")
    answer = anna.post(page, {**form, "version": "0"})  # as outbox.js asks

    assert answer.status_code == 422
    assert "data-recorded" in answer.text
