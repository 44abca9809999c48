"""The store on SQLite: one file, one process. Only this package contains SQL."""
