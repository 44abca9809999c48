"""The end of an evening: who has won, who pays, how it came about."""

import io
import re

import pytest
from PIL import Image
from pypdf import PdfReader

from scorekeeper.cli.output import game_lines
from scorekeeper.i18n import language
from scorekeeper.pdf import evening_picture
from scorekeeper.pdf.picture import Picture
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from scorekeeper.web.pages.end import size_of
from scorekeeper.web.pages.settlement import in_one_message, payments
from scorekeeper.wording.sheet import Words
from web.pages.conftest import NAMES, words


def ended(reader, game: str) -> str:
    reader.send(f"{game}/end", page=f"{game}/more")
    return game


@pytest.fixture
def evening(anna) -> str:
    """Three rounds that are paid for, and over."""
    game = anna.begin(unit="ct", point_value="1", title="Freitagsrunde")
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    anna.enter(game, 0, hand__1="20", hand__2="30", hand__3="40")
    anna.enter(game, 2, hand__0="5", hand__1="25", hand__3="10")
    return ended(anna, game)


def test_a_finished_game_names_its_winner_on_the_board_and_on_television(anna, played):
    ended(anna, played)

    for view in ("", "/tv"):
        page = words(anna.get(played + view).text)
        assert "führt" not in page
        assert "Claire gewinnt. Ihr habt es beendet." in page


def test_players_who_share_first_place_win_together(anna, game):
    anna.enter(game, 2, hand__0="10", hand__1="30", hand__3="30")
    anna.enter(game, 0, hand__1="30", hand__2="10", hand__3="30")
    ended(anna, game)

    assert "Anna und Claire gewinnen." in words(anna.get(game).text)
    assert "Anna Claire 10 Minuspunkte" in words(anna.get(f"{game}/end").text)


BEHIND = {
    "de": "Dieter war nur bei einer von 3 Runden dabei und steht deshalb hinter den anderen.",
    "en": "Dieter played only one of 3 rounds and is therefore ranked after the others.",
    "lb": "Dieter war nëmmen an enger vun 3 Ronnen dobäi a steet dofir hannert deenen aneren.",
    "fr": "Dieter n’a joué que 1 manche sur 3 et se classe donc derrière les autres.",
}


@pytest.mark.parametrize("code", BEHIND)
def test_a_player_who_missed_too_many_rounds_does_not_win_and_is_told_why(
    app, anna, game, code, monkeypatch
):
    anna.enter(game, 3, hand__0="10", hand__1="20", hand__2="30")
    for _ in range(2):
        anna.enter(game, 0, hand__1="20", hand__2="30", absent__3="yes")
    anna.headers = {"Accept-Language": code}

    assert BEHIND[code] in words(anna.get(game).text)

    ended(anna, game)

    for view in ("", "/tv", "/end"):
        assert BEHIND[code] in words(anna.get(game + view).text)
    assert re.search(r'<li class="first"><small>[^<]*<span>Anna', anna.get(f"{game}/end").text)

    drawn = []
    monkeypatch.setattr(Picture, "_text", lambda _, at, text, *look, **more: drawn.append(text))
    evening_picture(app.extensions["ledger"].game(game[3:]), language(code), title="")

    assert BEHIND[code] in drawn

    paper = PdfReader(io.BytesIO(anna.get(f"{game}/settlement.pdf").data)).pages[0].extract_text()

    assert BEHIND[code] in " ".join(paper.split())


def test_partners_are_named_in_full_in_the_picture(app, anna, monkeypatch) -> None:
    """A name that is too wide for its place is written smaller."""
    game = anna.begin(preset="gin-palast", teams="yes")
    drawn = []
    monkeypatch.setattr(Picture, "_text", lambda _, at, text, *look, **more: drawn.append(text))
    evening_picture(app.extensions["ledger"].game(game[3:]), language("de"), title="")
    a, b, c, d = NAMES[:4]

    assert {f"{a} + {c}", f"{b} + {d}"} <= {*drawn}


def test_a_team_that_wins_is_two_people(anna):
    game = anna.begin(preset="gin-palast", teams="yes")
    held = {f"hand-{seat}": str(points) for seat, points in enumerate((3, 60, 2, 60))}
    anna.send(f"{game}/round", outcome="knock", knocker="0", do="save", **held)
    a, _, c, _ = NAMES[:4]

    board = words(anna.get(game).text)

    assert f"{a} + {c} gewinnen. {a} + {c} haben 100 Punkte erreicht." in board
    assert f"{a} + {c} gewannen gegen" in words(anna.get("/").text)


def test_a_team_that_pays_is_two_people(app, anna):
    game = anna.begin(preset="gin-palast", teams="yes", unit="ct", point_value="1")
    held = {f"hand-{seat}": str(points) for seat, points in enumerate((3, 60, 2, 60))}
    anna.send(f"{game}/round", outcome="knock", knocker="0", do="save", **held)
    settled = app.extensions["ledger"].game(game[3:])
    (payment,) = settled.payments
    payer, payee = (settled.sides[side] for side in (payment.payer, payment.payee))
    pays = f"{payer} zahlen {payee}"

    assert pays in words(anna.get(f"{game}/end").text)
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert pays in in_one_message(settled, payments(settled))
    assert pays in words(anna.get(f"{game}/print").text)
    assert pays in "\n".join(game_lines(settled, language("de")))
    assert pays in Words(settled, language("de")).pays(payer, payee)


