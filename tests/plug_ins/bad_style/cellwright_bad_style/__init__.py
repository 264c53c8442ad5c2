"""Rules that keep the contract but for one thing each: the test kit names that thing, and nothing else."""
