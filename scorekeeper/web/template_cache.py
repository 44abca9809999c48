"""Compiled templates, shared by all apps of a process."""

from types import CodeType

from jinja2.bccache import Bucket, BytecodeCache


class TemplateCache(BytecodeCache):
    """A Jinja bytecode cache in memory, by path and content."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code:
            self._codes[bucket.key, bucket.checksum] = bucket.code


TEMPLATE_CACHE = TemplateCache()
