"""Every rule system on the phone: its fields, its numbers and their explanation."""

import json
import re
from html import unescape

import pytest

from examples import EVENINGS, evening_of, evening_rules
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES
from scorekeeper.web.pages.entry import fields as forms
from scorekeeper.web.pages.entry.layout import EntryLayout
from scorekeeper.wire.rounds import load_round
from web.pages.conftest import KEY, pad_line, words

TWO = ["Anna", "Bernd"]
SPECIAL = {"oklahoma_card", "hirschn_caller", "hirschn_turns", "glass_by"}
SPECIAL |= {"aces", "joker_discarded", "drawn", "drawn_card", "hand_romme", "first_meld", "absent"}


def begin(anna, body, **more) -> str:
    """Begin the evening of an example by the form."""
    fields = {"preset": body["rules"]["preset"], "name": [one["name"] for one in body["players"]]}
    for name, value in body["rules"].get("options", {}).items():
        fields[name] = {True: "yes", False: "no"}.get(value, str(value))
    stake = body.get("stake", {"point_value": ""})
    return anna.begin(**fields, **stake, **more)


def gin(anna, names=TWO, **options) -> str:
    options = {name.replace("__", "."): value for name, value in options.items()}
    return anna.begin(preset="gin-palast", name=names, **options)


def knocked(anna, game, *deadwood: int, knocker: int = 0, **fields):
    held = {f"hand-{seat}": str(points) for seat, points in enumerate(deadwood)}
    return anna.send(f"{game}/round", **{"knocker": str(knocker), "do": "save", **held, **fields})


def field_names(anna, game) -> set[str]:
    """Return the names of all fields of the entry form without seats, filled in or not."""
    page = anna.get(f"{game}/round").text
    names = re.findall(r'<(?:input|select|textarea)[^>]* name="([\w.]+)', page)
    return {name.partition("-")[0] for name in names}


# ---- fields ------------------------------------------------------------------------


def test_plain_gin_asks_for_no_special_rule(anna):
    assert not field_names(anna, gin(anna)) & SPECIAL


@pytest.mark.parametrize(
    ("option", "fields"),
    [
        ("gin.oklahoma", {"oklahoma_card"}),
        ("gin.hirschn", {"hirschn_caller", "hirschn_turns"}),
        ("gin.glass", {"glass_by"}),
        ("gin.tedesco", {"aces", "drawn", "drawn_card"}),
        ("gin.joker_rule", {"joker_discarded"}),
    ],
)
def test_a_special_rule_adds_its_own_fields_only(anna, option, fields):
    game = gin(anna, **{option: "yes"})

    found = {name for name in field_names(anna, game) if name.startswith(tuple(SPECIAL))}

    assert found & SPECIAL == fields


@pytest.mark.parametrize("preset", PRESETS)
def test_the_form_has_only_fields_of_its_family(preset):
    rules = PRESETS[preset]
    asks = EntryLayout(rules)
    names = {field.name for field in asks.fields}

    first = rules.meld.first_min or rules.meld.max_per_turn
    assert ("first_meld" in names) == (rules.family == "lay" and bool(first))
    swaps = rules.family == "lay" and rules.has_wild_cards and rules.joker.swap != "none"
    assert ("swaps" in names) == swaps
    assert ("layoffs" in names) == (rules.family in ("lay", "gin"))
    assert ("absent" in names) == (rules.family != "gin")
    assert ("void" in asks.outcomes) == (rules.stock.exhausted == "void_at_two")


def test_the_winner_has_fields_for_a_rest_or_for_cards():
    ways = {name: EntryLayout(PRESETS[name]).ender_holds for name in PRESETS}

    assert ways["german-family"] == ()
    assert ways["wiener"] == ("points", "ranks", "cards")
    assert ways["american-continental"] == ("cards",)
    assert ways["gin-palast"] == ways["knock-rummy"] == ("points", "ranks", "cards")


def test_fields_of_another_way_of_entry_are_ignored():
    rules = PRESETS["gin-palast"].override({"gin.tedesco": True, "gin.joker_rule": True})
    form = {"knocker": "0", "joker_discarded-0": "yes", "aces-1": "2", "melds-1": "7C 8C 9C"}
    form |= {"way-0": "cards", "way-1": "ranks", "hand-0": "KH", "hand-1": "A 2"}

    body = forms.round_body(form, 2, rules)

    assert "joker_discarded" not in body
    assert body["seats"][1] == {"rest": "A 2"}


