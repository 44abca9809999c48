"""Board, settlement and history: the pages for everyone at the table."""

import re

import pytest

from rest import EVENING
from scorekeeper.services import games
from scorekeeper.store import cache
from scorekeeper.store.sqlite.engine import Engine
from web.pages.conftest import words


@pytest.fixture
def evening(anna) -> str:
    """The evening of the examples, typed in English notation."""
    game = anna.begin(name=["A", "B", "C", "D"], point_value="1/10", unit="Pf")
    for played in EVENING["rounds"]:
        fields = {"notation": "en", "hand_romme": "yes" if played.get("hand_romme") else ""}
        for seat, said in enumerate(played["seats"]):
            fields[f"way-{seat}"] = "points" if "points" in said else "cards"
            fields[f"hand-{seat}"] = str(said.get("points", said.get("hand", "")))
            fields[f"melds-{seat}"] = "\n".join(said.get("melds", ()))
            fields[f"discard-{seat}"] = said.get("discard", "")

        assert anna.enter(game, played["winner"], **fields).status_code == 303
    return game


def test_the_board_shows_totals_ranks_and_the_leader(anna, evening):
    board = words(anna.get(evening).text)

    assert "A 220 2. Platz B 360 3. Platz C 140 führt D 490 4. Platz" in board
    assert "Handrommé von A, Punkte doppelt" in board
    assert "D gibt 13 Karten A beginnt" in board


def test_the_board_asks_to_recount_points_that_no_hand_can_have(anna):  # RULES 6.6.10
    game = anna.begin(name=["A", "B", "C", "D"])
    anna.enter(game, 0, hand__1="12", hand__2="234", hand__3="60")

    assert "C 234: bitte nachzählen" in words(anna.get(game).text)

    anna.send(f"{game}/round/1/correct", hand__2="23", do="save")

    assert "bitte nachzählen" not in words(anna.get(game).text)


def test_what_follows_from_a_house_rule_is_not_counted_as_another(anna):
    game = anna.begin(name=["A", "B", "C", "D"], preset="gin-palast", teams="yes")

    assert "viel gewinnt, eine Hausregel" in words(anna.get(game).text)
    assert "Üblich: 10" not in words(anna.get(f"{game}/rules").text)


def test_a_board_in_memory_asks_the_database_for_right_and_version_only(anna, monkeypatch):
    monkeypatch.setattr(cache, "HEADS_TTL_S", 10**6)
    game = anna.begin()
    anna.enter(game, 0, hand__1="12", hand__2="5", hand__3="8")
    anna.get(game)
    asked: list[str] = []
    rows = Engine.rows
    monkeypatch.setattr(Engine, "rows", lambda *query: asked.append(query[1]) or rows(*query))

    assert "Runde 1" in words(anna.get(game).text)
    assert len(asked) == 2, asked


def test_the_settlement_matches_the_table_in_the_source(anna, evening):
    page = words(anna.get(f"{evening}/settlement").text)

    assert "gegen A · −140 +80 −270 gegen B +140 · +220 −130" in page
    assert "gegen C −80 −220 · −350 gegen D +270 +130 +350 ·" in page
    assert "zusammen +330 −230 +650 −750" in page
    assert "Probe stimmt: alle Punkte (1210) weniger 4 × die eigenen." in page
    assert "in Pf +33 −23 +65 −75" in page
    assert "Summe 0." in page
    assert "D zahlt C 65 Pf B zahlt A 23 Pf D zahlt A 10 Pf" in page


def test_a_paid_payment_shows_its_date_and_can_be_unmarked(anna, evening):
    anna.send(f"{evening}/settlement/1", page=f"{evening}/settlement", paid="yes")

    assert words(anna.get(f"{evening}/settlement").text).count("bezahlt, ") == 1

    anna.send(f"{evening}/settlement/1", page=f"{evening}/settlement", paid="no")

    assert "bezahlt, " not in words(anna.get(f"{evening}/settlement").text)
    assert anna.send(f"{evening}/settlement/9", page=f"{evening}/settlement").status_code == 404


def plain(html):
    return words(html).replace("&nbsp; ", " ").replace("\xa0", " ")


def test_payments_stay_made_after_a_correction(anna):  # S13
    game = anna.begin(point_value="1", unit="ct")
    anna.enter(game, 0, hand__1="10", hand__2="20", hand__3="30")
    anna.send(f"{game}/settlement/0", page=f"{game}/settlement", paid="yes")
    anna.send(f"{game}/round/1/correct", hand__3="50", do="save")
    page = plain(anna.get(f"{game}/settlement").text)

    assert "0,60 € sind noch offen, 0,60 € von 1,20 € sind bezahlt" in page
    assert page.index("Schon bezahlt Dieter zahlt Anna bezahlt, ") > page.index("0,40")
    assert "Dieter zahlt Bernd 0,40 € Dieter zahlt Anna 0,20 €" in page
    assert "es bleiben noch 2 Zahlungen" in page
    history = plain(anna.get(f"{game}/history").text)
    assert "Dieter hat Anna 0,60 € bezahlt" in history


