"""Points counted in the browser are those of the server, at once and without a connection."""

import random
from contextlib import suppress
from dataclasses import asdict, replace

import pytest

from scorekeeper.domain.cards.card import JOKER, Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.gin_game import boxes_of
from scorekeeper.domain.rounds.checks import DROPS
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rounds.marks import ending
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rounds.scoring.rates import rates
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.web.pages.entry.layout import HELD_FACT

ROUNDS = 100
COUNT = """async ([script, tables]) => {
    const { left: read, priced, score } = await import(script);
    const rankOf = (card) => card;
    return tables.map(([rates, rounds]) => rounds.map(({ seats, winner, handRomme, oneRun }) => {
        const entered = seats.map(({ way, text }) => read(rates, way, text, rankOf));
        const of = (name) => seats.map((one) => one[name]);
        const [away, laid, dropped] = ["away", "laid", "drop"].map(of);
        const left = entered.map((one) => (one ? one.points : one));
        const prices = seats.map(({ drop, hasLaid }) => priced(rates, { drop, hasLaid }));
        const held = left.map((points, seat) => prices[seat]?.points ?? points);
        return score(rates, { winner, held, away, laid, dropped, handRomme, oneRun });
    }));
}"""


def house_rules(preset: str, dice: random.Random) -> RuleSet:
    """Return a preset with other prices and another way to write points."""
    rules = PRESETS[preset]
    for name, values in {
        "joker.hand_value": (20, 25, 50),
        "value.ace_hand": (1, 11, 15),
        "hand_romme.factor": (2, 3),
        "score.winner_reduction": (0, 10),
        "out.max_rest": (0, 9),
        "score.cap": (0, 60),
        "score.out_bonus": (0, 10),
        "score.not_laid": (0, 100),
    }.items():
        try:
            rules = rules.override({name: dice.choice(values)})
        except RuleError:
            continue
    return rules


def entered(rules: RuleSet, dice: random.Random) -> tuple[dict, Round]:
    """Return a round as the form has it, and its facts."""
    names = HELD_FACT[rules.family]
    known = rates(rules).cards
    ranks = [Card(rank, None) for rank in Rank if str(int(rank)) in known]
    ranks += [JOKER] * bool(rules.deck.jokers and known)
    players = min(4, rules.players.max)
    own_rows = rules.round.plan_by == "player"
    winner = dice.randrange(players)
    shown, seats = [], []
    drops = [name for name in DROPS if rules.drop.points[DROPS.index(name)]]
    for seat in range(players):
        away = seat != winner and dice.random() < 0.1
        way = dice.choice(("points", "ranks") if ranks else ("points",))
        cards = tuple(dice.choices(ranks or [JOKER], k=dice.randint(1, 5)))
        numbers = [dice.randint(1, 40) for _ in range(dice.randint(1, 3))]
        if seat == winner and (not rules.out.max_rest or dice.random() < 0.7):
            way, text, facts = "points", "", Seat()
        elif seat == winner:
            numbers = [dice.randint(1, rules.out.max_rest)]
            way, text, facts = "points", str(numbers[0]), Seat(points=numbers[0])
        elif way == "points":
            text = " + ".join(map(str, numbers))
            facts = Seat(**{names["points"]: sum(numbers)})
        else:
            text = " ".join(str(int(card.rank)) if card.rank else "JK" for card in cards)
            facts = Seat(**{names["ranks"]: cards})
        drop = dice.choice(drops) if drops and seat != winner and dice.random() < 0.2 else None
        if drop:
            facts = Seat(wrong=True) if drop == "wrong" else Seat(drop=drop)
        laid = dice.randint(0, 90) if rules.score.mode == "melded" else None
        shown.append({"way": way, "text": text, "away": away, "laid": laid, "drop": drop})
        if (own_rows or rules.score.not_laid) and seat != winner:
            facts = replace(facts, laid=dice.random() < 0.5)
        shown[-1]["hasLaid"] = facts.laid is not False
        seats.append(Seat(absent=True) if away else replace(facts, laid_points=laid))
    row = (1,) * players if own_rows else 1
    hand_romme = rules.family == "lay" and rules.hand_romme.enabled and dice.random() < 0.3
    one_run = rules.out.one_run != "none" and not shown[winner]["text"] and dice.random() < 0.3
    facts = Round(
        outcome="out",
        winner=winner,
        seats=tuple(seats),
        hand_romme=hand_romme,
        one_run=one_run or None,
        plan_row=row if rules.round.plan else None,
    )
    return {"seats": shown, "winner": winner, "handRomme": hand_romme, "oneRun": one_run}, facts


