"""The HTTP server, and what stands between it and the application."""
