"""The answers of the rules to many rounds, turns, melds and hands.

The worked examples say what is right. This corpus notices when any other answer changes: a fact
or the place of a finding, a line of a score. Every case is a worked example with one change, and
is included because its answer has a new shape. Games and tournaments are random.
``python -m tests.answers`` regenerates the files; review the difference before you commit it.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from examples import DATA, USUAL, body_of, examples, turn_body
from random_games import game_answer, random_games
from random_tournaments import random_tournaments, tournament_answer
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.history.codec import encode_score, plain, plain_facts
from scorekeeper.domain.history.score_check import check_score
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.kinds import Kind
from scorekeeper.domain.rules.presets import PRESETS, remarks
from scorekeeper.i18n import language
from scorekeeper.wire.referee import HandQuestionSchema, MeldQuestionSchema, TurnQuestionSchema
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.strict import load

Json = dict[str, Any]
FOLDER = DATA / "answers"
FAMILIES = ("lay", "hand", "gin", "knock")
CARDS = re.compile(r"(?:JK|(?:10|[2-9AJQK])[CDHS]\b)")
WORDS = {"message", "rule"}
"""Keys whose values are worded by the catalogues."""
MAX_OF_A_SHAPE = 2
MAX_CASES = 1000
"""The number of cases in a file."""
SHOWN = 10
"""The number of cases that are printed if their answers have changed."""
RANDOM: dict[str, Callable[[], Iterator[Json]]] = {
    "games": lambda: random_games(each=6),
    "tournaments": lambda: random_tournaments(each=5),
}
"""The files whose cases are random: games of each system, tournaments of each format."""


# ---- what is answered ----------------------------------------------------------------


def round_answer(case: Json) -> Json:
    """Return the score of a round, or the findings that refuse it."""
    rules = PRESETS[case["preset"]].override(case.get("options", {}))
    try:
        entry = load_round(case["body"])
        score = score_round(entry.round, rules, case["seats"], noticed=entry.warnings)
    except RuleError as refused:
        return {"refused": list(map(as_json, refused.problems))}
    return encode_score(score)


def _question(schema: type) -> Callable[[Json], Json]:
    def answer(case: Json) -> Json:
        try:
            found = load(schema(), case["body"]).answer(language("en"))
        except RuleError as refused:
            return {"refused": list(map(as_json, refused.problems))}
        return unworded(found)

    return answer


def as_json(problem: Problem) -> list[Any]:
    """Return a finding as JSON: code, place and facts."""
    return [problem.code, list(problem.path), plain_facts(problem.facts)]


def unworded(answer: Any) -> Any:
    """Return an answer without its sentences; of an arrangement only what equal ones share."""
    if isinstance(answer, dict):
        if "layoffs" in answer:
            answer = {key: answer[key] for key in answer if key not in ("melds", "layoffs", "rest")}
        return {key: unworded(value) for key, value in answer.items() if key not in WORDS}
    return [unworded(one) for one in answer] if isinstance(answer, list) else answer


def options_answer(case: Json) -> Json:
    """Return the outcome of a rule set: its errors or warnings, and its options."""
    try:
        rules = PRESETS[case["preset"]].override(case["options"])
    except RuleError as refused:
        return {"refused": list(map(as_json, refused.problems))}
    return {"remarks": list(map(as_json, remarks(rules))), "names": len(list(rules.names()))}


def option_answer(case: Json) -> Json:
    """Return all attributes of an option."""
    option = OPTIONS[case["option"]]
    return {
        "kind": option.kind.describe(),
        "source": option.source,
        "families": sorted(option.families),
        "usual": plain(option.usual),
    }


def score_answer(case: Json) -> Json:
    """Return whether a stored score is possible for its round."""
    entry = load_round(case["body"])
    try:
        check_score(case["score"], entry.round, case["seats"], case["seats"])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as refused:
        return {"refused": [[type(refused).__name__, [], {}]]}
    return {"accepted": True}


ANSWERS: dict[str, Callable[[Json], Any]] = {
    **dict.fromkeys(FAMILIES, round_answer),
    "turns": _question(TurnQuestionSchema),
    "melds": _question(MeldQuestionSchema),
    "hands": _question(HandQuestionSchema),
    "rules": options_answer,
    "options": option_answer,
    "scores": score_answer,
    "games": game_answer,
    "tournaments": tournament_answer,
}


def stored_cases(name: str) -> list[Json]:
    """Return the cases of a file, each with the answer it had."""
    cases: list[Json] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return cases


# ---- making them ---------------------------------------------------------------------


def beginnings(name: str) -> Iterator[Json]:
    """Yield the worked examples that the cases of a file start from."""
    if name in FAMILIES:
        for param in examples(name):
            (example,) = param.values
            body = body_of(name, example)
            about = {key: example[key] for key in ("preset", "options") if key in example}
            seats = max(2, len(body["seats"]))
            yield {"preset": USUAL[name], **about, "seats": seats, "body": body}
        return
    if name in ("rules", "options", "scores"):
        yield from {"rules": overrides, "options": each_option, "scores": scores}[name]()
        return
    for param in examples({"turns": "referee", "melds": "melds", "hands": "arrange"}[name]):
        (example,) = param.values
        rules = {"preset": example["preset"], "options": example.get("options", {})}
        if name == "turns" and ("after" in example or "steps" in example):
            body = turn_body({k: v for k, v in example.items() if k != "options"})
            yield {"body": {**body, "rules": rules}}
        elif name == "melds" and "cards" in example and "swap" not in example:
            yield {"body": {"rules": rules, "cards": example["cards"], "first": True}}
        elif name == "hands":
            about = {key: example[key] for key in ("has_laid", "table") if key in example}
            yield {"body": {"rules": rules, "cards": example["hand"], **about}}


def overrides() -> Iterator[Json]:
    """Yield every preset with every option at another value, and sometimes at two."""
    for preset in PRESETS:
        for name, option in OPTIONS.items():
            for value in values(option.kind):
                yield {"preset": preset, "options": {name: value}}


def values(kind: Kind) -> Iterator[Any]:
    """Yield the values at the limits of an option, and beyond."""
    described = kind.describe()
    yield from described.get("enum", [True, False, "none", "points", "rounds", "manual"])
    least, most = described.get("minimum", 0), described.get("maximum", 99)
    yield from (least, least + 1, most, most + 1, least - 1)


def each_option() -> Iterator[Json]:
    yield from ({"option": name} for name in OPTIONS)


def scores() -> Iterator[Json]:
    """Yield stored scores of rounds, and the same with one thing changed."""
    for name in FAMILIES:
        for param in examples(name):
            (example,) = param.values
            body = body_of(name, example)
            seats = max(2, len(body["seats"]))
            rules = {"preset": USUAL[name], "options": {}} | example
            case = {**rules, "seats": seats, "body": body}
            score = round_answer({key: case[key] for key in ("preset", "options", "seats", "body")})
            if "refused" not in score and "teams" not in str(rules["options"]):
                yield {"seats": seats, "body": body, "score": score}
                samples = {"seat": [0, 9], "facts": [{}], "why": ["x"], "plus": [1], "new": [1]}
                for other in changed(score, samples):
                    yield {"seats": seats, "body": body, "score": other}


def changed(body: Any, samples: dict[str, list[Any]]) -> Iterator[Any]:
    """Yield the body with each of its values changed, one at a time."""
    for place, value in walked(body):
        for other in others(value):
            yield put(body, place, other)
        if place and isinstance(place[-1], str):
            yield put(body, place, None, drop=True)
        if isinstance(value, dict):
            for key in samples:
                if key not in value:
                    for sample in samples[key]:
                        yield put(body, (*place, key), sample)


def walked(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield every part of a JSON value with its place, except the rules."""
    yield place, value
    parts = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in parts:
        if key != "rules":
            yield from walked(value[key], (*place, key))


