"""A group (*Stammtisch*): its state, what may happen next, its results and seasons."""
