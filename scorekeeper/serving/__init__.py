"""The HTTP server: connections, request limits, threads, maintenance tasks.

Nothing here knows what a request means; that is for ``web``.
"""
