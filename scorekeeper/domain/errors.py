"""What the rules have to say against what was declared: a code, the facts, the place.

No sentence is kept here; the catalogues word every code in the reader's language.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

Where = tuple[str | int, ...]
"""Where in a round something stands: ``("seats", 1, "hand")``."""


@dataclass(frozen=True)
class Problem:
    """One finding: an error (``E_...``) or a warning (``W_...``) of RULES 12.

    ``facts`` are domain values (numbers, texts, cards); the fact ``why``, where a code
    covers several reasons, chooses the sentence.
    """

    code: str
    facts: Mapping[str, object] = field(default_factory=dict)
    path: Where = ()

    @property
    def is_error(self) -> bool:
        """Whether this finding refuses the round, rather than travel with its score."""
        return self.code.startswith("E_")

    def under(self, *prefix: str | int) -> "Problem":
        """The same finding seen from further out."""
        return replace(self, path=(*prefix, *self.path))


class RuleError(ValueError):
    """What was declared breaks a rule; holds every finding, at least one."""

    def __init__(self, code: str, path: Where = (), **facts: object) -> None:
        self.problems: tuple[Problem, ...] = (Problem(code, facts, path),)
        super().__init__(code)

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> "RuleError":
        """One error for several findings, in their order."""
        found = tuple(problems)
        error = cls.__new__(cls, found[0].code)
        error.problems = found
        return error

    def under(self, *prefix: str | int) -> "RuleError":
        """The same error seen from further out."""
        return RuleError.of(problem.under(*prefix) for problem in self.problems)

    def __str__(self) -> str:
        return "; ".join(
            f"{problem.code} {dict(problem.facts)} at {list(problem.path)}"
            for problem in self.problems
        )


class Findings(list[Problem]):
    """Everything found about one round, in the order in which it was found.

    Every check adds its findings to the same list: errors refuse the round, and whatever is
    left when it is scored are the warnings that travel with the score.
    """

    def refuse_errors(self) -> None:
        """Raise RuleError with all errors found so far, if there are any."""
        errors = [found for found in self if found.is_error]
        if errors:
            raise RuleError.of(errors)


def warning(code: str, path: Where = (), **facts: object) -> Problem:
    """A finding that does not refuse the round but travels with its score."""
    return Problem(code, facts, path)
