"""The pages of a group: members, evenings, money, season, imports."""
