"""Write the rules as pages: ``make rules`` generates docs/rules.

Rules come from the presets, words from the catalogues, worked examples from tests/data, which the
tests use too; results are computed again here. tests/test_docs.py fails if a page is out of date.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from scorekeeper.cli.output import game_lines
from scorekeeper.cli.verdicts import hand_lines, meld_lines
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.game.state import Game, Payment
from scorekeeper.domain.melds import first_meld_points, read_meld, swap_joker
from scorekeeper.domain.referee.steps import steal
from scorekeeper.domain.rounds.facts import Round, RoundScore, SeatScore
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import GROUPS, OPTIONS, RuleSet
from scorekeeper.domain.rules.presets import PRESETS, deviations, remarks
from scorekeeper.i18n import LANGUAGES, Language, language
from scorekeeper.pdf.details import declaration_lines, score_line_rows
from scorekeeper.wire.referee import HandQuestion, MeldQuestion, TurnQuestionSchema
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.strict import load
from scorekeeper.wording.sheet import Words
from scorekeeper.wording.systems import terms_in_words
from tests import evenings
from tests.examples import DATA, USUAL, body_of, cards, played, turn_body
from tools.rules_words import called, drawn_words, headed, phrase

PAGES = Path(__file__).parents[1] / "docs" / "rules"
BASE = PRESETS["german-family"]
SOURCES = ("000", "001", "002", "003", "004", "dec")
PLAYERS = evenings.SEATS
SETTLED = {"minus": "german-family", "plus": "luxembourg", "net": "knock-rummy"}
"""The preset on whose page a settlement example appears, by the measure it settles."""


bare = partial(RoundScore, verification="unverified", lines=())
"""A round of points without the cards behind them."""


class Example(NamedTuple):
    """A variant of a worked example of RULES 11."""

    code: str
    file: str
    preset: str
    facts: Mapping[str, Any]

    @property
    def rules(self) -> RuleSet:
        """The rules of the example."""
        return PRESETS[self.preset].override(self.facts.get("options", {}))


def examples() -> Iterator[Example]:
    """Yield all examples that depend on rules."""
    for path in sorted(DATA.glob("*.toml")):
        for code, variants in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for facts in variants:
                usual = SETTLED[facts.get("measure", "net")] if path.stem == "settlement" else None
                if preset := facts.get("preset", usual or USUAL.get(path.stem)):
                    yield Example(code, path.stem, preset, facts)


# ---- one example ---------------------------------------------------------------------


def melds(example: Example, lang: Language) -> tuple[str, str]:
    """Return cards and whether they are a meld, or melds and whether they are enough to begin."""
    rules, facts = example.rules, example.facts
    if "first" in facts:
        reached = first_meld_points(
            [read_meld(cards(fact), rules) for fact in facts["first"]], rules
        )
        verdict = "enough" if reached >= rules.meld.first_min else "too_low"
        laid = " + ".join(shown(fact, lang) for fact in facts["first"])
        return laid, lang(f"paper.card.{verdict}", cards=laid, points=reached)
    if "cards" not in facts:
        text = str(facts["text"])
        return f"`{text}` ({facts['notation']})", shown(facts["meld"], lang)
    if "swap" not in facts:
        lines = meld_lines(MeldQuestion(rules, cards(facts["cards"])), lang)
        return shown(facts["cards"], lang), broken(lines)
    prompt = (
        f"{shown(facts['cards'], lang)}, {phrase('exchange', lang)} {shown(facts['swap'], lang)}"
    )
    try:
        (card,) = cards(facts["swap"])
        meld, _ = swap_joker(read_meld(cards(facts["cards"]), rules), card, rules)
    except RuleError as refused:
        return prompt, refusal(refused.problems, lang)
    return prompt, " ".join(map(lang.card, meld.cards))


def arrange(example: Example, lang: Language) -> tuple[str, str]:
    """Return a hand and the least points it can be left with."""
    facts = example.facts
    rules = example.rules.for_defenders if "defends" in facts else example.rules
    table = tuple(cards(meld) for meld in facts.get("table", ()))
    lies = lang.clauses(shown(meld, lang) for meld in facts.get("table", ()))
    prompt = shown(facts["hand"], lang) + (
        f"<br>{phrase('table', lang)}{lang.sign(':')} {lies}" if lies else ""
    )
    if "has_laid" in facts:
        prompt += f"<br>{lang('referee.has_laid')}{lang.sign(':')} {lang.words(facts['has_laid'])}"
    question = HandQuestion(rules, cards(facts["hand"]), table, facts.get("has_laid", True))
    lines = hand_lines(question, lang)
    return prompt, broken(line for line in lines if line != lang("referee.not_out"))


def referee(example: Example, lang: Language) -> tuple[str, str]:
    """Return a turn and whether it was allowed."""
    facts, rules = example.facts, example.rules
    if "meld" in facts:
        prompt = f"{shown(facts['meld'], lang)}<br>{phrase('robbed', lang)}{lang.sign(':')} "
        prompt += shown(facts["steal"], lang)
        try:
            remain = steal(read_meld(cards(facts["meld"]), rules), cards(facts["steal"]), rules)
        except RuleError as refused:
            return prompt, refusal(refused.problems, lang)
        left = lang.clauses(" ".join(map(lang.card, meld.cards)) for meld in remain)
        return prompt, f"{phrase('left', lang)}{lang.sign(':')} {left or '–'}"
    question = load(TurnQuestionSchema(), turn_body({"preset": rules.preset, **facts}))
    own = "own" if facts.get("own") else "before"
    named = ((own, "before"), ("used", "hand_used"), ("after", "after"), ("to_hand", "to_hand"))
    lines = [
        f"{lang(f'referee.{key}')}{lang.sign(':')} {several(facts[name], lang)}"
        for key, name in named
        if name in facts
    ]
    if "drawn" in facts:
        drawn = ", ".join(drawn_words(question.turn, lang)) or lang("turn.nothing")
        lines.insert(0, f"{lang('turn.q.drawn')}{lang.sign(':')} {drawn}")
    lines += called(question.turn, lang)
    if "discard" in facts:
        discarded = shown(facts["discard"], lang) or lang("turn.nothing")
        lines.append(f"{lang('turn.q.discarded')}{lang.sign(':')} {discarded}")
    if question.turn.hand_left is not None:
        left = lang.number(question.turn.hand_left)
        lines.append(f"{lang('turn.hand_left')}{lang.sign(':')} {left}")
    if not question.turn.has_laid:
        lines.append(f"{lang('referee.has_laid')}{lang.sign(':')} {lang.words(False)}")
    found = question.judge()
    verdict = f"{lang('referee.refused')} {refusal(found, lang)}" if found else ""
    return broken(lines), verdict or lang("referee.allowed")


def round_of(example: Example, lang: Language) -> Iterator[str]:
    """Yield a round: the facts, the score lines, the points written down."""
    rules, facts = example.rules, example.facts
    players = PLAYERS[: len(facts["seats"])]
    game = new_game(rules, players)
    words = Words(game, lang)
    try:
        entry = load_round(body_of(rules.family, dict(facts)))
    except RuleError as refused:
        yield f"- {refusal(refused.problems, lang)}"
        return
    try:
        score = score_round(entry.round, rules, len(players), noticed=entry.warnings)
    except RuleError as refused:
        yield from ("- " + line for line in declarations(entry.round, range(len(players)), words))
        yield f"- {refusal(refused.problems, lang)}"
        return
    (row,) = game.sheet.record("", entry.round, score).rows
    said = declarations(entry.round, unpriced(score, entry.round), words)
    yield from ("- " + line for line in said)
    colon = lang.sign(":")
    for line in score.lines:
        for text, points in score_line_rows(words, line, entry.round):
            price = points and f"{colon} **{points}**"
            yield f"- {words.sides[line.seat]}{colon} {text}{price}"
    check = lang("pages.check")
    yield from (f"- {check} {lang.problem(warning, players)}" for warning in score.warnings)
    yield f"\n{outcome(row, words)} {written(row, words)}"


def declarations(facts: Round, seats: Iterable[int], words: Words) -> Iterator[str]:
    """Yield what was declared for the round and for these seats."""
    lang, colon = words.lang, words.lang.sign(":")
    cards = {"oklahoma_card": facts.oklahoma_card, "wild": facts.wild}
    yield from (f"{lang(f'pages.entry.{n}')}{colon} {lang.card(c)}" for n, c in cards.items() if c)
    if isinstance(row := facts.plan_row, int):
        planned = lang.plan_row(words.game.rules.round.plan[row - 1])
        yield f"{lang('pages.round', number=row)}{colon} {planned}"
    for number, seat in enumerate(facts.seats):
        for line in declaration_lines(words, seat, number not in seats):
            yield f"{words.players[number]}{colon} {line}"


def unpriced(score: RoundScore, facts: Round) -> set[int]:
    """Return the seats whose cards no score line shows."""
    return set(range(len(facts.seats))) - {line.facts.get("of", line.seat) for line in score.lines}


def outcome(row: Row, words: Words) -> str:
    """Return how the round ended."""
    mark = words.mark(row, words.sides)
    return f"{mark}." if mark else ""


def written(row: Row, words: Words) -> str:
    """Return everyone's total after the round."""
    points = [
        words.lang(f"paper.card.{name}", player=words.sides[side], points=tally.of(name))
        for side, tally in enumerate(row.tallies)
        for name in ("minus", "plus")
        if tally.of(name)
    ]
    return words.lang("paper.card.written", written=", ".join(points) or "0")


