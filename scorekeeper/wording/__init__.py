"""Games, amounts and seasons in a reader's words, shared by pages, paper and terminal."""
