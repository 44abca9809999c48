"""Reading and writing cards: RULES 2."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.cards.names import (
    ENGLISH,
    FRENCH,
    FRENCH_RANKS,
    FRENCH_SUITS,
    GERMAN,
    NAMES,
    NOTATIONS,
    spell,
)
from scorekeeper.domain.cards.notation import WHYS, read_cards, write_cards
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import read_meld
from scorekeeper.domain.rules.presets import preset

IN_GERMAN = dict(zip(Suit, ("Kreuz", "Karo", "Herz", "Pik"), strict=True))
GERMAN_RANKS = ["Ass", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Bube", "Dame", "König"]


def read(text: Any, notation: Any = "en", **more: Any) -> str:
    return " ".join(write_cards(read_cards(text, notation, **more)[0]))


@pytest.mark.parametrize("notation", NAMES)
def test_names_without_normalisation_are_read_the_same(notation: Any) -> None:
    for name in NAMES[notation]:
        other = f"{name}\N{VARIATION SELECTOR-16}, {name.lower()}"

        assert read_cards(f"{name} {name}", notation, bare=True) == read_cards(
            other, notation, bare=True
        )


def refusal(text: Any, notation: Any = "en", **more: Any) -> tuple[str, dict[str, Any]]:
    with pytest.raises(RuleError) as error:
        read_cards(text, notation, **more)
    return error.value.problems[0].code, dict(error.value.problems[0].facts)


@pytest.mark.parametrize("example", examples("notation"))
def test_worked_example(example: dict[str, Any]) -> None:
    if "error" in example:
        code, facts = refusal(example["text"], example["notation"])
        assert (code, facts.get("why")) == (example["error"], example.get("why"))
        return

    cards, warnings = read_cards(example["text"], example["notation"])

    assert write_cards(cards) == example["cards"].split()
    assert [warning.code for warning in warnings] == example.get("warnings", [])
    if "preset" in example:
        meld = read_meld(cards, preset(example["preset"]))
        assert (meld.kind, meld.points) == (example["kind"], example["points"])


def differences(one: Mapping[str, Card], other: Mapping[str, Card]) -> set[str]:
    """Return the names that are two different cards, both with a suit."""
    both = {name for name in one.keys() & other.keys() if one[name] != other[name]}
    return {name for name in both if not one[name].is_bare and not other[name].is_bare}


def test_kd_is_the_only_card_that_english_and_german_name_differently() -> None:
    assert differences(ENGLISH, GERMAN) == {"KD"}


def test_only_numbers_and_aces_of_c_are_other_cards_in_french_than_in_english() -> None:
    hearts = {str(Card(rank, Suit.CLUBS)) for rank in Rank if rank <= Rank.TEN}

    assert differences(ENGLISH, FRENCH) == hearts
    assert all(FRENCH[name].suit is Suit.HEARTS for name in hearts)


def test_german_and_french_never_name_two_cards_alike() -> None:
    assert [name for name in GERMAN.keys() & FRENCH.keys() if GERMAN[name] != FRENCH[name]] == []


@pytest.mark.parametrize("text", ["KD", "kd", "JK=KD", "9H, KD"])
def test_auto_refuses_kd_with_both_readings(text: str) -> None:
    code, facts = refusal(text, "auto")

    assert code == "E_NOTATION_AMBIGUOUS"
    assert [str(facts[notation]).removeprefix("JK=") for notation in ("en", "de")] == ["KD", "QC"]


def test_auto_refuses_a_bare_j_where_ranks_are_counted() -> None:
    assert refusal("K 9 J", "auto", bare=True)[0] == "E_NOTATION_AMBIGUOUS"
    assert read("J", "auto") == read("J", "de") == "JK"
    assert read("J", "en", bare=True) == "J"


def test_auto_takes_the_ace_of_spades_for_an_ace_either_way() -> None:
    assert read("AS", "auto", bare=True) == read("AS", "auto") == "AS"
    assert read("AS", "de", bare=True) == "A"


@pytest.mark.parametrize("card", [*PACK, JOKER], ids=str)
def test_every_card_is_read_as_it_is_written(card: Card) -> None:
    ambiguous = str(card) == "KD" or (card.suit is Suit.CLUBS and str(card) in FRENCH)
    for notation in ("en",) if ambiguous else ("en", "auto"):
        assert read_cards(str(card), notation) == ((card,), ())
        assert read_cards(str(card).lower(), notation) == ((card,), ())


@pytest.mark.parametrize("card", PACK, ids=str)
def test_every_card_has_its_german_words(card: Card) -> None:
    assert card.rank and card.suit
    suit, rank = IN_GERMAN[card.suit], GERMAN_RANKS[card.rank - 1]

    for written in (f"{suit}-{rank}", f"{suit} {rank}", f"{suit}{rank}".swapcase()):
        for notation in ("de", "auto"):
            assert read_cards(written, notation) == ((card,), ())


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("KA", "AC"),  # bare K and ace
        ("KAD", "QD"),
        ("KA10", "10D"),
        ("KRD", "QC"),
        ("KAA", "AD"),
        ("KAS", "AC"),  # Kreuz-As
        ("PIK", "KS"),  # Pi and König, because Pik alone is no card
        ("PIKK", "KS"),
        ("TREFF7", "7C"),
    ],
)
def test_the_longest_suit_that_leaves_a_rank_wins(text: str, cards: str) -> None:
    assert read(text, "de") == cards


def test_a_suit_word_joins_the_rank_after_it() -> None:
    assert read("Kreuz 9 Herz Dame, pik  as KARO - ZEHN", "de") == "9C QH AS 10D"
    assert read("JK = Herz Dame", "de") == "JK=QH"
    assert read("Herz 4 .. Herz 6", "auto") == "4H 5H 6H"
    assert read(["Kreuz 9", "Pik 9"], "de") == "9C 9S"


@pytest.mark.parametrize("notation", NOTATIONS)
def test_symbols_stand_on_either_side_with_any_words(notation: str) -> None:
    assert read("♥J J♥ ♥B ♥Bube Bauer♥ ♦D Damm♦ ♠Kinnek ♣Äss ♥-10 10♥\ufe0f", notation) == (
        "JH JH JH JH JH QD QD KS AC 10H 10H"
    )
    assert read("V♥ ♥Valet ♠R Roi♠ As♣ ♦Dix", notation) == "JH JH KS KS AC 10D"


def test_luxembourgish_and_german_ranks_are_read_without_suits() -> None:
    assert read("Bauer Damm Kinnek Äss Sieben zehn JK", "de", bare=True) == "J Q K A 7 10 JK"
    assert read("A\u0308ss", "de", bare=True) == "A"  # A and two dots, as some keyboards send it


def test_blanks_and_commas_separate_and_case_does_not_matter() -> None:
    assert read(" kh,9c ,, as\tjk\n") == read(["KH 9C", "AS", "JK"]) == "KH 9C AS JK"
    assert read("") == read(" , ") == read([]) == ""


def test_a_run_may_be_written_by_its_ends() -> None:
    assert read("H4..H8", "de") == "4H 5H 6H 7H 8H"
    assert read("AS..3S JC .. AC") == "AS 2S 3S JC QC KC AC"


@pytest.mark.parametrize("text", ["8H..4H", "4H..8S", "4H..4H", "AH..AH", "4H..JK", "K..A"])
def test_a_run_by_its_ends_goes_upwards_in_one_suit(text: str) -> None:
    code, facts = refusal(text)

    assert (code, facts["why"]) == ("E_NOTATION", "range")


def test_wild_cards_have_the_cards_they_stand_for() -> None:
    (joker, two), _ = read_cards("JK=9S 2H=10C")

    assert joker == Card(None, None, Card(Rank.NINE, Suit.SPADES))
    assert two == Card(Rank.TWO, Suit.HEARTS, Card(Rank.TEN, Suit.CLUBS))


@pytest.mark.parametrize("text", ["9S=9H", "JK=JK", "JK=9", "2=9S"])
def test_only_wild_cards_stand_for_a_card(text: str) -> None:
    code, facts = refusal(text, bare=True)

    assert (code, facts["why"]) == ("E_NOTATION", "declared")


def test_a_rank_without_a_suit_is_refused_if_suits_matter() -> None:
    assert refusal("KH K") == ("E_SUIT_NEEDED", {"token": "K", "rank": Rank.KING})
    assert read("K 9 A JK 10", bare=True) == "K 9 A JK 10"


@pytest.mark.parametrize(
    ("text", "notation"), [("TH", "en"), ("HT", "de"), ("TP", "fr"), ("TT", "fr"), ("T♥", "auto")]
)
def test_t_is_not_a_ten_in_any_notation(text: str, notation: str) -> None:
    code, facts = refusal(text, notation)

    assert (code, facts["why"]) == ("E_NOTATION", "ten")


@pytest.mark.parametrize(
    ("text", "meant"), [("T2", "2C 2D"), ("C9", "9H 9D 9C"), ("T-Dame", "QC QD")]
)
def test_bare_t_and_c_are_refused_with_what_they_may_mean(text: str, meant: str) -> None:
    code, facts = refusal(text, "de")

    assert (code, facts["why"]) == ("E_NOTATION", "suit_unclear")
    assert " ".join(write_cards(facts["cards"])) == meant


def test_bare_k_warns_once_and_only_where_it_is_a_suit() -> None:
    _, warnings = read_cards("HA K6 K7 KRD", "de")

    assert [(w.code, w.facts["token"], str(w.facts["card"])) for w in warnings] == [
        ("W_SUIT_K_KREUZ", "K6", "6C")
    ]
    assert read_cards("KD..AD KH", "auto")[1] == ()


def test_a_card_of_another_notation_is_refused_with_its_name() -> None:
    code, facts = refusal("H10", "en")

    assert (code, facts["why"], str(facts["card"])) == ("E_NOTATION", "other_notation", "10H")
    assert refusal("10H", "de")[1]["why"] == "other_notation"


def test_an_entry_has_a_maximum_length() -> None:
    assert refusal("9H " * 201)[1]["why"] == "too_many"
    assert refusal("AH..KH " * 20)[1]["why"] == "too_many"
    assert refusal("9" * 10_000_000)[1]["why"] == "too_long"


def test_every_reason_has_its_example() -> None:
    seen = {
        f"{code}.{facts['why']}"
        for text, notation in [
            ("XY", "en"), ("H9", "en"), ("TH", "en"), ("T2", "de"), ("4H..2H", "en"),
            ("9H=9S", "en"), ("9H " * 201, "en"), ("9" * 5000, "en"), ("10C", "auto"),
        ]
        for code, facts in [refusal(text, notation)]
    }  # fmt: skip

    assert seen == set(WHYS)


letters = st.text(alphabet="KkDdTtCcHhPpJjAaSsRrBbVvOo0123456789=.-, ♥♣\ufe0fÄäöü", max_size=30)


@given(st.one_of(letters, st.text(max_size=60)), st.sampled_from(NOTATIONS))
def test_any_text_is_read_or_refused(text: str, notation: Any) -> None:
    for bare in (False, True):
        try:
            cards, _ = read_cards(text, notation, bare=bare)
        except RuleError:
            continue
        assert read_cards(write_cards(cards), bare=bare) == (cards, ())


def test_the_warning_about_a_run_in_k_names_its_first_card() -> None:
    _, warnings = read_cards("K4..K8", "de")

    assert [str(one.facts["card"]) for one in warnings] == ["4C"]


# ---- French --------------------------------------------------------------------------

IN_FRENCH = dict(zip(Suit, ("trèfle", "carreau", "cœur", "pique"), strict=True))
FRENCH_WORDS = ["as", "2", "3", "4", "5", "6", "7", "8", "9", "10", "valet", "dame", "roi"]


@pytest.mark.parametrize("card", PACK, ids=str)
def test_every_card_has_its_french_words(card: Card) -> None:
    assert card.rank and card.suit
    suit, rank = IN_FRENCH[card.suit], FRENCH_WORDS[card.rank - 1]

    for written in (f"{rank} de {suit}", f"{rank} {suit}", f"{rank}-{suit}", f"{rank}{suit}"):
        for plain in (written.upper(), written.replace("œ", "oe").replace("è", "e")):
            for notation in ("fr", "auto"):
                assert read_cards(plain, notation) == ((card,), ())


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("RP DCa VT AK 10Co", "KS QD JC AD 10H"),
        ("dix de pique, As carreau JK", "10S AD JK"),
        ("JK = 9 de pique", "JK=9S"),
        ("4 de cœur .. 6 de cœur", "4H 5H 6H"),
        ("4P..6P 9TR 9PI 9Cœ", "4S 5S 6S 9C 9S 9H"),
    ],
)
def test_french_puts_the_rank_first(text: str, cards: str) -> None:
    assert read(text, "fr") == cards
    assert read(text, "auto") == cards


def test_french_ranks_are_read_without_suits() -> None:
    assert read("R D V as dix 9 JK", "fr", bare=True) == "K Q J A 10 9 JK"
    assert read("R D V", "auto", bare=True) == "K Q J"


def test_bare_c_is_hearts_in_french_and_warns_once() -> None:  # carreau begins with it too
    cards, warnings = read_cards("AP 10C RC 9T", "fr")

    assert write_cards(cards) == ["AS", "10H", "KH", "9C"]
    assert [(w.code, w.facts["token"], str(w.facts["card"])) for w in warnings] == [
        ("W_SUIT_C_COEUR", "10C", "10H")
    ]
    assert read_cards("RC", "auto")[1][0].code == "W_SUIT_C_COEUR"
    assert read_cards("4C..8C", "fr")[1][0].facts["card"] == Card(Rank.FOUR, Suit.HEARTS)


@pytest.mark.parametrize("text", ["10C", "AC", "JK=2C", "4C..8C"])
def test_auto_refuses_a_number_of_c_with_both_readings(text: str) -> None:
    code, facts = refusal(text, "auto")
    suits = [(facts[name].stands_for or facts[name]).suit for name in ("en", "fr")]

    assert (code, facts["why"]) == ("E_NOTATION_AMBIGUOUS", "en_fr")
    assert suits == [Suit.CLUBS, Suit.HEARTS]


@pytest.mark.parametrize(
    ("text", "notation", "card"),
    [("DP", "en", "QS"), ("10D", "fr", "10D"), ("QC", "fr", "QC"), ("P10", "fr", "10S")],
)
def test_a_card_that_one_other_notation_knows_is_refused_with_its_name(
    text: str, notation: str, card: str
) -> None:
    code, facts = refusal(text, notation)

    assert (code, facts["why"], str(facts["card"])) == ("E_NOTATION", "other_notation", card)


def test_a_card_that_others_read_differently_is_ambiguous() -> None:
    kd, jack, nine = refusal("KD", "fr"), refusal("J", "fr", bare=True), refusal("9C", "de")

    assert {kd[0], jack[0], nine[0]} == {"E_NOTATION_AMBIGUOUS"}
    assert [str(kd[1][name]) for name in ("en", "de")] == ["KD", "QC"]
    assert [str(jack[1][name]) for name in ("en", "de")] == ["J", "JK"]
    assert [str(nine[1][name]) for name in ("en", "fr")] == ["9C", "9H"]


@pytest.mark.parametrize("notation", NAMES)
@pytest.mark.parametrize("card", [*PACK, JOKER], ids=str)
def test_a_card_is_read_as_it_is_spelt_without_a_warning(card: Card, notation: Any) -> None:
    assert read_cards(spell(card, notation), notation) == ((card,), ())
    assert read_cards(spell(Card(None, None, stands_for=PACK[0]), notation), notation)[1] == ()


def test_every_french_name_has_one_reading() -> None:
    split = [(rank, suit) for rank in FRENCH_RANKS for suit in FRENCH_SUITS]

    assert len({rank + suit for rank, suit in split}) == len(split)
