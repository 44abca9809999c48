"""A tournament: its plan, the draw of its rounds, points, standings and prizes."""
