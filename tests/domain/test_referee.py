"""The table referee: RULES 10."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from examples import cards, examples, turn_body
from scorekeeper.domain import homes, referee
from scorekeeper.domain.cards import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.homes import Home
from scorekeeper.domain.melds import lay_off, read_meld, swap_joker
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import preset
from scorekeeper.domain.referee import WHYS, TableMeld, Turn, check_turn
from scorekeeper.domain.steps import Step, check_steps, steal
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services.referee import TurnQuestionSchema
from scorekeeper.wire.strict import load

ROBBER = preset("robber")
FAMILY = preset("german-family")
PALAST = preset("romme-palast")
LUXEMBOURG = preset("luxembourg")
Cards = tuple[Card, ...]


def turn(
    before: Sequence[str],
    hand: str,
    after: Sequence[str],
    to_hand: str = "",
    *,
    own: Sequence[int] = (),
    has_laid: bool = True,
) -> Turn:
    return Turn(
        before=tuple(TableMeld(cards(meld), own=i in own) for i, meld in enumerate(before)),
        hand_used=cards(hand),
        after=tuple(cards(meld) for meld in after),
        to_hand=cards(to_hand),
        has_laid=has_laid,
    )


def named(problems: Sequence[Problem]) -> list[str]:
    """The codes with their reasons; every one can be said, in every language."""
    for problem in problems:
        assert problem.facts.get("clause") or problem.code == "E_FORM"
        assert all(language(code).problem(problem) for code in LANGUAGES)
    whys = ((problem.code, problem.facts.get("why")) for problem in problems)
    return [f"{code}.{why}" if why else code for code, why in whys]


def is_allowed(found: Sequence[Problem]) -> bool:
    return not any(problem.code.startswith("E_") for problem in found)


@pytest.mark.parametrize("example", examples("referee"))
def test_worked_example(example: dict[str, Any]) -> None:
    rules = preset(example["preset"])
    if "meld" in example:
        meld, wanted = read_meld(cards(example["meld"]), rules), cards(example["steal"])
        if "remain" in example:
            remain = [list(rest.cards) for rest in steal(meld, wanted, rules)]
            assert remain == [list(cards(rest)) for rest in example["remain"]]
            return
        with pytest.raises(RuleError) as error:
            steal(meld, wanted, rules)
        found = error.value.problems
    else:
        found = load(TurnQuestionSchema(), turn_body(example)).judge()

    assert named(found) == example["findings"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_reason_of_the_referee_has_its_sentence(code: str) -> None:
    assert [why for why in WHYS if why not in language(code)] == []


# --- what is refused, and why -------------------------------------------------------------

SEVENS, LOW, JOKER_TEN = "7S 7D 7C 7H", "3H 4H 5H", "8H 9H JK=10H"
SINGLE = {"meld.first_scope": "single"}


@pytest.mark.parametrize(
    ("rules", "played", "findings"),
    [
        pytest.param(rules, played, findings.split(), id=name)
        for name, rules, played, findings in [
            # conservation and melds, with and without robbing
            ("a card from nowhere", ROBBER, turn([LOW], "", [LOW + " 6H"]), "E_CARD_FROM_NOWHERE"),
            ("a card gone", FAMILY, turn([SEVENS], "", ["7S 7D 7C"]), "E_CARD_NOT_RELAID"),
            (
                "a played card that lies nowhere",
                FAMILY,
                turn([LOW], "6H 7H", [LOW + " 6H"]),
                "E_CARD_NOT_RELAID.hand",
            ),
            ("no meld afterwards", ROBBER, turn([LOW], "7H", ["3H 4H 5H 7H"]), "E_RUN.gap"),
            ("no meld before", FAMILY, turn(["3H 4H"], "", ["3H 4H"]), "E_MELD_SHORT E_MELD_SHORT"),
            (
                "a joker that names no card",
                ROBBER,
                turn([], "9D JK 9C", ["9D JK 9C"]),
                "E_JOKER_UNDECLARED.pinned",
            ),
            ("a joker too many", ROBBER, turn([LOW], "JK JK JK", []), "E_TOO_MANY_JOKERS.table"),
            ("a card too many", LUXEMBOURG, turn([LOW], "3H", []), "E_DUPLICATE_CARD.table"),
            ("a joker without jokers", LUXEMBOURG, turn([LOW], "JK", []), "E_JOKER_NOT_IN_DECK"),
            # with robbing
            (
                "a table rebuilt for nothing",
                ROBBER,
                turn(["3H 4H 5H 6H 7H 8H"], "", [LOW, "6H 7H 8H"]),
                "W_NO_HAND_CARD",
            ),
            ("a table left alone", ROBBER, turn([LOW], "", [LOW]), ""),
            (
                "a first meld below the minimum",
                ROBBER,
                turn([LOW], SEVENS, [LOW, SEVENS], has_laid=False),
                "E_FIRST_MIN.turn_together",
            ),
            (
                "a first meld beside what lies",
                ROBBER,
                turn([LOW], "10H 10S 10C 10D", [LOW, "10H 10S 10C 10D"], has_laid=False),
                "",
            ),
            # without robbing: laying off
            ("a lay-off", FAMILY, turn([LOW], "6H 7H AH 2H", ["AH 2H 3H 4H 5H 6H 7H"]), ""),
            (
                "a lay-off before the first meld",
                FAMILY,
                turn([LOW], "6H", [LOW + " 6H"], has_laid=False),
                "E_NOT_LAID.lay_off",
            ),
            (
                "a lay-off where no first meld is needed",
                LUXEMBOURG,
                turn([LOW], "6H", [LOW + " 6H"], has_laid=False),
                "",
            ),
            (
                "a lay-off where there is none",
                preset("knock-rummy"),
                turn([LOW], "6H", [LOW + " 6H"]),
                "E_LAYOFF.none",
            ),
            (
                "a lay-off on one's own meld",
                FAMILY.override({"layoff.scope": "others"}),
                turn([LOW], "6H", [LOW + " 6H"], own=[0]),
                "E_LAYOFF.others",
            ),
            (
                "a lay-off on the other of two equal melds",
                FAMILY.override({"layoff.scope": "others"}),
                turn([LOW, LOW], "6H", [LOW, LOW + " 6H"], own=[0]),
                "",
            ),
            (
                "two melds at once",
                LUXEMBOURG,
                turn([], f"{SEVENS} {LOW}", [SEVENS, LOW]),
                "E_MELDS_PER_TURN.turn",
            ),
            (
                "a first meld alone below the minimum",
                FAMILY.override(SINGLE),
                turn([], SEVENS, [SEVENS], has_laid=False),
                "E_FIRST_MIN.turn_single",
            ),
            (
                "a lay-off on the other of two equal melds, the other way round",
                FAMILY.override({"layoff.scope": "others"}),
                turn([LOW, LOW], "6H", [LOW, LOW + " 6H"], own=[1]),
                "",
            ),
            # without robbing: melds stay as they are
            (
                "two runs that become one",
                FAMILY,
                turn([LOW, "6H 7H 8H"], "", [LOW + " 6H 7H 8H"]),
                "E_REARRANGE.merged",
            ),
            (
                "a run cut in two",
                FAMILY,
                turn([LOW + " 6H 7H 8H"], "", [LOW, "6H 7H 8H"]),
                "E_REARRANGE.moved",
            ),
            (
                "a card taken up",
                FAMILY,
                turn([SEVENS], "", ["7S 7D 7C"], "7H"),
                "E_REARRANGE.moved",
            ),
            (
                "a card put down and taken up again",
                FAMILY,
                turn([LOW], "QS", [LOW], "QS"),
                "E_REARRANGE.to_hand",
            ),
            (
                "a joker moved to the other end",
                FAMILY,
                turn([JOKER_TEN], "", ["JK=7H 8H 9H"]),
                "E_REARRANGE.joker_moved",
            ),
            # without robbing: exchanging jokers
            (
                "an exchange for another card",
                FAMILY,
                turn([JOKER_TEN], "7H", ["7H 8H 9H"], "JK"),
                "E_SWAP_MISMATCH.other_card",
            ),
            (
                "two jokers for one card",
                FAMILY.override({"joker.min_naturals": 1, "joker.pinned_in_sets": False}),
                turn(["9D JK=9S JK"], "9S JK", ["9D 9S JK"], "JK JK"),
                "E_REARRANGE.to_hand",
            ),
            (
                "an exchange where jokers stay",
                preset("wiener"),
                turn([JOKER_TEN], "10H", ["8H 9H 10H"], "JK"),
                "E_SWAP_NOT_ALLOWED.never",
            ),
            (
                "an exchange before the first meld",
                FAMILY,
                turn([JOKER_TEN], "10H", ["8H 9H 10H"], "JK", has_laid=False),
                "E_NOT_LAID.lay_off",
            ),
            (
                "an unnamed joker exchanged for either suit",
                PALAST,
                turn(["9D JK 9C"], "9H 4C 4S", ["9D 9H 9C", "4C 4S JK"]),
                "",
            ),
            (
                "a gained joker laid off again",
                FAMILY,
                turn([JOKER_TEN], "10H", ["8H 9H 10H JK=JH"]),
                "",
            ),
            (
                "a gained joker laid off where it must be melded",
                PALAST,
                turn([JOKER_TEN], "10H", ["8H 9H 10H JK=JH"]),
                "E_JOKER_TO_HAND.laid_off",
            ),
            (
                "a joker of one's own laid off, the gained one melded",
                PALAST,
                turn([JOKER_TEN], "10H JK QC QD", ["8H 9H 10H JK=JH", "QC QD JK"]),
                "",
            ),
        ]
    ],
)
def test_a_turn_is_answered_by_its_code(rules: RuleSet, played: Turn, findings: list[str]) -> None:
    assert named(check_turn(played, rules)) == findings


def test_of_two_ways_to_see_a_turn_the_allowed_one_counts() -> None:
    """The gained joker is in the new meld only if the old run took the ten."""
    seen = turn(
        ["7H 8H 9H", "5D JK=6D 7D"],
        "7H 8H 9H 10H 6D",
        ["7H 8H 9H JK=10H", "7H 8H 9H 10H", "5D 6D 7D"],
    )

    assert named(check_turn(seen, PALAST)) == []


def test_ways_to_see_one_meld_are_weighed_with_all_others() -> None:
    """One joker is the player's own and laid off on the spades; the gained one is new."""
    seen = turn(
        ["7H 8H 9H", "7S 8S 9S", "5D JK=6D 7D"],
        "7H 8H 9H 10H 6D JK",
        ["7H 8H 9H JK=10H", "7H 8H 9H 10H", "7S 8S 9S JK=10S", "5D 6D 7D"],
    )

    assert named(check_turn(seen, PALAST)) == []


