"""The stake in the form of a new game: nothing is played for unless its switch is on."""

from collections.abc import Sequence
from fractions import Fraction

from werkzeug.datastructures import MultiDict

from scorekeeper.domain.rules import OPTIONS, RuleSet
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n import Language
from scorekeeper.web.pages.amounts import split_amount
from scorekeeper.web.pages.entry.fields import Fields
from scorekeeper.web.pages.new_game.fields import STAKE_FIELDS, option_text

SWITCH = "money"
"""The field of the switch."""
COINS = "ct"
COINS_OF_REGION = {"US": "USD", "CA": "CAD", "AU": "AUD", "GB": "GBP", "CH": "CHF", "LI": "CHF"}
"""The money of a reader whose browser names a region outside of the euro."""


def usual_unit(accepted: Sequence[str]) -> str:
    """Return the unit proposed to a reader, from the language tags of the browser."""
    region = accepted[0].replace("_", "-").rpartition("-")[2] if accepted else ""
    return COINS_OF_REGION.get(region.upper(), COINS)


def usual_stake(name: str, unit: str) -> dict[str, str]:
    """Return the fields of a stake that nobody has agreed on yet, for a rule system."""
    terms = preset(name).settle
    amount, coins = "point_value", terms.point_value or Fraction(1)
    if terms.mode == "none":
        amount, coins = "stake", Fraction(100)
    text = option_text(OPTIONS[f"settle.{amount}"].kind, coins * smallest_coin(unit))
    return {**dict.fromkeys(STAKE_FIELDS, ""), amount: text, "unit": unit}


def agreed_stake(rules: RuleSet, unit: str) -> dict[str, str]:
    """Return the fields of the stake of a game; without money, what would be proposed."""
    if rules.settle.point_value is None and not rules.settle.stake:
        return usual_stake(rules.preset, unit)
    fields = {
        term: option_text(OPTIONS[f"settle.{term}"].kind, rules[f"settle.{term}"])
        for term in STAKE_FIELDS
    }
    if rules.settle.payable == smallest_coin(rules.settle.unit):
        fields["payable"] = ""  # it follows from the unit
    return {**fields, SWITCH: "yes"}


def with_usual_stake(form: MultiDict[str, str], unit: str) -> MultiDict[str, str]:
    """Return the form with the stake of the new rule system, unless another was entered."""
    before = form.get("options_of", "")
    if before == form["preset"] or before not in PRESETS:
        return form
    typed = {term: form.get(term, "") for term in STAKE_FIELDS}
    if typed != usual_stake(before, unit):
        return form
    return MultiDict({**form, **usual_stake(form["preset"], unit)})


def units_offered(name: str, unit: str) -> tuple[str, ...]:
    """Return the units offered while one is typed; the Pfennig where the source counts in it."""
    return tuple(dict.fromkeys((unit, "ct", "EUR", preset(name).settle.unit)))


def hundred_points(form: Fields, lang: Language) -> str:
    """Return what a difference of 100 points comes to; empty without a value."""
    typed, unit = split_amount(form.get("point_value", ""), form.get("unit", ""))
    try:
        value = OPTIONS["settle.point_value"].kind.read(typed.replace(",", ".") or None)
    except ValueError:
        return ""
    return lang.money(100 * value, unit) if value else ""