SAID = {
    "and": ["{others} und Anna", "{others} und Bernd"], "fits": "Alles da.",
    "is_missing": "Es fehlt: {players}.", "missing": "fehlt",
    "so_far": "Bisher {sum}.", "thousands": "",
}  # fmt: skip
SAID_OUT = {"who": "Wer ist fertig?", "out": "Rommé", "marks": {"out": "Rommé"}}
SAID_KNOCK = {
    "who": "Wer hat geklopft?", "out": "geklopft", "dealt": 10,
    "cards_of": "{entered} von 10 Karten",
}  # fmt: skip
SAID_GIN = {
    **SAID_KNOCK,
    "marks": {
        "knock": "geklopft", "undercut": "Undercut",
        "gin": "Gin", "small_gin": "Kleines Gin", "big_gin": "Großes Gin",
    },
    "parts": {
        "difference": "Unterschied", "undercut": "Undercut", "box": "für die Runde",
        "gin": "Gin", "small_gin": "Kleines Gin", "big_gin": "Großes Gin",
    },
    "stays": "{player} bleibt bei", "sides": TWO, "totals": [59, 0],
}  # fmt: skip
SAID_RUMMY = {"marks": {"knock": "geklopft", "rummy": "Rommé"}}


@pytest.mark.parametrize(
    ("preset", "fields", "said"),
    [
        ("german-family", {"winner": "0"}, {**SAID_OUT, "hand_romme": "Handrommé ×2"}),
        (
            "wiener",
            {"winner": "0"},
            {**SAID_OUT, "dealt": 13, "cards_of": "{entered} von 13 Karten"},
        ),
        ("gin-palast", {"knocker": "0", "how": "gin"}, SAID_GIN),
        ("knock-rummy", {"knocker": "0", "hand-0": "0"}, {**SAID_KNOCK, **SAID_RUMMY}),
    ],
)
def test_the_form_brings_all_words_for_counting_in_the_browser(anna, preset, fields, said):
    game = anna.begin(preset=preset, name=TWO)
    assert anna.send(f"{game}/round", do="save", hand__1="24", **fields).status_code == 303

    page = anna.get(f"{game}/round").text

    assert json.loads(unescape(re.search(r"data-said='([^']*)'", page)[1])) == {**SAID, **said}


@pytest.mark.parametrize(
    ("preset", "fields", "captions"),
    [
        (
            "german-family",
            {"winner": "0", "melds-1": "H7 H8 H9\nP4 Ka4 H4\nKr2 Joker Kr4"},
            ["Reihe 24", "Satz 12", "Reihe 9, Joker als Kreuz 3"],
        ),
        ("gin-palast", {"knocker": "1", "melds-1": "H7 H8 H9\nP4 Ka4 H4"}, ["Reihe", "Satz"]),
    ],
)
def test_entered_melds_are_named_with_points_where_melds_have_some(anna, preset, fields, captions):
    game = anna.begin(preset=preset, name=TWO)

    page = anna.send(f"{game}/round", do="check", way__1="cards", hand__1="KrK", **fields).text
    found = re.findall("<figcaption>(.*?)</figcaption>", page)

    assert [words(one).strip() for one in found] == captions


# ---- whole evenings ------------------------------------------------------------------


@pytest.mark.parametrize("file", EVENINGS, ids=[file.stem for file in EVENINGS])
def test_an_evening_is_entered_corrected_and_settled_by_form(anna, file):
    body = evening_of(file)
    expected, game = body["expected"], begin(anna, body)

    for number, played in enumerate(body["rounds"], start=1):
        facts = load_round(played).round
        answer = anna.send(f"{game}/round", **forms.round_form(facts, "de"), do="save")
        assert answer.status_code == 303, words(answer.text)

        form = anna.filled(f"{game}/round/{number}/correct")
        again = forms.round_body(form, len(body["players"]), evening_rules(body))
        assert load_round(again).round == facts

    totals = re.findall(r'class="total">([+−\d]+)<', anna.get(game).text)
    assert [int(total.replace("−", "-")) for total in totals] == expected["totals"]

    settled = words(anna.get(f"{game}/settlement").text)
    for balance in expected["balances"]:
        assert f"{balance:+}".replace("-", "−") in settled
    for number in range(1, len(body["rounds"]) + 1):
        assert anna.get(f"{game}/round/{number}").status_code == 200
    for page in ("history", "rules", "more"):
        assert anna.get(f"{game}/{page}").status_code == 200


# ---- gin -----------------------------------------------------------------------------


def test_the_page_shows_the_knock_limit(anna):
    game = gin(anna)

    assert "Geklopft mit höchstens 10" in words(anna.get(f"{game}/round").text)