def others(value: Any) -> Iterator[Any]:
    """Yield possible replacements of a value."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 0, 99)
    elif isinstance(value, str) and CARDS.search(value):
        first, *rest = value.split()
        yield from (" ".join(rest), f"{value} 7H", f"{first} {value}", " ".join(["JK", *rest]))
        yield from (" ".join(["2H", *rest]), " ".join([*rest, first]), " ".join(rest[1:]))
    elif isinstance(value, list):
        yield from ([], value[1:], value[:-1], value + value[-1:], value[::-1])


def put(body: Any, place: tuple[Any, ...], value: Any, *, drop: bool = False) -> Any:
    """Return the body with another value at a place."""
    if not place:
        return value
    body = deepcopy(body)
    part = body
    for key in place[:-1]:
        part = part[key]
    if drop:
        del part[place[-1]]
    else:
        part[place[-1]] = value
    return body


def shape(case: Json, answer: Json) -> str:
    """Return a key for cases that show the same thing."""
    if "option" in case:
        return str(case["option"])
    if "score" in case:
        return re.sub(r"\d+", "0", json.dumps(case["score"])) + str(answer)
    rules = case.get("preset") or case["body"]["rules"]["preset"]
    text = json.dumps([rules, case.get("options"), answer])
    if "ways_out" in answer:  # hands differ by their points
        return text
    text = re.sub(r'"[^"]*(?:JK|(?:10|[2-9AJQK])[CDHS])\b[^"]*"', '"cards"', text)
    return re.sub(r"\d+", "0", text)


def made(name: str) -> list[Json]:
    """Return the cases of a file with their answers."""
    if name in RANDOM:
        return [{**case, "answer": ANSWERS[name](case)} for case in RANDOM[name]()]
    firsts = list(beginnings(name))
    samples: dict[str, list[Any]] = {}
    for case in firsts:
        for place, value in walked(case.get("body")):
            if place and isinstance(place[-1], str) and place[-1] != "rules":
                known = samples.setdefault(place[-1], [])
                if value not in known and len(known) < MAX_OF_A_SHAPE:
                    known.append(value)
    every = [*firsts]
    for case in firsts if "body" in firsts[0] and name != "scores" else ():
        every += ({**case, "body": body} for body in changed(case["body"], samples) if body)
    seen: set[str] = set()
    found = []
    for case in every:
        answer = ANSWERS[name](case)
        of = shape(case, answer)
        if of not in seen:
            seen.add(of)
            found.append({**case, "answer": answer})
    chosen = {*sorted(map(lot, found))[:MAX_CASES]}
    return [case for case in found if lot(case) in chosen]


def asked(case: Json) -> str:
    """Return a case without its answer, as text."""
    return json.dumps({key: case[key] for key in case if key != "answer"})


def lot(case: Json) -> str:
    """Return a text that chooses among cases: a further one replaces at most one of the others."""
    return sha256(asked(case).encode()).hexdigest()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or ANSWERS:
        before = {asked(case): case["answer"] for case in stored_cases(name)}
        cases = json.loads(json.dumps(made(name)))
        lines = (json.dumps(case, ensure_ascii=False) for case in cases)
        (FOLDER / f"{name}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
        known = [case for case in cases if asked(case) in before]
        other = [case for case in known if case["answer"] != before[asked(case)]]
        news = f"{len(cases) - len(known)} new, {len(other)} answered differently"
        print(f"{name}: {len(cases)} questions, {news}")
        for case in other[:SHOWN]:
            print(asked(case))


if __name__ == "__main__":
    main()
