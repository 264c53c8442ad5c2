"""Releases: cut, verified, listed, withdrawn; and the data that they need."""
