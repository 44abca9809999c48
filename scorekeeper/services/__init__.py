"""Use cases as plain functions: open a game, record a round, settle, import, erase.

Nothing here knows HTTP, HTML or SQL. The web and the command line call the same functions.
"""
