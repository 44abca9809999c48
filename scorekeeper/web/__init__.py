"""What pages and REST share: permissions, rate limits, trusted hosts, errors, observability.

The two doors themselves are ``pages`` (HTML) and ``api`` (REST).
"""
