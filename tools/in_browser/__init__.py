"""Builds the edition without a server: ``python -m tools.in_browser build/browser``.

The steps are in ``build``; each module makes one part of it. docs/browser.md describes the result.
"""
