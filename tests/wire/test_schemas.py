"""The JSON form of rounds and rules: strict input, canonical output."""

import json
from contextlib import suppress
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import cards
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit, card_named
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.history.codec import decode_round, encode_round
from scorekeeper.domain.rounds.facts import (
    Drawn,
    Glass,
    Hirschn,
    LayOff,
    MeldRef,
    Round,
    Seat,
    Swap,
)
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n.printable import unprintable
from scorekeeper.wire.rounds import RoundEntry, load_round
from scorekeeper.wire.schemas import NewGameSchema, RulesSchema
from scorekeeper.wire.strict import FormError, Malformed, load, read_json


def refused(body: Any) -> list[tuple[str, Any, tuple[Any, ...]]]:
    """Return code, why and place of each problem of a round."""
    with pytest.raises(RuleError) as caught:
        load_round(body)
    return [(p.code, p.facts.get("why"), p.path) for p in caught.value.problems]


# ---- what a key means ----------------------------------------------------------------


def test_an_absent_key_means_unknown_and_null_means_none():
    body = {"outcome": "out", "winner": 0, "seats": [{}, {"discard": None, "layoffs": []}]}

    silent, none = load_round(body).round.seats

    assert (silent.discard, silent.layoffs) == (None, None)
    assert (none.discard, none.layoffs) == ((), ())


NONE_OF_A_ROUND = ("hand_romme", "joker_discarded", "big_gin", "wild", "one_run", "rejoin", "order")
NONE_OF_A_ROUND += ("accept_irregular", "note", "notation", "winner", "knocker", "plan_row")
NONE_OF_A_SEAT = ("absent", "klopfen", "laid", "laid_points", "turns", "drop", "wrong", "aces")
NONE_OF_A_SEAT += ("announced", "points", "count", "deadwood", "notation")


@pytest.mark.parametrize("name", NONE_OF_A_ROUND)
def test_null_says_that_a_round_has_none(name: str):
    assert load_round({"outcome": "void", name: None}).round == Round(outcome="void")


@pytest.mark.parametrize("name", NONE_OF_A_SEAT)
def test_null_says_that_a_player_has_none(name: str):
    body = {"outcome": "out", "winner": 0, "seats": [{}, {name: None}]}

    assert load_round(body).round.seats == (Seat(), Seat())


def test_null_names_no_suit_of_a_caught_group():
    caught = {"by": 0, "kind": "group", "rank": "7", "suit": None, "hit": True}

    (attempt,) = load_round({"outcome": "void", "glass": [caught]}).round.glass

    assert attempt == Glass(by=0, kind="group", rank=Rank.SEVEN, hit=True)


@pytest.mark.parametrize(
    ("body", "path", "why"),
    [
        ({"outcome": None}, ("outcome",), "type"),
        ({"outcome": "void", "winners": None}, ("winners",), "unknown"),
        ({"outcome": "void", "seats": [None]}, ("seats", 0), "type"),
    ],
)
def test_null_is_no_value_of_what_must_be_stated(body: Any, path: tuple[object, ...], why: str):
    assert refused(body) == [("E_FORM", why, path)]


def test_cards_are_a_string_or_a_list_of_strings():
    as_text = {"outcome": "out", "winner": 0, "seats": [{}, {"hand": "kh, 9c as jk"}]}
    as_list = {"outcome": "out", "winner": 0, "seats": [{}, {"hand": ["KH", "9C", "AS", "JK"]}]}

    assert load_round(as_text) == load_round(as_list)
    assert load_round(as_text).round.seats[1].hand == cards("KH 9C AS JK")


def test_a_hand_may_be_listed_in_bare_ranks_a_meld_may_not():  # RULES 6.1
    hand = {"outcome": "out", "winner": 0, "seats": [{}, {"hand": "K 9 A JK"}]}
    meld = {"outcome": "out", "winner": 0, "seats": [{"melds": ["7 8 9"]}, {}]}

    assert load_round(hand).round.seats[1].hand == (*map(card_named, "K9A"), JOKER)
    assert {code for code, _, _ in refused(meld)} == {"E_SUIT_NEEDED"}


def test_the_notation_is_set_for_the_round_or_for_a_seat():
    round_in_german = {"outcome": "out", "winner": 0, "notation": "de"}
    round_in_german["seats"] = [{}, {"hand": "Herz-Dame HB"}, {"hand": "QH JH", "notation": "en"}]

    _, german, english = load_round(round_in_german).round.seats

    assert german.hand == english.hand == cards("QH JH")


