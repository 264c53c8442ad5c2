"""Profiles of our house."""

SMALL = """
id: small-6x6
title: Six entities by six dimensions
entities: 6
dimensions: 6
families: {retrieval: 1, derivation: 3, calibration: 1, reasoning: 1}
domains: [finance]
"""
