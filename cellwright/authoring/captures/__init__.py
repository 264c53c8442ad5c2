"""A task's documents: fetched, imported, kept, compared with what is published now."""
