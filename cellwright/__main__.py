"""`python -m cellwright`."""

from cellwright.cli import main

main()
