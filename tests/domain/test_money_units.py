"""Cents and euros are one money; other units stand for themselves."""

from fractions import Fraction

from scorekeeper.domain.group.units import added_up, in_finest, in_unit, moneys


def test_euros_beside_cents_are_added_up_in_cents() -> None:
    assert in_finest(["ct", "EUR", "Pf"]) == {
        "ct": ("ct", Fraction(1)),
        "EUR": ("ct", Fraction(100)),
        "Pf": ("Pf", Fraction(1)),
    }
    assert added_up({"EUR": Fraction(3, 2), "ct": Fraction(-1, 2), "Pf": Fraction(7)}) == {
        "ct": Fraction(299, 2),
        "Pf": Fraction(7),
    }


def test_euros_alone_stay_euros() -> None:
    assert in_finest(["EUR"]) == {"EUR": ("EUR", Fraction(1))}
    assert added_up({"EUR": Fraction(3), "ct": Fraction()}) == {"EUR": Fraction(3)}


def test_one_money_has_one_unit_and_one_sum() -> None:
    won = {"EUR": Fraction(6, 5), "Pf": Fraction(7), "ct": Fraction(32)}

    assert moneys(["EUR", "Pf", "ct", "\u20ac"]) == ("ct", "Pf")
    assert [in_unit(won, unit) for unit in ("ct", "EUR", "Pf", "DM")] == [
        Fraction(152),
        Fraction(38, 25),
        Fraction(7),
        None,
    ]
