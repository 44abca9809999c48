"""Settlement: who owes whom how much, in exact amounts."""
