"""Refusals of a round in words, each at its field."""

from collections.abc import Sequence

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n.findings import rule_behind
from scorekeeper.web.context import language
from scorekeeper.web.pages.blueprint import Message, faults_of, words_of
from scorekeeper.web.pages.entry.fields import round_field


def unfinished(problems: Sequence[Problem]) -> set[str]:
    """Return the fields of hands that only have too few cards."""
    hands = {round_field(problem.path) for problem in problems if problem.path[2:] == ("hand",)}
    other = {
        round_field(problem.path)
        for problem in problems
        if (problem.code, problem.facts.get("why")) != ("E_HAND_COUNT", "few")
    }
    return hands - other


def faults_by_field(
    problems: Sequence[Problem], game: Game, ender: object = None
) -> dict[str, list[str]]:
    """Return messages by field, with the rule behind each."""

    def words(problem: Problem) -> str:
        lang = language()
        rule = rule_behind(problem, lang, game.rules)
        return Message(words_of(problem, game.players), rule)

    return faults_of(problems, lambda place: round_field(place, ender), own_words=words)
