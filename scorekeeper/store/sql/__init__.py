"""The statements that every engine understands; the engines add what differs."""