def test_all_payments_made_are_still_shown(anna, evening):
    for number in range(3):
        anna.send(f"{evening}/settlement/{number}", page=f"{evening}/settlement", paid="yes")
    page = plain(anna.get(f"{evening}/settlement").text)

    assert "98 Pf sind bezahlt, niemand zahlt mehr." in page
    assert page.count("bezahlt, ") == 4


def test_absent_players_do_not_break_the_check_line(anna, game):
    anna.enter(game, 2, hand__0="33", hand__1="12", absent__3="yes")
    page = anna.get(f"{game}/settlement").text

    assert "Probe stimmt:" not in page
    assert "Jede Runde zählt nur zwischen denen, die dabei waren." in page


def test_without_a_stake_only_points_are_settled(anna):
    game = anna.begin(point_value="")
    page = anna.get(f"{game}/settlement").text

    assert "Ohne Einsatz: nur die Punkte." in page


def test_an_unchanged_board_is_a_304(anna, evening):
    anna.get(evening)
    tag = anna.get(evening).headers["ETag"]

    assert anna.get(evening, **{"If-None-Match": tag}).status_code == 304

    anna.enter(evening, 2, **{f"hand-{seat}": "9" for seat in (0, 1, 3)})

    assert anna.get(evening, **{"If-None-Match": tag}).status_code == 200


def test_a_cached_board_is_not_shown_in_another_language(anna, evening):
    tag = anna.get(evening).headers["ETag"]

    assert anna.get(evening, **{"If-None-Match": tag, "Accept-Language": "en"}).status_code == 200


def test_the_history_shows_previous_entries(anna, game):
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    anna.send(f"{game}/round/1/correct", hand__0="43", do="save")
    anna.send(f"{game}/round/1/strike", page=game)
    page = words(anna.get(f"{game}/history").text)

    assert page.index("Runde 1 zurückgenommen") < page.index("Runde 1 geändert")
    assert "vorher: Anna 33, Bernd 12, Claire 0, Dieter 60" in page
    assert "nachher: Anna 43, Bernd 12, Claire 0, Dieter 60" in page


def test_times_are_shown_in_the_configured_time_zone(app, anna, monkeypatch):
    app.config["TIMEZONE"] = "Europe/Luxembourg"
    monkeypatch.setattr(games, "now", lambda: "2026-06-12T22:30:05Z")
    game = anna.begin()

    assert "13. Juni 2026, 00:30" in anna.get(f"{game}/history").text


def test_the_score_sheet_is_a_pdf(anna, evening):
    paper = anna.get(f"{evening}/sheet.pdf")

    assert paper.mimetype == "application/pdf"
    assert paper.data.startswith(b"%PDF")


def test_a_long_pad_shows_its_last_rounds_and_all_on_request(anna):
    game = anna.begin(name=["Anna", "Bernd"])
    for _ in range(42):
        anna.enter(game, 0, hand__1="5")

    def numbers(path: str) -> list[int]:
        return [int(n) for n in re.findall(r'/round/(\d+)"[^>]*>\1<', anna.get(path).text)]

    assert numbers(game) == list(range(3, 43))
    assert "Alle 42 Runden zeigen" in anna.get(game).text
    assert numbers(f"{game}?all=yes") == list(range(1, 43))


def test_the_settlement_explains_the_stake_of_the_table(anna):  # RULES 9.7
    stake = {"money": "yes", "point_value": "", "unit": "Pf", "stake": "2,5"}
    game = anna.begin(**stake, **{"settle.mode": "none"})
    anna.enter(game, 0, hand__1="10", hand__2="5", hand__3="7")

    running = words(anna.get(f"{game}/settlement").text)
    anna.send(f"{game}/end", page=f"{game}/more")
    over = words(anna.get(f"{game}/settlement").text)

    assert "Ist die Partie vorbei, zahlt jeder Verlierer dem Sieger 2,5 Pf." in running
    assert "Ihr seid quitt" in running
    assert "Tischeinsatz: Jeder Verlierer zahlt dem Sieger 2,5 Pf." in over
    assert "Tischeinsatz +7,5" in over
    assert "Bernd zahlt Anna" in over
    assert "Tischeinsatz +7,5" in words(anna.get(f"{game}/print").text)


def test_an_impossible_settlement_is_explained_everywhere(anna):
    game = anna.begin(**{"settle.mode": "balance"})
    anna.enter(game, 0, hand__1="10", hand__2="5", hand__3="7")

    paid = anna.send(f"{game}/settlement/0", page=f"{game}/more", paid="yes")

    for answer in (anna.get(f"{game}/export.csv?table=settlements"), paid):
        assert answer.status_code == 422
        assert "Die Stände ergeben zusammen" in words(answer.text)


def test_the_table_of_an_evening_is_offered_for_a_spreadsheet(anna):
    game = anna.begin()
    anna.enter(game, 0, hand__1="5", hand__2="7", hand__3="8")
    link = f"{game}/export.csv"

    assert f'href="{link}"' in anna.get(f"{game}/more").text
    head, first, *_ = anna.get(link).text.splitlines()
    assert "Anna" in head
    assert first.startswith("1;")