def test_a_swap_names_the_card_that_would_be_right() -> None:
    (problem,) = check_turn(turn([JOKER_TEN], "7H", ["7H 8H 9H"], "JK"), FAMILY)

    assert problem.facts["allowed"] == cards("10H")
    assert "10" in language("de").problem(problem)


# --- the turn of the first meld (layoff.first_turn) ----------------------------------------

HEARTS_RUN, KINGS, QUEENS = "7H 8H 9H", "KH KD KS", "QS QC JK"
TOGETHER = PALAST.override({"meld.first_scope": "together", "meld.first_min": 50})
GROWING_ROBBER = ROBBER.override({"layoff.first_turn": True})


@pytest.mark.parametrize(
    ("rules", "played", "findings"),
    [
        # the first meld must lie, and reach the minimum by itself
        (PALAST, turn([HEARTS_RUN], "6H", ["6H " + HEARTS_RUN]), "E_NOT_LAID.first_turn"),
        (
            PALAST,
            turn([HEARTS_RUN], "6H 9C 9D 9S", ["6H " + HEARTS_RUN, "9C 9D 9S"]),
            "E_FIRST_MIN.turn_single E_NOT_LAID.first_turn",
        ),
        (PALAST, turn([HEARTS_RUN], "6H " + KINGS, ["6H " + HEARTS_RUN, KINGS]), ""),
        # jokers may be exchanged too, and go into a further meld
        (PALAST, turn([JOKER_TEN], "10H 2C 2S " + KINGS, ["8H 9H 10H", KINGS, "2C 2S JK"]), ""),
        # but the first meld is made of own cards: the gained joker opens nothing
        (
            PALAST,
            turn([JOKER_TEN], "10H QS QC", ["8H 9H 10H", "QS QC JK"]),
            "E_FIRST_MIN.turn_single E_NOT_LAID.first_turn",
        ),
        (PALAST, turn([JOKER_TEN], "10H QS QC JK KS KC", ["8H 9H 10H", QUEENS, "KS KC JK"]), ""),
        (
            TOGETHER,
            turn([JOKER_TEN], "10H QS QC JK KS KC", ["8H 9H 10H", QUEENS, "KS KC JK"]),
            "E_FIRST_MIN.turn_together E_NOT_LAID.first_turn",
        ),
        (
            TOGETHER,
            turn(
                [JOKER_TEN],
                "10H QS QC JK KS KC 7C 7D 7S",
                ["8H 9H 10H", QUEENS, "KS KC JK", "7C 7D 7S"],
            ),
            "",  # 30 and 21, whichever joker is whose
        ),
        # with robbing: melds may grow, and nothing else
        (ROBBER, turn([HEARTS_RUN], "6H " + KINGS, ["6H " + HEARTS_RUN, KINGS]), "E_NOT_LAID.rob"),
        (
            GROWING_ROBBER,
            turn([HEARTS_RUN], f"6H {KINGS} 5D 6D 7D", ["6H " + HEARTS_RUN, KINGS, "5D 6D 7D"]),
            "",
        ),
        (
            GROWING_ROBBER,
            turn([HEARTS_RUN + " 10H"], "10S 10D " + KINGS, [HEARTS_RUN, "10H 10S 10D", KINGS]),
            "E_NOT_LAID.rob",
        ),
        (
            GROWING_ROBBER,
            turn([HEARTS_RUN], "6H " + KINGS, ["6H " + HEARTS_RUN, KINGS]),
            "E_FIRST_MIN.turn_together E_NOT_LAID.first_turn",
        ),
    ],
)
def test_in_the_turn_of_the_first_meld(rules: RuleSet, played: Turn, findings: str) -> None:
    assert named(check_turn(replace(played, has_laid=False), rules)) == findings.split()