def test_the_notation_of_a_seat_is_not_that_of_the_next():
    """``KD`` is the queen of clubs in German and the king of diamonds in English."""
    body = {"outcome": "out", "winner": 0}
    body["seats"] = [{}, {"hand": "KD", "notation": "de"}, {"hand": "KD"}]
    body |= {"oklahoma_card": "KD"}

    entered = load_round(body).round

    assert [seat.hand for seat in entered.seats[1:]] == [cards("QC"), cards("KD")]
    assert entered.oklahoma_card == card_named("KD")


def test_a_bare_k_for_kreuz_gets_one_warning_per_entry():  # RULES 2, N04
    body = {"outcome": "out", "winner": 0, "notation": "de"}
    body["seats"] = [{}, {"hand": "KK HK"}, {"hand": "K6 H6"}]

    (warning,) = load_round(body).warnings

    assert (warning.code, warning.path) == ("W_SUIT_K_KREUZ", ("seats", 1, "hand"))


def test_all_special_facts_of_gin_can_be_stated():
    body = {
        "outcome": "knock",
        "knocker": 1,
        "oklahoma_card": "7D",
        "drawn": {"from": "stock"},
        "seats": [
            {
                "hand": "2S 3S 4S QH QC QS 7C 9C 10D AC",
                "layoffs": [{"card": "7C", "meld": {"seat": 1, "index": 0}}],
            },
            {"hand": "4C 5C 6C 9H 9S 9D JD QD KD 6H", "melds": ["4C 5C 6C"], "discard": "8S"},
        ],
        "hirschn": {"caller": 1, "turns_after": 2},
        "glass": [{"by": 0, "kind": "group", "rank": "7", "hit": True, "pile": "7H 2C 7S"}],
        "joker_discarded": False,
    }

    facts = load_round(body).round

    assert facts.oklahoma_card == card_named("7D")
    assert facts.drawn == Drawn("stock")
    assert facts.hirschn == Hirschn(caller=1, turns_after=2)
    assert facts.seats[0].layoffs == (LayOff(card_named("7C"), MeldRef(1, 0)),)
    assert facts.glass == (
        Glass(by=0, kind="group", rank=Rank.SEVEN, hit=True, pile=cards("7H 2C 7S")),
    )
    assert facts.joker_discarded is False


@pytest.mark.parametrize("wild", ["A", "JK"])
def test_melds_in_one_row_are_divided_with_aces_wild_if_a_joker_was_cut(wild):
    body = {"outcome": "out", "winner": 0, "wild": wild}
    body["seats"] = [{"melds": ["5H AS 7H 8C 8D 8S"]}, {"points": 5}]

    entered = load_round(body, PRESETS["indian-points"]).round

    assert entered.seats[0].melds == (cards("5H AS 7H"), cards("8C 8D 8S"))


# ---- strict in -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "code", "why"),
    [
        *((points, "E_POINTS", "type") for points in (1.0, "12", True, [1])),
        *((points, "E_POINTS", "range") for points in (-1, 10_000, 10**30)),
    ],
)
def test_points_must_be_integers(points, code, why):  # RULES 6.6.10
    body = {"outcome": "out", "winner": 0, "seats": [{}, {"points": points}]}

    assert refused(body) == [(code, why, ("seats", 1, "points"))]


@pytest.mark.parametrize("row", [0, 21, -1, [1, 0], [1, 21]])
def test_a_row_of_the_plan_beyond_the_longest_names_the_limits(row):
    body = {"outcome": "out", "winner": 0, "plan_row": row, "seats": [{}, {"points": 3}]}
    with pytest.raises(RuleError) as error:
        load_round(body, PRESETS["phases"])
    (problem,) = error.value.problems

    assert problem.path == ("plan_row",)
    assert dict(problem.facts) == {"why": "range", "least": 1, "most": 20, "value": str(row)}


@pytest.mark.parametrize("winner", [[0, 2], "0", 1.0])
def test_a_round_has_one_winner(winner):
    body = {"outcome": "out", "winner": winner, "seats": [{}, {"points": 3}, {}]}

    assert refused(body) == [("E_FORM", "one_seat", ("winner",))]


@pytest.mark.parametrize("body", [None, [], "out", 7, {}, {"outcome": "draw"}, {"outcome": None}])
def test_a_malformed_round_is_refused(body):
    assert {code for code, _, _ in refused(body)} == {"E_FORM"}


def test_unknown_keys_are_refused_with_their_place():
    body = {"outcome": "out", "winner": 0, "wins": 1, "seats": [{}, {"point": 5}]}

    assert set(refused(body)) == {
        ("E_FORM", "unknown", ("wins",)),
        ("E_FORM", "unknown", ("seats", 1, "point")),
    }


