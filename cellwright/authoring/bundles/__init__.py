"""The published artefact and its files, made from admitted tasks; sealed where it is to be."""
