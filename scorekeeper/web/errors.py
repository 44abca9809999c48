"""HTTP errors with a message of their own."""

from werkzeug.exceptions import HTTPException


class Refusal(HTTPException):
    """An HTTP error with a message key and its facts.

    The fact ``seconds`` says when to try again.
    """

    def __init__(self, code: int, message_key: str, **facts: object) -> None:
        super().__init__(message_key)
        self.code = code
        self.message_key = message_key
        self.facts = facts

    def retry_headers(self) -> dict[str, str]:
        """Return the Retry-After header, if the refusal says when to try again."""
        return {"Retry-After": str(self.facts["seconds"])} if "seconds" in self.facts else {}