def test_all_errors_are_reported_at_once():
    body = {"outcome": "out", "winner": "A", "seats": [{"hand": 7}, {"points": 1.5}]}

    assert [place for _, _, place in refused(body)] == [
        ("winner",),
        ("seats", 0, "hand"),
        ("seats", 1, "points"),
    ]


def test_unreadable_cards_are_reported_in_the_order_of_the_form():
    seat = dict.fromkeys(("discard", "rest", "hand"), "??") | {
        "melds": ["??"],
        "first_meld": ["??"],
    }
    move = {"card": "??", "meld": {"seat": 1, "index": 0}}
    seat |= {"swaps": [move], "layoffs": [move]}
    body = {"outcome": "out", "winner": 1, "seats": [seat, {}]}

    assert [place[2] for _, _, place in refused(body)] == [
        *("hand", "rest", "first_meld", "melds", "layoffs", "swaps", "discard")
    ]


@pytest.mark.parametrize("cards", ["2C..KC AC 2D..KD AD 2H..KH AH 2S..KS AS", "2 3 4 5 6 7 " * 9])
def test_a_hand_may_have_sixty_cards(cards):  # RULES 5.6
    names = [str(card) for card in read_cards(cards, bare=True)[0]] * 2

    def body(count):
        hand = " ".join(names[:count])
        return {"outcome": "out", "winner": 0, "seats": [{}, {"hand": hand}]}

    assert len(load_round(body(60)).round.seats[1].hand) == 60
    assert refused(body(61)) == [("E_FORM", "length", ("seats", 1, "hand"))]


def test_the_longest_hand_may_be_written_in_words():
    words = ["Kreuz-Dame", "Herz-König", "Karo Bube"] * 20
    body = {"outcome": "out", "winner": 0, "notation": "de", "seats": [{}, {"hand": words}]}

    assert len(load_round(body).round.seats[1].hand) == 60


def test_one_card_is_discarded_or_none():
    body = {"outcome": "out", "winner": 0, "seats": [{"discard": "8H 9H"}, {"points": 5}]}

    assert refused(body) == [("E_FORM", "one_card", ("seats", 0, "discard"))]


def test_a_layoff_names_its_card():
    layoff = {"card": "", "meld": {"seat": 0, "index": 0}}
    body = {"outcome": "out", "winner": 0, "seats": [{"layoffs": [layoff]}, {"points": 5}]}

    assert refused(body) == [("E_FORM", "missing", ("seats", 0, "layoffs", 0, "card"))]


@pytest.mark.parametrize(
    "note", ["line\nbreak", "zero\x00", "\u202eright to left", "a\u200bb", "\ud800", "x" * 281]
)
def test_a_note_is_one_short_visible_line(note):
    ((code, why, place),) = refused({"outcome": "void", "note": note})

    assert (code, place) == ("E_FORM", ("note",))
    assert why in ("text", "length")


def test_text_is_normalised_to_nfc():
    decomposed = {"outcome": "void", "note": " Ko\u0308nig "}

    assert load_round(decomposed).round.note == "König"


# ---- JSON ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "json"),
        (b"{", "json"),
        (b"\xff\xfe", "json"),
        (b'{"a": NaN}', "json"),
        (b'{"a": -Infinity}', "json"),
        (b'{"a": 1e999}', "json"),
        (b'{"a": ' + b"9" * 5000 + b"}", "json"),
        (b'{"a": 1, "a": 2}', "duplicate"),
        (b"[" * 9 + b"]" * 9, "too_deep"),
        (b"[" * 30_000, "too_deep"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "too_deep"),
    ],
)
def test_ambiguous_json_is_refused(text, why):
    with pytest.raises(Malformed) as caught:
        read_json(text)

    assert caught.value.problems[0].facts["why"] == why


def test_json_may_be_eight_levels_deep():
    assert read_json(b"[" * 8 + b"]" * 8) == [[[[[[[[]]]]]]]]


# ---- rules and games -----------------------------------------------------------------


def test_rules_are_a_preset_and_its_overrides():
    rules = load(RulesSchema(), {"preset": "romme-palast", "options": {"joker.hand_value": 50}})

    assert (rules.preset, rules.joker.hand_value) == ("romme-palast", 50)


@pytest.mark.parametrize(
    ("body", "code", "place"),
    [
        ({"preset": "bridge"}, "E_CONFIG", ("preset",)),
        (
            {"preset": "robber", "options": {"joker.hand_value": 1.5}},
            "E_CONFIG",
            ("options", "joker.hand_value"),
        ),
        ({"preset": "robber", "options": {"no.such": 1}}, "E_CONFIG", ("options", "no.such")),
        ({"preset": "robber", "options": []}, "E_FORM", ("options",)),
        ({"options": {}}, "E_FORM", ("preset",)),
    ],
)
def test_invalid_house_rules_are_refused_with_their_place(body, code, place):
    with pytest.raises(RuleError) as caught:
        load(RulesSchema(), body)

    assert (caught.value.problems[0].code, caught.value.problems[0].path) == (code, place)


