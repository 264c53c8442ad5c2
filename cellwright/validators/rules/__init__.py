"""The rules of the audit, a module a condition."""
