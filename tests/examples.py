"""The worked examples of RULES 11, found by their ids."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).with_name("data")


def examples(name: str) -> list[Any]:
    """Every variant of every example in a data file, as a parameter with its id."""
    found = tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
    return [
        pytest.param(example, id=code if len(variants) == 1 else f"{code}-{number}")
        for code, variants in found.items()
        for number, example in enumerate(variants, start=1)
    ]