def test_of_two_melds_that_contain_an_old_one_the_longer_may_be_the_first_meld() -> None:
    """7-8-9 lies on in either; only seen as the old one is the other a first meld of 34."""
    for after in (["7H 8H 9H", "7H 8H 9H 10H"], ["7H 8H 9H 10H", "7H 8H 9H"]):
        seen = turn([HEARTS_RUN], "7H 8H 9H 10H", after, has_laid=False)

        assert named(check_turn(seen, PALAST)) == []


@pytest.mark.parametrize(
    ("moves", "findings"),
    [
        ((("lay", KINGS), ("lay_off", "6H", 0)), []),
        ((("lay_off", "6H", 0), ("lay", KINGS)), ["E_NOT_LAID.first_turn"]),
    ],
)
def test_move_by_move_the_first_meld_lies_first(moves: Any, findings: list[str]) -> None:
    told = turn([HEARTS_RUN], "6H " + KINGS, [], has_laid=False)

    assert named(check_steps(told, steps(*moves), PALAST)) == findings


# --- one robbery --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("meld", "stolen", "remain"),
    [
        ("7S 7D 7C 7H", "7D", ["7C 7H 7S"]),
        ("4H 5H 6H JK=7H 8H", "4H 5H", ["6H JK=7H 8H"]),  # the joker stays a seven
        ("4H 5H JK=6H 7H 8H", "JK", None),
        ("4H 5H JK=6H 7H 8H", "JK=6H", None),
        ("4H JK=5H 6H 7H 8H 9H JK=10H", "JK=10H", ["4H JK=5H 6H 7H 8H 9H"]),
        ("4H..10H", "7H 8H", None),  # 9-10 are left over
        ("AH..KH", "AH 6H", ["2H 3H 4H 5H", "7H 8H 9H 10H JH QH KH"]),
        ("QH KH AH..JH", "AH 6H", ["2H 3H 4H 5H", "7H 8H 9H 10H JH QH KH"]),  # ends join
    ],
)
def test_the_rest_of_a_robbed_meld_is_melds(
    meld: str, stolen: str, remain: list[str] | None
) -> None:
    found = read_meld(cards(meld), ROBBER)
    if remain is None:
        with pytest.raises(RuleError, match="E_STEAL_LEAVES_INCOMPLETE"):
            steal(found, cards(stolen), ROBBER)
    else:
        rest = {rest.cards for rest in steal(found, cards(stolen), ROBBER)}
        assert rest == {cards(text) for text in remain}


