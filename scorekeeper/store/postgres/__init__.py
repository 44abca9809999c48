"""PostgreSQL as the engine below the ledger; needs the extra ``scorekeeper[postgres]``."""
