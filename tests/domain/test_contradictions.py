"""Options that contradict each other: RULES 3.7, RULES-MORE 3.4."""

from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules.presets import PRESETS

CONTRADICTIONS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "more players at least than at most": (
        "german-family",
        {"players.min": 5, "players.max": 4},
        ["players: players.min players.max"],
    ),
    "more cards than the deck has": (
        "german-family",
        {"deck.packs": 1, "deck.jokers": 0},
        ["deck_too_small: deal.cards players.max deck.packs"],
    ),
    "a first dealer who does not sit there": (
        "german-family",
        {"deal.first_dealer": 4, "players.max": 4},
        ["first_dealer: deal.first_dealer players.max"],
    ),
    "teams of three": (
        "gin-palast",
        {"teams": True, "players.max": 3},
        ["players: players.min players.max", "teams: teams players.min players.max"],
    ),
    "teams with two players": (
        "gin-palast",
        {"teams": True, "players.min": 2, "players.max": 2},
        ["teams: teams players.min players.max"],
    ),
    "teams of four or five": (
        "gin-palast",
        {"teams": True, "players.max": 5},
        ["teams: teams players.min players.max"],
    ),
    "gin for four without teams": (
        "gin-palast",
        {"players.max": 4},
        ["gin_for_two: players.max teams"],
    ),
    "a joker in gin without the joker rule": (
        "gin-palast",
        {"deck.jokers": 1},
        ["joker_rule: gin.joker_rule deck.jokers"],
    ),
    "round the corner with a low ace": (
        "german-family",
        {"ace.high": False},
        ["corner: ace.corner ace.high"],
    ),
    "round the corner without a low ace": (
        "kalooki",
        {"ace.corner": True},
        ["ace_low: ace.low ace.corner"],
    ),
    "the ace neither low nor high": (
        "kalooki",
        {"ace.high": False},
        ["ace_low: ace.low ace.high"],
    ),
    "jokers in a Spanish pack": (
        "chinchon",
        {"deck.jokers": 2},
        ["ranks: deck.ranks deck.jokers"],
    ),
    "a wild rank in a Spanish pack": (
        "chinchon",
        {"wild.rank": "cut"},
        ["ranks_wild: deck.ranks wild.rank"],
    ),
    "wild twos in a Spanish pack": (
        "chinchon",
        {"wild.twos": True},
        ["ranks_twos: deck.ranks wild.twos"],
    ),
    "jokers and wild twos in a Spanish pack": (
        "chinchon",
        {"deck.jokers": 2, "wild.twos": True},
        ["ranks: deck.ranks deck.jokers", "ranks_twos: deck.ranks wild.twos"],
    ),
    "twos and another rank wild": (
        "american-continental",
        {"wild.rank": "cut"},
        ["wild_twos: wild.rank wild.twos"],
    ),
    "a wild rank and unambiguous jokers": (
        "german-family",
        {"wild.rank": "cut", "joker.placement": "unique_if_two"},
        ["wild_placement: wild.rank joker.placement"],
    ),
    "more pure runs than runs": ("wiener", {"meld.lives": [2, 1]}, ["lives: meld.lives"]),
    "cyclic without a corner": (
        "gin-palast",
        {"gin.cyclic": True, "ace.corner": False},
        ["cyclic: gin.cyclic ace.high ace.corner"],
    ),
    "Gin Pro without a limit of points": (
        "gin-palast",
        {"gin.pro_min_wins": 3, "end.mode": "manual"},
        ["gin_pro: gin.pro_min_wins end.mode"],
    ),
    "a limit of points without the points": (
        "german-family",
        {"end.mode": "points"},
        ["end_points: end.points end.mode"],
    ),
    "a limit of rounds without the rounds": (
        "german-family",
        {"end.mode": "rounds"},
        ["end_rounds: end.rounds end.mode"],
    ),
    "either limit without any": (
        "german-family",
        {"end.mode": "points_or_rounds"},
        ["end_points: end.points end.mode", "end_rounds: end.rounds end.mode"],
    ),
    "a bonus that lowers no total": (
        "german-family",
        {"score.out_bonus": 10},
        ["out_bonus: score.out_bonus rank.measure settle.measure"],
    ),
    "a bonus beside a limit on minus points": (
        "german-family",
        {"score.out_bonus": 10, "rank.measure": "net", "end.mode": "points", "end.points": 100},
        ["out_bonus: score.out_bonus end.measure"],
    ),
    "a bonus beside what the winner collects": (
        "romme-palast",
        {"score.out_bonus": 10, "rank.measure": "net", "end.measure": "net"},
        ["out_bonus_formula: score.out_bonus score.mode"],
    ),
    "a bonus of 25 for one run that lowers no total": (
        "wiener",
        {"out.one_run": 25},
        ["out_bonus: out.one_run rank.measure settle.measure"],
    ),
    "a bonus of 50 for one run that lowers no total": (
        "wiener",
        {"out.one_run": 50},
        ["out_bonus: out.one_run rank.measure settle.measure"],
    ),
    "a winner who is paid by another measure": (
        "wiener",
        {"settle.mode": "winner", "settle.measure": "net"},
        ["settle_winner: settle.mode settle.measure rank.measure"],
    ),
    "counting at the end of the stock in gin": (
        "gin-palast",
        {"stock.exhausted": "count"},
        ["stock_count: stock.exhausted family"],
    ),
    "coming back where nobody is out": (
        "scala-40",
        {"end.eliminate": False, "end.rejoin": "highest"},
        ["rejoin: end.rejoin end.eliminate"],
    ),
    "coming back without going out": (
        "romme-palast",
        {"end.rejoin": "highest"},
        ["rejoin: end.rejoin end.eliminate"],
    ),
    "coming back twice without going out": (
        "wiener",
        {"end.rejoin_max": 2},
        ["rejoin: end.rejoin_max end.eliminate"],
    ),
    "coming back from nothing without going out": (
        "wiener",
        {"end.rejoin_up_to": 0},
        ["rejoin: end.rejoin_up_to end.eliminate"],
    ),
    "a stake for coming back without going out": (
        "knock-rummy",
        {"settle.rejoin_stake": "1"},
        ["rejoin: settle.rejoin_stake end.eliminate"],
    ),
    "being out without a limit": (
        "german-family",
        {"end.eliminate": True},
        ["eliminate: end.eliminate end.mode"],
    ),
    "being out by plus points": (
        "scala-40",
        {"end.measure": "plus"},
        ["eliminate_measure: end.eliminate end.measure"],
    ),
    "being out where losers write nothing": (
        "luxembourg",
        {"end.eliminate": True, "end.measure": "minus"},
        ["eliminate_formula: end.eliminate score.mode"],
    ),
    "a bonus for the game without its end": (
        "gin-palast",
        {"gin.game_bonus": 100, "end.mode": "rounds", "end.rounds": 4},
        ["game_level: gin.game_bonus end.mode"],
    ),
    "boxes at the end of a game without one": (
        "gin-palast",
        {"gin.box_at": "game", "end.mode": "manual"},
        ["game_level: gin.box_at end.mode"],
    ),
    "a game of gin of three": (
        "gin-palast",
        {"gin.shutout": "points", "players.max": 3},
        ["game_of_two: gin.shutout players.max"],
    ),
    "spades that count twice without Oklahoma": (
        "gin-american",
        {"gin.oklahoma_spades": 2},
        ["spades: gin.oklahoma_spades gin.oklahoma"],
    ),
    "three games at once with boxes for each hand": (
        "gin-american",
        {"gin.hollywood": True, "gin.box_at": "hand"},
        ["hollywood_boxes: gin.hollywood gin.box_at"],
    ),
    "three games at once with what both sides could score in": (
        "gin-american",
        {"gin.hollywood": True, "gin.hirschn": True, "gin.glass": True, "gin.pro_min_wins": 3},
        [
            "hollywood: gin.hollywood gin.hirschn",
            "hollywood: gin.hollywood gin.glass",
            "hollywood: gin.hollywood gin.pro_min_wins",
        ],
    ),
    "a big gin with jokers": (
        "gin-american",
        {"gin.joker_rule": True},
        ["big_gin: gin.big_gin gin.joker_rule"],
    ),
    "a big gin in teams": (
        "gin-american",
        {"teams": True, "gin.shutout": "none", "gin.game_bonus": 0, "gin.box_at": "hand"},
        ["big_gin: gin.big_gin teams"],
    ),
    "a plan with more rounds than are played": (
        "contract-rummy",
        {"end.rounds": 6},
        ["plan_end: round.plan end.mode end.rounds"],
    ),
    "a plan without a last round": (
        "contract-rummy",
        {"end.mode": "points", "end.points": 500},
        ["plan_end: round.plan end.mode end.rounds"],
    ),
    "contracts where nothing is laid during play": (
        "wiener",
        {"round.plan": "10 S3; 10 R4", "end.mode": "manual"},
        ["contract_family: round.plan family"],
    ),
    "a first minimum beside contracts": (
        "contract-rummy",
        {"meld.first_min": 40},
        ["contract_min: meld.first_min round.plan"],
    ),
    "a contract of more melds than a turn allows": (
        "contract-rummy",
        {"meld.max_per_turn": 2},
        ["turn: meld.max_per_turn round.plan"],
    ),
    "more runs needed first than a turn allows": (
        "luxembourg",
        {"meld.lives": [1, 2]},
        ["turn: meld.max_per_turn meld.lives"],
    ),
    "a contract without the runs needed first": (
        "contract-rummy",
        {"meld.lives": [0, 1]},
        ["contract_lives: meld.lives round.plan"],
    ),
    "a wild rank that no row of the plan names": (
        "contract-rummy",
        {"wild.rank": "plan"},
        ["wild_plan: wild.rank round.plan"],
    ),
    "a plan with wild ranks that are not asked for": (
        "three-thirteen",
        {"wild.rank": "none"},
        ["wild_plan: wild.rank round.plan"],
    ),
    "places by minus points where nobody scores any": (
        "luxembourg",
        {"rank.measure": "minus"},
        ["no_minus: rank.measure settle.measure score.mode"],
    ),
    "a settlement by minus points in gin": (
        "gin-palast",
        {"settle.measure": "minus"},
        ["no_minus: settle.measure score.mode"],
    ),
    "a limit on minus points that nobody scores": (
        "luxembourg",
        {"end.measure": "minus"},
        ["no_minus: end.measure score.mode"],
    ),
    "a limit on net losses that nobody has": (
        "luxembourg",
        {"end.measure": "net"},
        ["no_minus: end.measure score.mode"],
    ),
    "everything by plus points where losers write minus points": (
        "german-family",
        {
            "rank.measure": "plus",
            "end.mode": "points",
            "end.points": 100,
            "end.measure": "plus",
        },
        ["no_plus: rank.measure settle.measure end.measure score.mode"],
    ),
    "the formula of another family": (
        "german-family",
        {"score.mode": "gin"},
        ["formula: score.mode family"],
    ),
}