def evening(example: Example, lang: Language) -> Iterator[str]:
    """Yield rounds of bare points, as the terminal shows them."""
    rules, facts = example.rules, example.facts
    if example.file in ("games", "evenings"):
        yield from whole_game(example, lang)
        return
    if example.file == "settlement":
        rules, scores = settled(rules, facts)
    else:
        less = facts.get("reduction", [0] * len(facts["rounds"]))
        scores = [scored(one, cut) for one, cut in zip(facts["rounds"], less, strict=True)]
    game = new_game(rules, PLAYERS[: len(scores[0].scores)])
    sheet = game.sheet
    for score in scores:
        sheet = sheet.record("", Round(outcome=score.outcome), score)
    game = new_game(rules, game.players, sheet)
    made = [Payment(one, other, Fraction(sum_), "") for one, other, sum_ in facts.get("paid", ())]
    game = replace(game, paid=tuple(made))
    yield "```text"
    yield "\n".join(game_lines(game, lang)).strip()
    yield "```"


def whole_game(example: Example, lang: Language) -> Iterator[str]:
    """Yield a game of entered rounds, or the refusal of its last round."""
    facts = {"preset": example.preset, **example.facts}
    play = evenings.evening if example.file == "evenings" else played
    kept = facts["rounds"][:-1] if "errors" in facts else facts["rounds"]
    yield "```text"
    if kept:
        yield "\n".join(game_lines(play({**facts, "rounds": kept}), lang)).strip()
    yield "```"
    if "errors" in facts:
        try:
            play(facts)
        except RuleError as refused:
            yield f"\n{refusal(refused.problems, lang)}"


