"""Pages and tables for people: the audit page, the evidence page, the terminal."""
