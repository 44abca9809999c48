"""Form fields become bodies of the API, and bodies become fields again."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from scorekeeper.domain.cards.card import JOKER, PACK, Card
from scorekeeper.domain.cards.names import NAMES
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.history.codec import encode_round
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.web.pages.amounts import in_unit
from scorekeeper.web.pages.entry import fields as forms
from scorekeeper.web.pages.new_game import fields as game_forms
from scorekeeper.wire.rounds import load_round
from web.pages.conftest import Browser, words

ROMME = PRESETS["german-family"]
ROUND = {
    "outcome": "out",
    "winner": 0,
    "hand_romme": True,
    "note": "schnell",
    "seats": [
        {
            "melds": [["AS", "2S", "3S"], ["4H", "4D", "JK=4C"]],
            "discard": "KD",
            "layoffs": [{"card": "9S", "meld": {"seat": 1, "index": 0}}],
        },
        {"hand": ["KH", "9C", "JK"], "first_meld": [["6S", "7S", "8S"]], "laid": True},
        {"hand": ["K", "Q", "J", "JK"]},
        {"points": 33},
        {"absent": True},
    ],
}


def test_a_sum_in_the_field_is_added_up():
    form = {"winner": "1", "way-0": "points", "hand-0": "10+15 + 8"}

    assert forms.round_body(form, 2, ROMME)["seats"][0] == {"points": 33}


def test_a_number_of_thousands_of_digits_is_no_meld_of_the_table():
    number = "9" * 5000
    form = {"winner": "1", "way-0": "cards", "layoffs-0": f"9S {number}.1\n9S 1.{number}"}

    moves = forms.round_body(form, 2, ROMME)["seats"][0]["layoffs"]

    assert [move["meld"] for move in moves] == [{}, {}]


@pytest.mark.parametrize("typed", ["10+", "+5", "-3", "1.5", "zehn", "10+99999"])
def test_invalid_sums_of_points_are_refused_as_typed(typed):
    form = {"winner": "1", "way-0": "points", "hand-0": typed}

    assert forms.round_body(form, 2, ROMME)["seats"][0] == {"points": typed}


def test_the_winner_needs_no_points():
    form = {"winner": "0", "hand-0": "12", "way-0": "points"}

    assert forms.round_body(form, 2, ROMME)["seats"][0] == {}
    assert forms.round_body(form, 2, PRESETS["wiener"])["seats"][0] == {"points": 12}


@pytest.mark.parametrize(
    ("notation", "typed", "melds"),
    [
        ("en", "7H 7S 7D 8H 9H 10H\n4C 4D 4S", ["7H 7S 7D", "8H 9H 10H", "4C 4D 4S"]),
        ("de", "H7 P7 Ka7 HB HD HK", ["7H 7S 7D", "JH QH KH"]),
        ("de", "Herz 7, Herz 8, Herz 9", ["7H 8H 9H"]),
        ("fr", "7Co 7P 7Ca VCo DCo RCo", ["7H 7S 7D", "JH QH KH"]),
        ("fr", "7 de cœur, 8 de cœur, 9 de cœur", ["7H 8H 9H"]),
        (
            "en",
            "4H 4S 4D 7H 7S 7D 9H 9S 9D QC QD QS 2C 2D 2S 5C 5D 5S",
            ["4H 4S 4D", "7H 7S 7D", "9H 9S 9D", "QC QD QS", "2C 2D 2S", "5C 5D 5S"],
        ),
    ],
)
def test_a_full_meld_ends_by_itself(notation, typed, melds):
    form = {"winner": "0", "notation": notation, "melds-1": typed, "hand-1": "5"}
    facts = load_round(forms.round_body(form, 2, ROMME), ROMME).round

    assert [" ".join(map(str, meld)) for meld in facts.seats[1].melds] == melds


@pytest.mark.parametrize(
    ("notation", "typed", "warning"),
    [
        ("de", "K7 K8 K9 H4 P4 Ka4", "W_SUIT_K_KREUZ"),
        ("fr", "7C 8C 9C 4T 4P 4Ca", "W_SUIT_C_COEUR"),
    ],
)
def test_an_ambiguous_suit_gets_a_warning_in_undivided_melds_too(notation, typed, warning):
    form = {"winner": "0", "notation": notation, "melds-1": typed, "hand-1": "5"}
    entry = load_round(forms.round_body(form, 2, ROMME), ROMME)

    assert len(entry.round.seats[1].melds) == 2
    assert [one.code for one in entry.warnings] == [warning]


@pytest.mark.parametrize("typed", ["7H 8H X9", "7H 8D " * 9, "4C 4D 4S 5C 5D 5S\n" * 11])
def test_invalid_melds_are_refused(typed):
    form = {"winner": "0", "melds-1": typed, "hand-1": "5"}

    with pytest.raises(RuleError):
        load_round(forms.round_body(form, 2, ROMME), ROMME)


def test_a_dash_means_none_and_an_empty_field_means_unknown():
    form = {"winner": "0", "discard-0": "–", "melds-0": "-", "melds-1": "", "hand-1": ""}
    first, second = forms.round_body(form, 2, ROMME)["seats"]

    assert first == {"discard": None, "melds": []}
    assert second == {}


def test_the_fields_of_an_absent_player_are_ignored():
    form = {"winner": "0", "absent-1": "yes", "hand-1": "K 9"}

    assert forms.round_body(form, 2, ROMME)["seats"][1] == {"absent": True}


def test_losers_without_any_entry_are_missing():
    body = {"winner": 0, "seats": [{}, {"points": 3}, {}, {"absent": True}, {"hand": "K"}]}

    assert forms.missing(body, ROMME) == [2]


@pytest.mark.parametrize("notation", NAMES)
def test_a_round_survives_the_way_through_its_form(notation):
    players = len(ROUND["seats"])
    fields = forms.round_form(load_round(ROUND).round, notation)
    body = forms.round_body(fields, players, ROMME)

    assert encode_round(load_round(body).round) == ROUND


SPECIAL = PRESETS["gin-palast"].override(
    {
        "gin.glass": True,
        "gin.hirschn": True,
        "gin.joker_rule": True,
        "gin.oklahoma": True,
        "gin.tedesco": True,
    }
)
CATCHES = [
    {"by": 0, "kind": "group", "rank": "7", "hit": True, "pile": "7H 2C 7S KD 7C"},
    {"by": 1, "kind": "sequence", "suit": "H", "hit": False},
]
IN_POINTS = {
    "knocker": 1,
    "joker_discarded": True,
    "oklahoma_card": "7D",
    "hirschn": {"caller": 0, "turns_after": 2},
    "glass": CATCHES,
    "seats": [{"deadwood": 24, "aces": 1}, {"deadwood": 6}],
}
IN_CARDS = {
    "knocker": 0,
    "drawn": {"from": "discard", "card": "9H"},
    "seats": [
        {"hand": "4C 5C 6C 9H 9S 9D JD QD KD AH", "discard": "2C", "announced": 1},
        {"hand": "7H 7S 7D KC QC", "melds": ["7H 7S 7D"], "layoffs": []},
    ],
}
BIG_GIN = {"knocker": 0, "big_gin": True, "seats": [{"deadwood": 0}, {"deadwood": 24}]}


@pytest.mark.parametrize("notation", NAMES)
@pytest.mark.parametrize(
    ("rules", "body"),
    [
        (SPECIAL, IN_POINTS),
        (SPECIAL, IN_CARDS),
        (PRESETS["gin-palast"].override({"gin.big_gin": 31}), BIG_GIN),
    ],
    ids=["points", "cards", "big gin"],
)
def test_a_round_of_gin_survives_the_way_through_its_form(notation, rules, body):
    facts = load_round({"outcome": "knock", **body}).round
    fields = forms.round_form(facts, notation)

    assert load_round(forms.round_body(fields, 2, rules)).round == facts


def test_special_rules_of_gin_that_are_not_played_are_left_out():
    plain = PRESETS["gin-palast"]
    big = plain.override({"gin.big_gin": 31})
    special = forms.round_form(load_round({"outcome": "knock", **IN_POINTS}).round, "en")
    special |= {"big_gin": "yes", "how": "gin"}
    left_out = forms.round_body(special, 2, plain)
    knocked = {**special, "how": "knock"}

    assert set(left_out) == {"outcome", "notation", "knocker", "joker_discarded", "seats"}
    assert [forms.round_body(form, 2, big).get("big_gin") for form in (special, knocked)] == [
        True,
        None,
    ]


@pytest.mark.parametrize("notation", NAMES)
@given(st.lists(st.sampled_from([*PACK, JOKER]), min_size=1, max_size=14))
def test_cards_survive_the_way_through_the_form(notation, cards: list[Card]):
    text = forms.write_cards(cards, notation)
    read, remarks = read_cards(text, notation, bare=True)

    assert (list(read), remarks) == (cards, ())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_survives_the_way_through_the_form(preset):
    rules = PRESETS[preset]
    for name in rules.names():
        kind = OPTIONS[name].kind
        shown = game_forms.option_text(kind, rules[name])

        assert kind.read(game_forms.option_value(kind, shown)) == rules[name], name


def test_every_option_has_its_place_in_the_form():
    groups = {name.partition(".")[0] for name in OPTIONS} - {"family"}

    assert groups == {part for parts in game_forms.GROUPS.values() for part in parts}


def test_house_rules_of_another_system_are_ignored():
    form = {"preset": "luxembourg", "options_of": "german-family", "joker.hand_value": "50"}

    assert game_forms.chosen_options(form) == {}


def test_only_differences_from_the_rule_system_are_sent():
    form = {
        "preset": "german-family",
        "options_of": "german-family",
        "joker.hand_value": "50",
        "meld.first_min": "40",
    }

    assert game_forms.chosen_options(form) == {"joker.hand_value": 50}


# ---- options that bring others along ---------------------------------------------------


class Press:
    """Return the form of a new game, filled in and shown again as in a browser."""

    def __init__(self, anna, preset: str) -> None:
        self.anna = anna
        self.shown = anna.send("/new", preset=preset, do="rules")

    def set(self, **options: str) -> MultiDict[str, str]:
        form = self.anna.form_in(self.shown)
        changes = {name.replace("__", "."): value for name, value in options.items()}
        self.shown = self.anna.post("/new", {**form, **changes, "do": "rules"})
        return self.anna.form_in(self.shown)


def test_implied_options_appear_and_disappear_with_their_option(anna):
    press = Press(anna, "gin-palast")

    assert press.set(gin__joker_rule="yes")["deck.jokers"] == "3"
    assert press.set(gin__joker_rule="no")["deck.jokers"] == "0"

    with_teams = press.set(teams="yes")

    assert with_teams.getlist("name") == ["", "", "", ""]
    assert with_teams["deal.cards"] == "7"
    assert 'value="yes" id="teams-yes" checked' in press.shown.text
    assert press.set(teams="three").getlist("name") == ["", "", ""]
    assert 'value="three" id="teams-three" checked' in press.shown.text
    assert press.set(teams="no").getlist("name") == ["", ""]
    assert 'value="no" id="teams-no" checked' in press.shown.text


def test_places_settlement_and_limit_follow_what_is_scored(anna):
    press = Press(anna, "german-family")
    measures = ("rank.measure", "settle.measure", "end.measure")

    shown = press.set(score__mode="winner_collects")
    assert [shown[name] for name in measures] == ["plus"] * 3
    assert [press.set(rank__measure="net")[name] for name in measures] == ["net", "net", "plus"]


def test_what_is_scored_may_be_chosen_as_the_game_begins(app, anna):
    game = anna.begin(**{"score.mode": "winner_collects"})
    anna.enter(game, 0, hand__1="30", hand__2="40", hand__3="20")
    game = app.extensions["ledger"].game(game.rpartition("/")[2])

    assert game.sheet.ranks == (1, 2, 2, 2)
    assert game.settlement().balances == (270, -90, -90, -90)


def test_a_chosen_option_wins_over_implied_ones(anna):
    press = Press(anna, "gin-palast")
    press.set(gin__joker_rule="yes")

    assert press.set(deck__jokers="2")["deck.jokers"] == "2"
    assert press.set(gin__hirschn="yes")["deck.jokers"] == "2"
    assert press.set(deck__jokers="3")["deck.jokers"] == "3"
    assert press.set(gin__joker_rule="no")["deck.jokers"] == "0"


def test_the_kind_of_claim_sets_its_terms_which_can_be_changed(anna):  # RULES 4
    press = Press(anna, "romme-palast")
    terms = ("klopfen.extra_cards", "klopfen.after_first_meld", "klopfen.consent")

    def shown(fields):
        return [fields[name] for name in terms]

    assert shown(press.set(klopfen__mode="palast")) == ["1", "yes", "no"]
    assert shown(press.set(klopfen__mode="rasche")) == ["2", "no", "yes"]
    assert shown(press.set(klopfen__extra_cards="1")) == ["1", "no", "yes"]
    assert shown(press.set(klopfen__consent="no")) == ["1", "no", "no"]


def test_an_unknown_notation_is_refused(anna, game):
    nonsense = "x" * 5000

    entered = anna.send(f"{game}/round", notation=nonsense, winner="0", hand__1="5", do="save")
    referee = anna.get(f"/referee?cards=4H+5H+6H&notation={nonsense}")

    assert (entered.status_code, referee.status_code) == (422, 200)
    assert nonsense not in entered.text + referee.text


@pytest.mark.parametrize(
    ("step", "unit", "number"),
    [
        ("", "EUR", ""),
        ("1", "EUR", "1"),
        ("0,05", "EUR", "0.05"),
        ("5 ct", "EUR", "1/20"),
        ("1 €", "ct", "100"),
        ("1 €", "€", "1"),
        ("5 Pf", "EUR", "5 Pf"),
        ("x ct", "EUR", "x ct"),
        ("5 ct", "", "5"),
    ],
)
def test_an_amount_is_counted_in_the_unit_of_the_table(step: str, unit: str, number: str) -> None:
    assert in_unit(step, unit) == number


@pytest.mark.parametrize(
    ("point_value", "payable", "paid"),
    [
        ("0,05 €", "", ["0,85", "0,10"]),
        ("0,05 EUR", "", ["0,85", "0,10"]),
        ("0,05 €", "1", ["1"]),
        ("0,05 $", "", ["0,85", "0,10"]),
        ("£0.05", "", ["0,85", "0,10"]),
        ("0,05 Fr.", "", ["0,85", "0,10"]),
    ],
)
def test_euros_are_paid_to_the_cent(  # S12
    anna: Browser, point_value: str, payable: str, paid: list[str]
) -> None:
    game = anna.begin(
        name=["Anna", "Bernd", "Claire"], point_value=point_value, unit="", payable=payable
    )
    anna.enter(game, 0, hand__1="7", hand__2="12")
    page = words(anna.get(f"{game}/settlement").text)

    assert re.findall(r"zahlt (?:Anna|Bernd) ([\d,]+)&nbsp;", page) == paid


def test_the_step_of_payment_is_empty_unless_it_was_chosen(anna: Browser) -> None:
    assert anna.form("/new")["payable"] == ""