def test_in_gin_the_player_who_ended_the_round_needs_no_points(anna):
    game = gin(anna)
    fields = {"knocker": "0", "how": "gin", "hand__1": "24"}
    shown = words(anna.send(f"{game}/round", **fields, do="check").text)

    assert "Gin: Anna +24 +25 +10" in shown
    assert "24 Unterschied 25 Gin 10 für die Runde" in shown
    assert "Anna 0 + 59 = 59 Bernd bleibt bei 0" in shown
    assert anna.send(f"{game}/round", **fields, do="save").status_code == 303
    assert anna.form(f"{game}/round/1/correct")["how"] == "gin"
    assert anna.form(f"{game}/round")["how"] == "knock"


def test_an_undercut_shows_its_points_before_it_is_saved(anna):
    game = gin(anna)
    knocked(anna, game, 3, 24)
    page = anna.send(f"{game}/round", knocker="0", hand__0="9", hand__1="2", do="check")

    assert "Undercut: Bernd +7 +20 +10" in words(page.text)
    assert "7 Unterschied 20 Undercut 10 für die Runde" in words(page.text)
    assert "Anna bleibt bei 31 Bernd 0 + 37 = 37" in words(page.text)


def test_a_rest_wins_over_the_word_gin_and_an_open_one_is_asked_for(anna):
    game = gin(anna)
    open_yet = anna.send(f"{game}/round", knocker="0", how="knock", hand__1="24", do="check")
    said = anna.send(f"{game}/round", knocker="0", how="gin", hand__0="8", hand__1="24", do="check")

    assert "Es fehlt: Anna." in words(open_yet.text)
    assert "geklopft: Anna +16 +10" in words(said.text)
    assert 'id="result"' in open_yet.text
    assert "<h2>" not in open_yet.text.split('id="result"')[1].split("</section>")[0]


def test_in_luxembourg_the_pad_shows_what_was_typed_and_the_losers_write_nothing(anna):
    game = anna.begin(preset="luxembourg", name=["Anna", "Bernd", "Claire"])
    fields = {"winner": "0", "hand__1": "30", "hand__2": "12"}
    page = anna.send(f"{game}/round", **fields, do="check").text
    so_far = anna.send(f"{game}/round", **{**fields, "hand__2": ""}, do="check").text

    assert [cell.split()[-1] for cell in pad_line(page)] == ["42", "30", "12"]
    assert pad_line(so_far)[1:] == ["30", "fehlt"]

    anna.send(f"{game}/round", **fields, do="save")
    row = anna.get(game).text.split("<tbody>")[1].split("</tr>")[0]

    assert words(row).split() == ["1", "Rommé", "42", "42", "0", "0"]
    assert "<b></b><small>0</small>" in row


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("", "Sie setzt das Limit"),
        ("Ka7", "mit höchstens 7 Punkten"),
        ("HD", "mit höchstens 10 Punkten"),
        ("PA", "Klopfen nur mit Gin"),
    ],
)
def test_the_oklahoma_card_sets_the_limit(anna, card, said):
    game = gin(anna, gin__oklahoma="yes")

    page = anna.send(f"{game}/round", oklahoma_card=card, do="check")

    assert said in words(page.text)


IN_CARDS = {"way-0": "cards", "hand-0": "Kr4 Kr5 Kr6 H9 P9 Ka9 KaB KaD KaK HA"}


@pytest.mark.parametrize(
    ("options", "fields", "at"),
    [
        ({}, {"hand-0": "11"}, "hand-0"),
        ({"gin.oklahoma": "yes"}, {"oklahoma_card": "Ka7", "hand-0": "8"}, "hand-0"),
        ({"gin.oklahoma": "yes"}, {}, "oklahoma_card"),
        ({"gin.hirschn": "yes"}, {"hirschn_caller": "0", "hirschn_turns": "0"}, "hirschn_turns"),
        ({"gin.hirschn": "yes"}, {"hirschn_caller": "1"}, "hirschn_turns"),
        ({"gin.glass": "yes"}, {"glass_by-0": "0", "glass_call-0": ""}, "glass-0"),
        (
            {"gin.glass": "yes"},
            {"glass_by-0": "0", "glass_call-0": "group:7", "glass_pile-0": "H7 P7"},
            "glass-0",
        ),
        ({"gin.tedesco": "yes"}, {"aces-1": "5"}, "aces-1"),
        ({}, {"way-1": "cards", "hand-1": "H9 H8"}, "hand-1"),
        ({}, {"absent-1": "yes"}, "absent-1"),
        ({}, {"joker_discarded-0": "yes"}, "joker_discarded-0"),
        ({"gin.hirschn": "yes"}, {"hirschn_caller": "7", "hirschn_turns": "2"}, "hirschn_caller"),
        ({"gin.tedesco": "yes"}, {**IN_CARDS, "drawn-0": "nowhere"}, "drawn-0"),
        (
            {"gin.tedesco": "yes"},
            {**IN_CARDS, "drawn-0": "stock", "drawn_card-0": "X"},
            "drawn_card-0",
        ),
        ({}, {**IN_CARDS, "melds-0": "H9 P4"}, "melds-0"),
        ({}, {**IN_CARDS, "discard-0": "X"}, "discard-0"),
        ({}, {"note": "x" * 281}, "note"),
        ({}, {"knocker": "7"}, "knocker"),
    ],
)
def test_errors_are_shown_at_their_fields_and_nothing_is_saved(anna, options, fields, at):
    game = gin(anna, **options)

    page = knocked(anna, game, 6, 24, **fields)

    assert page.status_code == 422
    assert re.search(rf'id="fault-{at}"[^>]*><p class="fault"', page.text), words(page.text)
    assert "Runde 1 eintragen" in anna.get(game).text