@given(st.integers(3, 13), st.data())
def test_of_k_cards_at_most_k_less_three_can_be_stolen_or_all(size: int, data: Any) -> None:
    run = read_meld([Card(Rank(n), Suit.HEARTS) for n in range(1, size + 1)], ROBBER)
    stolen = data.draw(st.lists(st.sampled_from(run.cards), min_size=1, unique=True))
    pieces, count = [], 0
    for card in (*run.cards, None):
        if card is None or card in stolen:
            pieces, count = [*pieces, count], 0
        else:
            count += 1
    fits = all(piece == 0 or piece >= 3 for piece in pieces)
    around = size == 13 and not {Rank.ACE, Rank.KING} & {card.rank for card in stolen}
    assume(not around)

    try:
        remain = steal(run, stolen, ROBBER)
    except RuleError as error:
        assert named(error.problems)[0].startswith("E_STEAL_LEAVES_INCOMPLETE.")
        assert not fits
    else:
        assert fits
        assert sum(len(meld.cards) for meld in remain) == size - len(stolen)


# --- a turn told move by move -------------------------------------------------------------


def steps(*moves: tuple[str, str] | tuple[str, str, int]) -> list[Step]:
    return [Step(move, cards(text), *number) for move, text, *number in moves]  # type: ignore[arg-type]