def test_the_browser_counts_as_the_server_does_in_every_rule_system(thumb, table):
    dice = random.Random(1)
    tables, expected = [], []
    for preset in PRESETS:
        rules = house_rules(preset, dice)
        if not rates(rules).line:  # the browser leaves it to the server
            continue
        rounds, scores = [], []
        while len(rounds) < ROUNDS:
            shown, facts = entered(rules, dice)
            try:
                seats = len(facts.seats)
                score = score_round(replace(facts, accept_irregular=True), rules, seats)
            except RuleError:
                continue
            rounds.append(shown)
            scores.append([one and [one.minus, one.plus, one.reduction] for one in score.scores])
        tables.append([asdict(rates(rules)), rounds])
        expected.append(scores)
    thumb.page.goto("/")
    counted = thumb.page.evaluate(COUNT, ["/static/count.js", tables])

    assert len(tables) >= 20
    assert counted == expected


KNOCKS = """async ([script, tables]) => {
    const { score } = await import(script);
    return tables.map(([rates, rounds]) => rounds.map((round) => score(rates, round)));
}"""
GIN = {
    "gin.knock_limit": (0, 5, 10),
    "gin.gin_bonus": (0, 25),
    "gin.undercut_bonus": (0, 20),
    "gin.layoff_on_gin": (False, True),
    "gin.oklahoma": (False, True),
    "gin.oklahoma_ace": (0, 1),
    "gin.joker_rule": (False, True),
    "gin.joker_discard_factor": (1, 2, 3),
    "end.points": (50, 100),
    "gin.box_at": ("hand", "game"),
    "gin.extra_boxes": ([0, 0, 0], [1, 2, 3]),
    "teams": (False, True),
}
KNOCK = {
    "knock.limit": (None, 10),
    "knock.penalty": (0, 10),
    "knock.rummy_bonus": (0, 1, 25),
    "knock.rummy_bonus_from": ("each", "once"),
    "knock.rummy_unbeatable": (False, True),
    "knock.ties": ("split", "first_left"),
}
TABLES = 12
ORDERS = ((), (0, 2, 1), (0, 3, 1, 2), (2, 0, 3, 1), (4, 1, 3, 0, 2))


def house_rules_of(preset: str, options: dict, dice: random.Random) -> RuleSet:
    rules = PRESETS[preset]
    for name, values in options.items():
        with suppress(RuleError):
            rules = rules.override({name: dice.choice(values)})
    return rules


def knocked(rules: RuleSet, dice: random.Random, order: tuple[int, ...] = ()) -> tuple[dict, Round]:
    """Return a knock as the browser counts it, and its facts."""
    gin = rules.family == "gin"
    players = len(order) or (
        4 if rules.teams else dice.choice((2, 3)) if gin else dice.randint(2, 5)
    )
    knocker = dice.randrange(players)
    away = [not gin and seat != knocker and dice.random() < 0.1 for seat in range(players)]
    if gin and players == 3:
        away[(knocker + dice.choice((1, 2))) % 3] = True
    held = [dice.choice((0, 0, 3, 5, 7, 10, 12, 30)) for _ in range(players)]
    upcard = Card(dice.choice(tuple(Rank)), Suit.HEARTS) if gin and rules.gin.oklahoma else None
    joker = gin and rules.gin.joker_rule and dice.random() < 0.3
    name = HELD_FACT[rules.family]["points"]
    seats = [
        Seat(absent=True) if gone else Seat(**{name: n}) for n, gone in zip(held, away, strict=True)
    ]
    facts = Round(
        outcome="knock",
        knocker=knocker,
        seats=tuple(seats),
        oklahoma_card=upcard,
        joker_discarded=joker or None,
        order=order,
    )
    shown = {"winner": knocker, "held": held, "away": away, "joker": joker}
    return shown | {"upcard": str(int(upcard.rank)) if upcard and upcard.rank else None}, facts