def test_nothing_is_scored_before_both_hands_are_known(anna):
    game = gin(anna)

    page = anna.send(f"{game}/round", knocker="0", hand__0="6", do="check")

    assert "Es fehlt: Bernd." in words(page.text)
    assert "Undercut" not in words(page.text)


def test_the_board_shows_how_a_round_ended(anna):
    game = gin(anna, gin__hirschn="yes", **{"end.points": "300"})
    knocked(anna, game, 6, 24, hirschn_caller="0", hirschn_turns="2")
    knocked(anna, game, 8, 5)
    knocked(anna, game, 24, 0, knocker=1)
    anna.send(f"{game}/round", outcome="void", do="save")
    board = anna.get(game).text

    assert re.findall(r"<em>(\w+)</em>", board) == ["geklopft", "Undercut", "Gin"]
    assert "Hirschn! 10 für Anna" in words(board)
    assert "Ohne Wertung: der Talon war aus" in words(board)


def test_a_round_of_gin_shows_the_cards_and_the_clause_behind_every_line(anna):
    game = gin(anna)
    hands = {
        "way-0": "cards", "hand-0": "Kr4 Kr5 Kr6 H9 P9 Ka9 KaB KaD KaK H6",
        "way-1": "cards", "hand-1": "P2 P3 P4 HD KrD PD Kr7 Kr9 Ka10 KrA",
    }  # fmt: skip
    anna.send(f"{game}/round", knocker="0", do="save", **hands)  # G07
    page = words(anna.get(f"{game}/round/1").text)

    assert "Undercut +20" in page
    assert "Box-Bonus für die gewonnene Runde +10" in page
    assert "Unterschied: 1 gegen 6 +5" in page
    assert "Angelegt" in page
    assert "Quelle: Gin Rommé Palast, Undercut." in page


def test_the_rest_is_summed_card_by_card_and_melds_count_nothing(anna):
    game = gin(anna)
    hands = {
        "way-0": "cards", "hand-0": "Kr4 Kr5 Kr6 Kr7 H9 P9 Ka9 KaB KaD KaK",
        "way-1": "cards", "hand-1": "P2 P3 P4 HD KrD PD Kr8 Kr9 Ka10 KrA",
    }  # fmt: skip
    anna.send(f"{game}/round", knocker="0", do="save", **hands)

    receipt = words(anna.get(f"{game}/round/1").text)

    assert "Anna Gin 63 Rest von Anna 0 Gemeldet B D K 9 9 9 4 5 6 7 Unterschied" in receipt
    assert "Rest von Bernd A 8 9 10 1 + 8 + 9 + 10 Gemeldet D D D 2 3 4 Die Regeln" in receipt


ANNOUNCED = {
    "way-0": "cards", "hand-0": "Kr4 Kr5 Kr6 H9 P9 Ka9 KaB KaD KaK H6", "announced-0": "7",
    "way-1": "ranks", "hand-1": "K A", "announced-1": "11",
}  # fmt: skip


def test_announced_deadwood_is_shown_but_the_cards_count(anna):  # RULES 6.4
    game = gin(anna)
    anna.send(f"{game}/round", knocker="0", do="save", **ANNOUNCED)

    page = words(anna.get(f"{game}/round/1").text)
    assert "Anna hat 7 Punkte angesagt, die Karten ergeben 6" in page
    assert "Bernd hat 11" not in page
    assert "Unterschied: 11 gegen 6 +5" in page
    correct = anna.get(f"{game}/round/1/correct").text
    assert re.search(r'name="announced-0" value="7"', correct)
    assert re.search(r'name="announced-1" value="11"', correct)


