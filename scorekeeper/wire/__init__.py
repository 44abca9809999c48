"""How the domain looks outside: JSON schemas, the stored form, the CSV sheet.

Only form is checked here: notation, sizes, types. Rules are checked by the domain, and nothing
here asks a store.
"""