TABLE = turn(["7S 7D 7C", "4C 5C 6C"], "5S 6S 8D 9D", [])
ROBBERY = (("steal", "7S 7D 7C", 0), ("lay", "5S 6S 7S"), ("lay", "7D 8D 9D"))


@pytest.mark.parametrize(
    ("rules", "told", "moves", "findings"),
    [
        (ROBBER, TABLE, (*ROBBERY, ("lay_off", "7C", 1)), []),  # R03
        (ROBBER, TABLE, ROBBERY, ["E_CARD_NOT_RELAID"]),
        (ROBBER, TABLE, (("steal", "7D", 0),), ["E_STEAL_LEAVES_INCOMPLETE.three"]),
        (ROBBER, TABLE, (("steal", "8D", 0),), ["E_CARD_FROM_NOWHERE.not_in_meld"]),
        (ROBBER, TABLE, (("lay", "5S 6S 7S"),), ["E_CARD_FROM_NOWHERE"]),  # still in the set
        (ROBBER, TABLE, (("lay_off", "5S", 1),), ["E_LAYOFF.run"]),
        (ROBBER, TABLE, (*ROBBERY, ("lay_off", "7C", 0)), ["E_FORM.no_meld"]),  # robbed whole
        (ROBBER, TABLE, (*ROBBERY, ("steal", "7C", 9)), ["E_FORM.no_meld"]),
        (FAMILY, TABLE, ROBBERY, ["E_REARRANGE.steal"]),
        (
            ROBBER,
            replace(TABLE, has_laid=False),
            (*ROBBERY, ("lay_off", "7C", 1)),
            ["E_NOT_LAID.rob"],
        ),
        (ROBBER, turn(["7S 7D 7C"], "5H 6H", []), (("lay", "5H 6H"),), ["E_MELD_SHORT"]),
        (
            ROBBER,
            turn(["5D JK=6D 7D 8D"], "6D QS QC", []),
            (("swap", "6D", 0), ("lay", "QS QC JK=QH")),
            [],
        ),  # R09
        (
            ROBBER,
            turn(["4H..10H"], "7H 10H", []),
            (("steal", "7H", 0), ("lay_off", "7H", 1), ("lay_off", "7H", 0)),
            ["E_CARD_NOT_RELAID.hand"],
        ),
        (FAMILY, turn(["9H JK=10H JH"], "10H", [], "JK"), (("swap", "10H", 0),), []),  # R12
    ],
)
def test_a_turn_move_by_move(rules: RuleSet, told: Turn, moves: Any, findings: list[str]) -> None:
    assert named(check_steps(told, steps(*moves), rules)) == findings


