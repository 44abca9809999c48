"""The list of the forms of findings, which all tests are checked against (``invariants.py``)."""

import re
from pathlib import Path

from findings import FORMS, declared_findings, listed_forms
from invariants import SAID_ALIKE
from scorekeeper import domain
from scorekeeper.i18n import language

RULES = Path(domain.__file__).parent


def test_the_list_has_the_codes_of_the_rules_and_no_others() -> None:
    sources = (path.read_text(encoding="utf-8") for path in RULES.rglob("*.py"))
    codes = {code for text in sources for code in re.findall(r'"([EW]_[A-Z_]+)"', text)}

    assert {form.key.partition(".")[0] for form in FORMS} == codes


def test_the_list_has_every_reason_and_fact_that_the_rules_declare() -> None:
    """Even those that no test meets, unless code adds the reason or facts elsewhere."""
    for key, facts, more in declared_findings(RULES):
        open_reason = more or "why" in facts
        alike = [
            form.facts
            for form in FORMS
            if form.key == key or (open_reason and form.key.startswith(f"{key}."))
        ]

        assert any(facts - {"why", "player"} <= listed for listed in alike), f"{key}: {facts}"


def test_every_reason_in_the_list_has_a_sentence() -> None:
    alike = {f"{code}.{why}" for code, why in SAID_ALIKE}
    reasons = {form.key for form in FORMS if "." in form.key}

    assert [key for key in reasons - alike if key not in language("en")] == []


def test_no_form_is_listed_twice() -> None:
    assert len(list(listed_forms())) == len(FORMS)
