"""Files to take away: tables for a spreadsheet, and the numbers behind the charts."""