# --- properties ---------------------------------------------------------------------------

RUNS = [
    tuple(Card(Rank(low + n), suit) for n in range(size))
    for suit in Suit
    for low in range(1, 12)
    for size in range(3, min(8, 15 - low))
]
SETS = [
    tuple(Card(rank, suit) for suit in Suit if suit is not out)
    for rank in Rank
    for out in (None, *Suit)
]


@st.composite
def tables(draw: st.DrawFn, most: int = 6) -> list[Cards]:
    """Melds of two packs; some have a joker that says what it is."""
    melds: list[Cards] = []
    for meld in draw(st.lists(st.sampled_from(RUNS + SETS), min_size=1, max_size=most)):
        wild = draw(st.integers(-8, len(meld) - 1))
        cards = tuple(JOKER._replace(stands_for=c) if i == wild else c for i, c in enumerate(meld))
        if is_in_deck([*melds, cards]):
            melds.append(cards)
    return melds


def is_in_deck(melds: Sequence[Cards]) -> bool:
    count = Counter(card.physical for meld in melds for card in meld)
    return all(n <= (6 if card.is_joker else 2) for card, n in count.items())


@st.composite
def turns(draw: st.DrawFn, rob: bool = False) -> Turn:
    """A turn that keeps the rules: new melds, lay-offs, exchanges, and robbing if wanted."""
    before = draw(tables())
    melds, hand, gained = [read_meld(cards, FAMILY) for cards in before], [], []
    for _ in range(draw(st.integers(1, 4))):
        i = draw(st.integers(0, len(melds) - 1))
        card = draw(st.sampled_from(PACK))
        if not is_in_deck([*before, (*hand, card)]):
            continue
        try:
            melds[i] = lay_off(melds[i], card, FAMILY)
        except RuleError:
            continue
        hand.append(card)
    for i, meld in enumerate(melds):
        if meld.wild and is_in_deck([*before, (*hand, meld.wild[0])]) and draw(st.booleans()):
            melds[i], joker = swap_joker(meld, meld.wild[0], FAMILY)
            hand.append(meld.wild[0])
            gained.append(joker)
    for laid in draw(tables(most=2)):
        if is_in_deck([*before, hand, laid]):
            melds.append(read_meld(laid, FAMILY))
            hand += laid
    after = [meld.cards for meld in melds]
    if rob:
        after = draw(robbed(after))
    return Turn(
        before=tuple(map(TableMeld, before)),
        hand_used=tuple(card.physical for card in hand),
        after=tuple(after),
        to_hand=tuple(gained),
    )