def test_without_a_round_nobody_has_won(anna, game):
    page = words(anna.get(ended(anna, game)).text)

    assert "Das Spiel ist aus. Ihr habt es beendet." in page
    assert "Heute hat niemand gewonnen." in words(anna.get(f"{game}/end").text)
    assert anna.get(f"{game}/picture.png").status_code == 200


def test_ending_the_evening_leads_to_the_winner(anna, game):
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    answer = anna.send(f"{game}/end", page=f"{game}/more")

    assert answer.location == f"{game}/end"


def test_the_end_is_shown_only_when_it_has_come(anna, game):
    assert anna.get(f"{game}/end").location == game


def test_the_end_names_the_winner_the_payments_and_how_it_came_about(anna, evening):
    page = words(anna.get(f"{evening}/end").text)

    assert "Der Abend gehört Claire 30 Minuspunkte, 2 Runden gewonnen" in page
    assert "1. Claire 30 2. Anna 38 3. Bernd 57 4. Dieter 110" in page
    assert re.search(r"Dieter zahlt Claire \d,\d\d €", page)
    assert page.index("Wer zahlt wem") < page.index("So ist gerechnet") < page.index("Wie es kam")
    assert "Die letzte Runde geht an Claire." in page


def test_one_unit_is_used_throughout(anna, evening):
    page = words(anna.get(f"{evening}/end").text)

    assert not re.search(r"\d ct\b", page.replace("Cent", "ct"))


def test_a_tick_at_the_end_returns_to_the_end(anna, evening):
    answer = anna.send(f"{evening}/settlement/0", page=f"{evening}/end", paid="yes")

    assert answer.location.startswith(f"{evening}/end")
    assert "bezahlt, " in words(anna.get(f"{evening}/end").text)


def test_watchers_see_the_end_but_cannot_begin_a_rematch(app, anna, bernd, evening):
    game = evening.rpartition("/")[2]
    _, watch = games.replace_secret(app.extensions["ledger"], game, "watch", write=Write())
    bernd.post("/enter", {**bernd.form("/enter"), "code": f"{game}.{watch}"})
    page = bernd.get(f"{evening}/end").text

    assert "Der Abend gehört" in page
    assert "Revanche" not in page
    form = {**bernd.form("/enter"), "key": "again"}
    assert bernd.post(f"{evening}/rematch", form).status_code == 403


def test_the_rematch_has_the_same_table_and_the_next_dealer(anna, evening):
    again = anna.send(f"{evening}/rematch", page=f"{evening}/end")
    board = words(anna.get(again.location).text)

    assert again.status_code == 303
    assert again.location != evening
    assert "Freitagsrunde" in board
    assert all(name in board for name in NAMES)
    assert "Dieter gibt" in board


def test_a_rematch_that_is_sent_twice_begins_once(anna, evening):
    form = anna.form(f"{evening}/end")
    first, second = (anna.post(f"{evening}/rematch", form) for _ in range(2))

    assert first.location == second.location


def test_the_rematch_of_a_group_is_its_next_evening(anna, stammtisch):
    game = anna.next_evening(stammtisch)
    anna.enter(game, 0, hand__1="10", hand__2="20", hand__3="30")
    ended(anna, game)
    again = anna.send(f"{game}/rematch", page=f"{game}/end").location

    assert anna.get(f"{stammtisch}/e/{again.rpartition('/')[2]}").status_code == 200


def test_a_rematch_needs_a_name_for_everybody(anna, evening):
    anna.send(f"{evening}/names/1")
    answer = anna.send(f"{evening}/rematch", page=f"{evening}/end")

    assert answer.status_code == 422
    assert "Spieler 2 hat keinen Namen mehr." in words(answer.text)


def test_the_picture_for_the_chat_is_drawn_here(anna, evening):
    answer = anna.get(f"{evening}/picture.png")

    assert answer.mimetype == "image/png"
    assert Image.open(io.BytesIO(answer.data)).size == (1080, 1350)
    assert anna.get(f"{evening}/picture.png").data == answer.data


def test_picture_and_sheet_say_where_a_friend_finds_the_program(app, anna, evening):
    def printed() -> str:
        pages = PdfReader(io.BytesIO(anna.get(f"{evening}/sheet.pdf").data)).pages
        return " ".join(page.extract_text() for page in pages)

    plain, paper = anna.get(f"{evening}/picture.png").data, printed()
    app.config["PUBLIC_URL"] = "https://karten.example.org"

    assert anna.get(f"{evening}/picture.png").data != plain
    assert "Geschrieben mit scorekeeper: karten.example.org" in printed()
    assert "scorekeeper:" not in paper


def test_players_who_never_played_have_no_rank_at_the_end(anna, game):
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    anna.send(f"{game}/players", page=f"{game}/more", name="Emil")
    page = words(anna.get(f"{ended(anna, game)}/end").text)

    assert "1. Claire 0 2. Bernd 12 3. Anna 33 4. Dieter 60 So ist gerechnet" in page


@pytest.mark.parametrize(
    ("name", "size"), [("anna", ""), ("anna-so", "fit-9"), ("MMM", ""), ("MMMM", "fit-9")]
)
def test_the_winner_has_letters_that_fit_the_name(name: str, size: str) -> None:
    """An ordinary small letter is 1 wide, and 5.4 fit in the largest letters."""
    assert size_of([name]) == size
