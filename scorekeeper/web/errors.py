"""Refusals that say more than their status: a sentence of their own, and when to come back."""

from werkzeug.exceptions import HTTPException


class Refusal(HTTPException):
    """A status with the key of a sentence and its facts; ``seconds`` is when to come back."""

    def __init__(self, code: int, words: str, **facts: object) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.facts = facts

    def told_in_headers(self) -> dict[str, str]:
        """What a program reads without knowing our languages."""
        return {"Retry-After": str(self.facts["seconds"])} if "seconds" in self.facts else {}
