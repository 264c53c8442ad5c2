"""Cellwright: the workshop in which deep-research benchmarks are made.

The rooms, from the ground up (a room imports only from those above it in this list):

    records      what things are: files and models, quantities, derivations, scoring, findings
    documents    what the page says: bytes to text, tables, numbers, quotes found again
    validators   is it right: schemas, replay, agreement, the five conditions
    clients      ask the world: the disk, HTTP, captures
    views        show it: pages and tables for people
    authoring    make or change it: capture, locate, derive, audit, bundle
    harness      run and grade it: reads a bundle and nothing else
    cli          the command line
"""

from __future__ import annotations

__version__ = "0.1.0"