def settled(rules: RuleSet, facts: Mapping[str, Any]) -> tuple[RuleSet, list[RoundScore]]:
    """Return the rules and rounds of a settlement example."""
    measure = facts.get("measure", "net")
    value = facts.get("point_value", "1" if "due" in facts else None)
    mode = "balance" if "due" in facts else facts.get("mode", "pairwise")
    terms = {"mode": mode, "point_value": value, "measure": measure, "stake": "0"}
    terms |= {name: facts[name] for name in ("unit", "payable", "stake") if name in facts}
    terms = {f"settle.{name}": wished for name, wished in terms.items()}
    if "stake" in facts:  # due once the game is over
        terms |= {"rank.measure": measure, "end.mode": "rounds", "end.rounds": len(facts["rounds"])}
    tables = [[None if n == "-" else n for n in table] for table in facts.get("rounds", ())]
    scores = [
        bare(
            outcome="out",
            winner=None,
            scores=tuple(None if n is None else counted(n, measure) for n in table),
        )
        for table in tables or [facts["due"]]
    ]
    return rules.unchecked({**terms, "players.max": 6}), scores


def counted(points: int, measure: str) -> SeatScore:
    """Return points in the tally of a measure."""
    if measure == "minus" or points < 0:
        return SeatScore(minus=abs(points))
    return SeatScore(plus=points)


def scored(one: Any, reduction: int) -> RoundScore:
    """Return a round of bare numbers: minus, plus, winner."""
    if one == "cancelled":
        return bare(outcome="cancelled", winner=None, scores=(SeatScore(), SeatScore()))
    minus, plus, winner = one
    scores = tuple(
        None if m == "-" else SeatScore(m, p, reduction if seat == winner else 0)
        for seat, (m, p) in enumerate(zip(minus, plus, strict=True))
    )
    return bare(outcome="out", winner=winner, scores=scores)


# ---- one page ------------------------------------------------------------------------


def page(name: str, lang: Language, known: Iterable[Example]) -> Iterator[str]:
    """Yield the page of a rule system in one language."""
    rules = PRESETS[name]
    others = [one for one in map(language, LANGUAGES) if one.code != lang.code]
    links = ", ".join(f"[{one.name}]({name}.{one.code}.md)" for one in others)
    yield f"# {lang.preset(name)}\n\n{lang.preset_line(name)}\n"
    yield f"{links} · [{phrase('all', lang)}](README.md)\n"
    yield f"{terms_in_words(name, lang)}\n\n## {phrase('played', lang)}\n".lstrip()
    if rules is not BASE:
        yield phrase("bold", lang) + "\n"
    for group, parts in GROUPS.items():
        names = [one for one in rules.names() if one.partition(".")[0] in parts]
        if names:
            yield f"### {lang(f'pages.group.{group}')}\n"
            yield from headed(lang, "rule", "option", "source")
            yield from (f"| {option(rules, one, lang)} |" for one in names)
            yield ""
    yield f"{lang('referee.sources')}{lang.sign(':')}\n"
    yield from (f"- [{tag}] {lang(f'referee.source.{tag}')}" for tag in SOURCES)
    yield f"\n## {phrase('examples', lang)}\n"
    yield from worked([one for one in known if one.preset == name], lang)


