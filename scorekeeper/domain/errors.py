"""Errors and warnings of the rules: a code, its facts and the place it refers to.

There are no sentences here; the catalogues word every code in the reader's language.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace

Where = tuple[str | int, ...]
"""A place in the facts of a round: ``("seats", 1, "hand")``."""


@dataclass(frozen=True)
class Problem:
    """A finding: an error (``E_...``) or a warning (``W_...``) of RULES 12.

    ``facts`` are domain values (numbers, texts, cards). Where a code covers several
    reasons, the fact ``why`` chooses the sentence.
    """

    code: str
    facts: Mapping[str, object] = field(default_factory=dict)
    path: Where = ()

    @property
    def is_error(self) -> bool:
        """Whether this finding refuses the round; a warning is stored with the score."""
        return self.code.startswith("E_")

    def under(self, *prefix: str | int) -> "Problem":
        """Return the same finding with a prefix before its path."""
        return replace(self, path=(*prefix, *self.path))


def problem(code: str, path: Where = (), **facts: object) -> Problem:
    """Return a finding with its facts as keywords; its code says whether it is an error."""
    return Problem(code, facts, path)


def has_errors(findings: Iterable[Problem]) -> bool:
    """Return whether any finding is an error."""
    return any(finding.is_error for finding in findings)


class RuleError(ValueError):
    """The declared facts break a rule; ``problems`` holds every finding, at least one."""

    def __init__(self, code: str, path: Where = (), **facts: object) -> None:
        self.problems: tuple[Problem, ...] = (Problem(code, facts, path),)
        super().__init__(code)

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> "RuleError":
        """Return one error for several findings, in their order."""
        found = tuple(problems)
        error = cls.__new__(cls, found[0].code)
        error.problems = found
        return error

    def under(self, *prefix: str | int) -> "RuleError":
        """Return the same error with a prefix before the path of each finding."""
        return RuleError.of(problem.under(*prefix) for problem in self.problems)

    def __str__(self) -> str:
        return "; ".join(
            f"{problem.code} {dict(problem.facts)} at {list(problem.path)}"
            for problem in self.problems
        )


class Findings(list[Problem]):
    """The findings about one round, in the order in which they were made.

    Every check adds its findings to the same list. Errors refuse the round; a round without
    errors is scored, and its warnings are stored with the score. ``tolerated`` are errors that
    do not refuse it: codes with their reasons.
    """

    def __init__(
        self, found: Iterable[Problem] = (), tolerated: Container[tuple[str, object]] = ()
    ) -> None:
        super().__init__(found)
        self._tolerated = tolerated

    def alike(self) -> "Findings":
        """Return no findings yet, with the same tolerated errors."""
        return Findings((), self._tolerated)

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Return the findings that are no errors."""
        return tuple(found for found in self if not found.is_error)

    def refuse_errors(self) -> None:
        """Raise RuleError with all errors found so far, if there are any that are not tolerated."""
        errors = [
            found
            for found in self
            if found.is_error and (found.code, found.facts.get("why")) not in self._tolerated
        ]
        if errors:
            raise RuleError.of(errors)
