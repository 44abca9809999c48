"""The referee: whether a turn at the table was allowed."""
