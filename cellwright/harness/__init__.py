"""The read side: reads a bundle and nothing else; runs, scores and explains."""