@pytest.mark.parametrize(("name", "changes", "found"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradiction_is_told_once_and_names_the_options_that_cause_it(
    name: str, changes: dict[str, Any], found: list[str]
) -> None:
    with pytest.raises(RuleError) as refused:
        PRESETS[name].override(changes)

    problems = [
        (one.code, one.facts["why"], one.facts["options"]) for one in refused.value.problems
    ]
    assert [f"{why}: {' '.join(named)}" for _, why, named in problems] == found
    assert all(one.path == one.facts["options"][:1] for one in refused.value.problems)
    assert {code for code, _, _ in problems} == {"E_CONFIG"}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("contract-rummy", {"meld.max_per_turn": 3}),
        ("luxembourg", {"meld.lives": [1, 1]}),
        ("contract-rummy", {"round.plan": "10 S3 R4; 10 R4 R4", "meld.lives": [1, 1]}),
    ],
)
def test_melds_that_one_turn_allows_may_be_asked_for(name: str, changes: dict[str, Any]) -> None:
    PRESETS[name].override(changes)


def test_rules_that_ask_for_more_melds_than_a_turn_allows_stay_with_their_game() -> None:
    begun = PRESETS["contract-rummy"].unchecked({"meld.max_per_turn": 2})

    assert begun.override({"value.ace_hand": 20}).meld.max_per_turn == 2


def test_a_deck_is_too_small_for_the_first_number_of_players_that_it_lacks_cards_for() -> None:
    one_pack = {"deck.packs": 1, "deck.jokers": 0}
    PRESETS["german-family"].override(one_pack | {"players.max": 4})
    with pytest.raises(RuleError) as refused:
        PRESETS["german-family"].override(one_pack)

    (problem,) = refused.value.problems
    numbers = [problem.facts[name] for name in ("players", "needed", "has")]
    assert numbers == [5, 5 * 13, 52]  # four players are dealt all 52


def test_the_jokers_of_a_table_count_for_its_deck() -> None:
    eight = {"players.max": 8, "deal.upcard": True}  # 8 x 13 cards and one more, of 104
    PRESETS["german-family"].override(eight | {"deck.jokers": {2: 0, 8: 6}})
    with pytest.raises(RuleError) as refused:
        PRESETS["german-family"].override(eight | {"deck.jokers": {2: 6, 8: 0}})

    (problem,) = refused.value.problems
    assert [problem.facts[name] for name in ("players", "needed", "has")] == [8, 105, 104]