def test_entering_points_has_no_field_for_announcing(anna):  # RULES 6.4
    game = gin(anna)
    left_over = {"announced-0": "7", "announced-1": "9"}
    knocked(anna, game, 6, 24, **left_over)

    page = words(anna.get(f"{game}/round/1").text)
    assert "angesagt" not in page
    assert 'value="7"' not in anna.get(f"{game}/round/1/correct").text


def test_aces_are_shown_at_the_value_they_counted(anna):  # RULES 7.4.4
    game = gin(anna, gin__tedesco="yes")
    knocked(anna, game, 6, "K A 3", **{"way-1": "ranks"})

    assert "10 + 15 + 3" in words(anna.get(f"{game}/round/1").text)


def test_teams_have_a_column_per_side_and_fields_per_seat(anna):
    game = gin(anna, ["Anna", "Bernd", "Claire", "Dieter"], teams="yes")
    page = anna.send(
        f"{game}/round",
        knocker="0",
        do="check",
        **{f"hand-{seat}": str(points) for seat, points in enumerate((3, 9, 12, 14))},
    )

    assert "Anna + Claire 18, Bernd + Dieter 0." in words(page.text)

    knocked(anna, game, 3, 9, 12, 14)
    board = anna.get(game).text

    assert re.findall(r'class="total">(\d+)<', board) == ["18", "0"]
    receipt = words(anna.get(f"{game}/round/1").text)
    assert "Restkarten von Dieter, als 14 Punkte eingetragen" in receipt


def test_gin_pro_shows_missing_wins_and_a_winner_who_pays(anna):
    game = gin(anna, **{"gin.pro_min_wins": "2", "end.points": "60", "gin.glass": "yes"})
    lucky = {
        f"glass_{name}-{k}": value
        for k in range(8)
        for name, value in {**GLASS, "call": f"group:{k + 2}"}.items()
    }
    knocked(anna, game, 1, 9, **lucky)

    assert "Anna braucht noch einen Sieg (Gin Pro: 2)" in words(anna.get(game).text)

    knocked(anna, game, 60, 2, knocker=1)
    knocked(anna, game, 5, 2, knocker=1)
    board = words(anna.get(game).text)

    assert "Bernd gewinnt. Anna und Bernd haben 60 Punkte erreicht." in board
    assert "Der Sieg geht an Bernd, das Geld nicht" in words(anna.get(f"{game}/settlement").text)


GLASS = {"by": "0", "hit": "yes", "pile": ""}


# ---- knock and hand ------------------------------------------------------------------


def test_a_knock_settles_as_balances_without_a_table_of_pairs(anna):
    game = anna.begin(preset="knock-rummy", name=["Anna", "Bernd", "Claire"], point_value="2")
    knocked(anna, game, 5, 12, 20)  # K01
    page = anna.get(f"{game}/settlement").text

    assert re.findall(r"<b>([+−]\d+)</b>", page)[:3] == ["+22", "−7", "−15"]
    assert "Probe" not in words(page)


def test_the_board_shows_penalties_and_shared_pots(anna):
    game = anna.begin(preset="knock-rummy")
    knocked(anna, game, 12, 5, 5, 9)  # K05
    board = words(anna.get(game).text)

    assert "Strafe 10 für Anna. geteilt: Bernd und Claire" in board


def test_the_winner_keeps_no_more_than_the_rules_allow(anna):
    game = anna.begin(preset="wiener", name=["Anna", "Bernd"])
    fields = {"winner": "0", "hand-1": "22", "do": "save"}

    assert anna.send(f"{game}/round", **{"hand-0": "10", **fields}).status_code == 422
    assert anna.send(f"{game}/round", **{"hand-0": "9", **fields}).status_code == 303


# ---- words ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gin-oklahoma", "gin-teams", "knock-rummy", "wiener"])
def test_no_page_of_a_played_evening_lacks_a_translation(anna, name):
    body = evening_of(next(file for file in EVENINGS if file.stem == name))
    game = begin(anna, body)
    for played in body["rounds"]:
        facts = load_round(played).round
        anna.send(f"{game}/round", **forms.round_form(facts, "de"), do="save")
    rounds = [f"/round/{number}" for number in range(1, len(body["rounds"]) + 1)]

    for code in LANGUAGES:
        for path in ("", *rounds, f"{rounds[0]}/correct", "/settlement", "/history", "/rules"):
            page = anna.get(game + path, **{"Accept-Language": code})

            assert page.status_code == 200, path
            assert KEY.search(words(page.text)) is None, path
