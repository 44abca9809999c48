"""CSV tables for spreadsheets, and the numbers that charts on page and paper share."""
