"""Damaged and hostile inputs for every reader, drawn from a seed."""