@st.composite
def robbed(draw: st.DrawFn, melds: list[Cards]) -> list[Cards]:
    """Runs cut in two, and end cards of one meld laid on another."""
    found: list[Cards] = []
    for meld in melds:
        cut = draw(st.integers(3, 5))
        is_run = read_meld(meld, FAMILY).kind == "run"
        pieces = [meld[:cut], meld[cut:]] if is_run and len(meld) - cut >= 3 else [meld]
        plain = [sum(not card.is_joker for card in piece) >= 2 for piece in pieces]
        found += pieces if all(plain) else [meld]
    for i, meld in enumerate(found):
        for k, other in enumerate(found):
            if i == k or len(meld) < 4:
                continue
            try:
                grown = lay_off(read_meld(other, FAMILY), meld[-1], FAMILY)
            except RuleError:
                continue
            if meld[-1].stands_for is None and sum(not c.is_joker for c in meld[:-1]) >= 2:
                found[k], found[i] = grown.cards, meld[:-1]
                meld = found[i]
    return found


ROBBER_SIX = ROBBER.override({"deck.jokers": 6})


@given(turns())
def test_growing_by_the_rules_is_allowed(played: Turn) -> None:
    assert named(check_turn(played, FAMILY)) == []


@given(turns(rob=True))
def test_rebuilding_by_the_rules_is_allowed(played: Turn) -> None:
    assume(not played.to_hand)

    assert is_allowed(check_turn(played, ROBBER_SIX))


@given(turns() | turns(rob=True))
def test_what_is_allowed_without_robbing_is_allowed_with_it(played: Turn) -> None:
    if is_allowed(check_turn(played, FAMILY)) and not played.to_hand:
        assert is_allowed(check_turn(played, ROBBER_SIX))


@given(turns(), st.sampled_from([FAMILY, ROBBER_SIX]), st.data())
def test_a_card_taken_away_anywhere_is_missed(played: Turn, rules: RuleSet, data: Any) -> None:
    i = data.draw(st.integers(0, len(played.after) - 1))
    meld = list(played.after[i])
    meld.remove(data.draw(st.sampled_from(meld)))
    after = (*played.after[:i], tuple(meld), *played.after[i + 1 :])
    codes = [problem.code for problem in check_turn(replace(played, after=after), rules)]

    assert "E_CARD_NOT_RELAID" in codes


@given(turns(), st.sampled_from([FAMILY, ROBBER_SIX]), st.sampled_from(PACK), st.data())
def test_a_card_added_anywhere_is_from_nowhere(
    played: Turn, rules: RuleSet, card: Card, data: Any
) -> None:
    i = data.draw(st.integers(0, len(played.after) - 1))
    after = (*played.after[:i], (*played.after[i], card), *played.after[i + 1 :])
    codes = [problem.code for problem in check_turn(replace(played, after=after), rules)]

    assert "E_CARD_FROM_NOWHERE" in codes


@pytest.mark.parametrize("order", [1, -1])
def test_a_meld_that_lies_as_before_is_the_old_one_and_the_new_one_is_new(order: int) -> None:
    old, new = "JK=AC 2C 3C 4C", "AC 2C 3C 4C"

    found = check_turn(turn([old], new, [old, new][::order], has_laid=False), PALAST)

    assert named(found) == ["E_FIRST_MIN.turn_single"]  # 10, and no joker was exchanged


