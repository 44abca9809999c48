"""The outside form of the domain: JSON schemas and typed CSV sheets.

Only form is checked here: notation, sizes, types. The domain checks the rules, and nothing here
uses the database.
"""
