"""The write side: draft, capture, locate, derive, audit, bundle."""
