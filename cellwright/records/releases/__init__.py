"""Releases: versions, what changed between two of them, and what readers of an old one must know. Pure."""
