"""The walk over all pages leaves none out."""

from web.pages.walk import addresses

FILES = {"pages.worker", "pages.pad_pdf", "pages.preset_card_pdf", "pages.sheet_pdf",
         "pages.settlement_pdf", "pages.card_pdf",
         "pages.season_pdf", "pages.season_sheet",
         "pages.group_csv", "pages.group_json", "pages.game_csv"}  # fmt: skip
"""What a reader gets that is no page."""


def test_every_page_is_walked(app, played, group):
    """A page that is added is added to the walk: then it is looked at, enlarged and attacked."""
    doors = app.url_map.bind("localhost")
    paths = [path.partition("?")[0] for path in addresses(played, group).values()]
    walked = {doors.match(path)[0] for path in paths if path != "/nowhere"}
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods]
    pages = {rule.endpoint for rule in rules if rule.endpoint.startswith("pages.")}

    assert pages - FILES == walked
