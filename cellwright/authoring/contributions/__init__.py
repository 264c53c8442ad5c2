"""Tasks from outside: packed, checked without running anything, taken in."""