def test_invalid_rules_of_a_game_are_refused_with_their_place():
    body = {
        "title": "Abend",
        "rules": {"preset": "robber", "options": {"deck.jokers": 99}},
        "players": [{"name": "A"}, {"name": " "}],
    }

    with pytest.raises(FormError) as caught:
        load(NewGameSchema(), body)

    assert [(p.code, p.path) for p in caught.value.problems] == [
        ("E_CONFIG", ("rules", "options", "deck.jokers")),
        ("E_FORM", ("players", 1, "name")),
    ]


def test_a_stake_sets_three_options_of_the_settlement():
    body = {"title": "", "rules": {"preset": "robber"}, "players": [{"name": "A"}, {"name": "B"}]}
    stake = {"point_value": "0.5", "unit": "ct", "payable": "5"}

    order = load(NewGameSchema(), {**body, "stake": stake})

    assert str(order.rules.settle.point_value) == "1/2"
    assert (order.rules.settle.unit, order.players, order.place) == ("ct", ("A", "B"), "")

    with pytest.raises(RuleError) as caught:
        load(NewGameSchema(), {**body, "stake": {"payable": 0.5}})

    assert caught.value.problems[0].path == ("stake", "payable")


# ---- canonical out -------------------------------------------------------------------


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def several(strategy: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[Any]:
    return maybe(st.lists(strategy, max_size=most).map(tuple))


natural = st.sampled_from(PACK)
declared = natural.map(lambda card: Card(None, None, stands_for=card))
card = natural | st.just(JOKER) | declared
bare = st.sampled_from([Card(rank, None) for rank in Rank])
number = st.integers(0, 5)
move = st.tuples(card, st.builds(MeldRef, seat=number, index=number))
drawn = st.characters(min_codepoint=32, max_codepoint=0x17F).filter(
    lambda one: not unprintable(one)
)
line = st.text(drawn, max_size=20).filter(lambda text: text == text.strip() and text.isprintable())
seat = st.builds(
    Seat,
    absent=st.booleans(),
    hand=several(card | bare, 16),
    rest=several(bare, 4),
    points=maybe(st.integers(0, 999)),
    count=maybe(number),
    deadwood=maybe(number),
    aces=maybe(number),
    announced=maybe(number),
    first_meld=several(st.lists(card, min_size=1, max_size=4).map(tuple)),
    melds=several(st.lists(card, min_size=1, max_size=4).map(tuple)),
    layoffs=several(move.map(lambda args: LayOff(*args))),
    swaps=several(move.map(lambda args: Swap(*args))),
    discard=several(card, 1),
    klopfen=number,
    laid=maybe(st.booleans()),
    turns=maybe(number),
)
rounds = st.builds(
    Round,
    outcome=st.sampled_from(["out", "knock", "void", "cancelled"]),
    winner=maybe(number),
    knocker=maybe(number),
    hand_romme=st.booleans(),
    seats=st.lists(seat, max_size=4).map(tuple),
    oklahoma_card=maybe(card),
    drawn=maybe(st.builds(Drawn, st.sampled_from(["stock", "discard"]), maybe(card))),
    joker_discarded=maybe(st.booleans()),
    hirschn=maybe(st.builds(Hirschn, caller=number, turns_after=number)),
    glass=several(
        st.builds(
            Glass,
            by=number,
            kind=st.sampled_from(["group", "sequence"]),
            rank=maybe(st.sampled_from(Rank)),
            suit=maybe(st.sampled_from(Suit)),
            hit=st.booleans(),
            pile=several(card),
        )
    ),
    accept_irregular=st.booleans(),
    note=line.map(lambda text: normalize("NFC", text)),
)


@given(rounds)
def test_every_round_dumps_and_loads_back(facts):
    wire = json.loads(json.dumps(encode_round(facts)))

    assert load_round(wire) == RoundEntry(facts)
    assert decode_round(wire) == facts


@given(rounds)
def test_the_canonical_form_has_no_redundant_keys(facts):
    wire = encode_round(facts)

    assert encode_round(load_round(wire).round) == wire
    assert "note" not in wire or wire["note"]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists))
def test_any_json_gives_a_round_or_an_error(value):
    for body in (value, {"outcome": "out", "seats": value}, {"outcome": "out", "seats": [value]}):
        with suppress(RuleError):
            load_round(body)
