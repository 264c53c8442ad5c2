"""The audit's power, measured: clean tasks, faults planted into them, and what the rules make of both."""
