"""The guarded doors to the world: the disk with atomic writes, HTTP with its safety rules, captures."""
