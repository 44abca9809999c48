"""The answers of the rules to about three thousand rounds and questions stay the same.

A difference that is meant: ``python -m tests.answers`` rewrites the files.
"""

import json

import pytest

from answers import ANSWERS, stored_cases

PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_is_unchanged(name: str, part: int) -> None:
    for case in stored_cases(name)[part::PARTS]:
        answer = json.loads(json.dumps(ANSWERS[name](case)))

        assert answer == case["answer"], case


def test_the_cases_include_many_errors_and_scores() -> None:
    answers = [case["answer"] for name in ANSWERS for case in stored_cases(name)]
    refused = [answer["refused"] for answer in answers if "refused" in answer]

    assert len({finding[0] for findings in refused for finding in findings}) > 25
    assert len(answers) - len(refused) > 500
