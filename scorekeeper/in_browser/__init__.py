"""The edition that runs inside a browser, without a server: for one person on one phone.

``edition`` is the choice of parts, ``bridge`` answers the requests of the pages. Everything else is
the same program. The scripts that start Python in a browser are in the folder ``browser/``.
"""
