"""What is held against a contribution from outside before anybody trusts it: bytes and texts in, findings out."""
