"""Home has its own stylesheet, which repeats rules of the one of all other pages."""

import re
from pathlib import Path

import scorekeeper

STATIC = Path(scorekeeper.__file__).parent / "static"
OWN = "/* ---- what only home has ---- */"
RULE = re.compile(r"(?m)^([^\s/@}][^{}]*?) \{([^{}]*)\}")


def test_rules_repeated_in_homes_stylesheet_are_the_same_as_in_the_main_one():
    repeated = (STATIC / "home.css").read_text(encoding="utf-8").partition(OWN)[0]
    style = (STATIC / "style.css").read_text(encoding="utf-8")
    rules = {rule[0] for rule in RULE.finditer(style)}
    different = [rule[1] for rule in RULE.finditer(repeated) if rule[0] not in rules]

    assert different == []
    assert len(RULE.findall(repeated)) > 50