@pytest.mark.parametrize(("preset", "options"), [("gin-palast", GIN), ("knock-rummy", KNOCK)])
def test_the_browser_scores_a_knock_as_the_server_does(thumb, preset, options):
    dice = random.Random(2)
    tables, expected = [], []
    for _ in range(TABLES):
        rules = house_rules_of(preset, options, dice)
        rounds, scores = [], []
        order = () if preset == "gin-palast" else dice.choice(ORDERS)
        for _ in range(ROUNDS // 3):
            shown, facts = knocked(rules, dice, order)
            rounds.append(shown)
            scores.append(verdict(facts, rules))
        tables.append([asdict(rates(rules, order)), rounds])
        expected.append(scores)
    thumb.page.goto("/")
    counted = thumb.page.evaluate(KNOCKS, ["/static/knocks.js", tables])

    assert counted == expected
    marks = {one["mark"][1] for scores in expected for one in scores if one}
    assert marks >= ({"gin", "undercut", "knock"} if preset == "gin-palast" else {"rummy", "knock"})


def verdict(facts: Round, rules: RuleSet) -> dict | None:
    """Return the server's score as the browser has it; None if the round is refused."""
    try:
        score = score_round(facts, rules, len(facts.seats))
    except RuleError:
        return None
    mark = ending(score, facts)
    lines = [[line.reason, line.plus] for line in score.lines if line.plus]
    return {
        "points": [one and [one.minus, one.plus, one.reduction] for one in score.scores],
        "winner": score.winner,
        "mark": mark and [mark.side, mark.name],
        "parts": lines if rules.family == "gin" else [],
        **({"boxes": sum(boxes_of(score))} if rules.family == "gin" else {}),
    }


def test_the_result_of_a_round_of_gin_appears_without_the_server(anna_plays, thumb):
    game = anna_plays("gin-palast", ("Anna", "Bernd"))
    thumb.open(game)
    thumb.ends(0)
    thumb.page.wait_for_load_state("networkidle")
    thumb.phone.route("**/round", lambda route: None)
    result, line = thumb.page.locator("#result"), thumb.page.locator("#line")
    thumb.digits(24)
    thumb.press("#cell-0")
    thumb.digits(6)
    thumb.page.locator("#cell-0").get_by_text("6").wait_for()

    assert line.inner_text().split() == ["1", "Anna", "knock", "6", "Bernd", "24"]
    assert result.inner_text().split("\n")[0] == "Knock: Anna +18 +10"
    assert "Anna 0 + 28 = 28" in result.inner_text()

    thumb.press(".digits [data-tool=back]")
    thumb.press("label[for=how-gin]")

    assert line.inner_text().split() == ["1", "Anna", "gin", "Bernd", "24"]
    assert result.inner_text().split("\n")[0] == "Gin: Anna +24 +25 +10"

    told = result.inner_text()

    thumb.phone.unroute("**/round")
    thumb.press("label[for=how-knock]")
    thumb.press("label[for=how-gin]")
    thumb.page.locator("#line[data-score]").wait_for()  # the server's verdict has come

    assert result.inner_text() == told


def test_every_press_is_counted_without_the_server(thumb, table):
    board = thumb.begin()
    thumb.open(board)
    thumb.ends(0)
    thumb.page.locator("#cell-0").get_by_text("out").wait_for()
    thumb.phone.route("**/round", lambda route: None)  # it never answers again
    line, why = thumb.page.locator("#line"), thumb.page.locator("#why")
    thumb.digits(35)
    thumb.page.locator("#cell-1").get_by_text("35").wait_for()

    assert line.inner_text().split() == [
        *("1", "Anna", "out", "Bernd", "35", "Claire", "missing", "Dieter", "missing")
    ]
    assert why.inner_text() == "Missing: Claire and Dieter."

    thumb.next()
    thumb.way(2, "ranks")
    thumb.ranks("K", "9", "JK")

    assert thumb.page.locator("#working-2").inner_text().split("\n") == ["10 + 9 + 20", "39"]
    assert why.inner_text() == "Missing: Dieter. So far 35 + 39 = 74."

    thumb.next()
    thumb.way(3, "points")
    thumb.digits(8)

    assert why.inner_text() == "All entered."
    assert line.inner_text().split()[-1] == "8"


def test_points_that_only_the_server_can_compute_are_left_to_it(anna_plays, thumb):
    game = anna_plays("wiener", ("Anna", "Bernd", "Claire"))
    thumb.open(game)
    thumb.ends(0)
    thumb.way(1, "cards")
    thumb.phone.route("**/round", lambda route: None)
    thumb.cards("KH", "KS", "KD")

    assert thumb.page.locator("#working-1").inner_text() == "3 of 13 cards"
    assert thumb.page.locator("#cell-1 b").count() == 0