@given(
    turns(rob=True),
    st.sampled_from([FAMILY, PALAST, ROBBER_SIX]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_the_order_of_melds_and_cards_changes_nothing(
    played: Turn, rules: RuleSet, has_laid: bool, random: Any
) -> None:
    def shuffled(things: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(random.sample(things, len(things)))

    played = replace(played, has_laid=has_laid)
    other = Turn(
        before=shuffled([TableMeld(shuffled(meld.cards), meld.own) for meld in played.before]),
        hand_used=shuffled(played.hand_used),
        after=shuffled([shuffled(meld) for meld in played.after]),
        to_hand=shuffled(played.to_hand),
        has_laid=has_laid,
    )

    one, two = check_turn(played, rules), check_turn(other, rules)
    assert sorted(named(one)) == sorted(named(two))


# --- a second referee, which tries everything ---------------------------------------------

HEARTS = [Card(rank, Suit.HEARTS) for rank in Rank if 4 <= rank <= 8]


@st.composite
def crowded(draw: st.DrawFn) -> tuple[list[Cards], list[Cards]]:
    """Few places and many jokers, so that melds fit into each other in many ways."""

    def run() -> Cards:
        low, size = draw(st.sampled_from([(0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (0, 5)]))
        wild = draw(st.sampled_from([None, None, 0, 1, 2]))
        return tuple(
            JOKER._replace(stands_for=card) if i == wild else card
            for i, card in enumerate(HEARTS[low : low + size])
        )

    before = [run() for _ in range(draw(st.integers(1, 3)))]
    return before, [run() for _ in range(draw(st.integers(len(before), 4)))]


def tries_everything(played: Turn, rules: RuleSet) -> bool:
    """RULES 10.3 for runs of one suit: some way to give each old meld a new one is allowed."""
    hand = Counter(played.hand_used)[JOKER]
    for order in permutations(played.after, len(played.before)):
        gained = laid_off = 0
        good = True
        for old, new in zip(played.before, order, strict=True):
            there = {card.stands_for or card: card for card in new}
            for card in old.cards:
                now = there.pop(card.stands_for or card, None)
                good &= now == card or (card.is_joker and now is not None)
                gained += card.is_joker and now != card
                good &= not (card.is_joker and now != card and old.own and rules is PALAST)
            laid_off += sum(card.is_joker for card in there.values())
        kept = len(played.to_hand)
        if rules is PALAST:  # the gained joker into a new meld
            good &= kept == 0 and laid_off <= hand
        if good and all(card.is_joker for card in played.to_hand) and kept <= gained:
            return True
    return False


@given(
    crowded(), st.lists(st.booleans(), min_size=3, max_size=3), st.sampled_from([FAMILY, PALAST])
)
def test_the_referee_agrees_with_trying_everything(
    melds: tuple[list[Cards], list[Cards]], own: list[bool], rules: RuleSet
) -> None:
    before, after = melds
    came = Counter(card.physical for meld in before for card in meld)
    went = Counter(card.physical for meld in after for card in meld)
    assume(is_in_deck(after) and is_in_deck([*before, tuple((went - came).elements())]))
    played = Turn(
        before=tuple(map(TableMeld, before, own)),
        hand_used=tuple((went - came).elements()),
        after=tuple(after),
        to_hand=tuple((came - went).elements()),
    )

    assert is_allowed(check_turn(played, rules)) == tries_everything(played, rules)


# --- bounded ------------------------------------------------------------------------------


SUITS = [[Card(rank, suit) for rank in Rank] for suit in Suit]
DECK = [tuple(suit[i : i + 3]) for suit in SUITS for i in (0, 3, 6, 9)] * 2


@pytest.fixture
def choosing(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many melds are still without a home, each time that one is to be given one."""
    choices, asked = homes.choices, []

    def counted(open_yet: list[list[Home]], *taken: frozenset[int]) -> Iterator[tuple[Home, ...]]:
        asked.append(len(open_yet))
        return choices(open_yet, *taken)

    for module in (homes, referee):
        monkeypatch.setattr(module, "choices", counted)
    return asked


def test_a_whole_deck_on_the_table_is_looked_at_meld_by_meld(choosing: list[int]) -> None:
    """Every meld lies twice and has two homes: 2 to the 16 ways to see the turn."""
    kings = tuple(suit[12] for suit in SUITS)
    grown = [
        (*meld, Card(Rank.KING, meld[2].suit)) if meld[2].rank is Rank.QUEEN else meld
        for meld in DECK
    ]
    table = Turn(before=tuple(map(TableMeld, DECK)), hand_used=kings * 2, after=tuple(grown))

    assert named(check_turn(table, FAMILY)) == []
    assert 0 < len(choosing) <= 4 * len(DECK)


def test_a_deck_that_does_not_fit_is_looked_at_meld_by_meld_too(choosing: list[int]) -> None:
    after = tuple(tuple(suit[:12]) for suit in SUITS) * 2
    table = Turn(before=tuple(map(TableMeld, DECK)), after=after)

    assert "E_REARRANGE.merged" in named(check_turn(table, FAMILY))
    assert 0 < len(choosing) <= 4 * len(DECK)
