"""HTTP: permissions, rate limits, trusted hosts, errors and metrics, shared by pages and REST.

The views are in ``pages`` (HTML) and ``api`` (REST), which do not import each other.
"""