def option(rules: RuleSet, name: str, lang: Language) -> str:
    """Return a row of the rules: the sentence, the option, the source."""
    sentence = lang.rule_sentence(name, rules[name])
    if rules[name] != BASE[name]:
        sentence = f"**{sentence}**"
    return f"{sentence} | `{name}` | {OPTIONS[name].source}"


ASKED: Mapping[str, Callable[[Example, Language], tuple[str, str]]] = {
    "melds": melds,
    "notation": melds,
    "arrange": arrange,
    "referee": referee,
}
"""Examples that are a row of question and answer."""
SECTIONS = {
    "melds": ("melds", "notation"),
    "arrange": ("arrange",),
    "referee": ("referee",),
    "rounds": tuple(USUAL),
    "sheet": ("sheet", "games", "evenings"),
    "settlement": ("settlement",),
}


def worked(known: list[Example], lang: Language) -> Iterator[str]:
    """Yield the examples of a page by subject."""
    for section, files in SECTIONS.items():
        found = [one for one in known if one.file in files]
        if not found:
            continue
        yield f"### {phrase(section, lang)}\n"
        if section in ASKED:
            yield from headed(lang, "", "cards", "verdict")
            for one in found:
                prompt, answer = ASKED[one.file](one, lang)
                house = "".join(f"<br>{rule}" for rule in house_rules(one, lang))
                yield f"| {one.code} | {prompt}{house} | {answer} |"
            yield ""
            continue
        for one in found:
            shown_as = round_of if section == "rounds" else evening
            yield "  ".join((f"**{one.code}**", *house_rules(one, lang))) + "\n"
            yield from shown_as(one, lang)
            yield ""


def house_rules(example: Example, lang: Language) -> list[str]:
    """Return the house rules of an example, then which of them have no effect."""
    changed = deviations(example.rules)
    idle = {one.name for one in changed} - {*example.rules.effective_names()}
    found = (one for one in remarks(example.rules) if one.facts["option"] in idle)
    return [*(lang.deviation(one)[0] for one in changed), *map(lang.problem, found)]


def index() -> Iterator[str]:
    """Yield the index of the pages."""
    yield "# The rules, as scorekeeper plays them\n"
    yield "A page for every rule system: each rule with its option and source, then the worked"
    yield "examples, which the tests play too. `make rules` writes these pages.\n"
    yield "| | " + " | ".join(language(code).name for code in LANGUAGES) + " |"
    yield "|---|" + "---|" * len(LANGUAGES)
    for name in PRESETS:
        links = (f"[{language(code).preset(name)}]({name}.{code}.md)" for code in LANGUAGES)
        yield f"| `{name}` | {' | '.join(links)} |"


def pages() -> dict[str, str]:
    """Return all pages by file name."""
    known = list(examples())
    found = {"README.md": index()} | {
        f"{name}.{code}.md": page(name, language(code), known)
        for name in PRESETS
        for code in LANGUAGES
    }
    return {name: "\n".join(lines).rstrip() + "\n" for name, lines in found.items()}


# ---- helpers -------------------------------------------------------------------------


def shown(text: str, lang: Language) -> str:
    """Return cards with suit signs; jokers with the card they were declared to be."""
    return " ".join(
        lang.card(card.physical) + (f"={lang.card(card.stands_for)}" if card.stands_for else "")
        for card in cards(text)
    )


def several(groups: str | list[str], lang: Language) -> str:
    listed = [groups] if isinstance(groups, str) else groups
    return lang.clauses(shown(one, lang) for one in listed)


def broken(lines: Iterable[str]) -> str:
    """Return lines as one cell of a table."""
    return "<br>".join(line.strip() for line in lines)


def refusal(problems: Iterable[Problem], lang: Language) -> str:
    return " ".join(f"`{problem.code}` {lang.problem(problem, PLAYERS)}" for problem in problems)


def new_game(rules: RuleSet, players: Iterable[str], sheet: Sheet | None = None) -> Game:
    texts = {f"name.{seat}": name for seat, name in enumerate(players)}
    return Game(id="", rules=rules, sheet=sheet or Sheet(rules, len(texts)), texts=texts)


def main() -> None:
    """Write every page and delete all others."""
    PAGES.mkdir(parents=True, exist_ok=True)
    made = pages()
    for name, text in made.items():
        (PAGES / name).write_text(text, encoding="utf-8")
    for file in PAGES.glob("*.md"):
        if file.name not in made:
            file.unlink()


if __name__ == "__main__":
    main()
