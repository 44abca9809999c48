"""What the rules answer to some two thousand rounds and questions is what they answered before.

A difference that is meant: ``python -m tests.answers`` writes the files anew.
"""

import json

import pytest

from answers import ANSWERS, kept

PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_is_the_one_it_was(name: str, part: int) -> None:
    for case in kept(name)[part::PARTS]:
        answer = json.loads(json.dumps(ANSWERS[name](case)))

        assert answer == case["answer"], case


def test_the_cases_are_refused_for_many_reasons_and_scored_too() -> None:
    answers = [case["answer"] for name in ANSWERS for case in kept(name)]
    refused = [answer["refused"] for answer in answers if "refused" in answer]

    assert len({finding[0] for findings in refused for finding in findings}) > 25
    assert len(answers) - len(refused) > 500
