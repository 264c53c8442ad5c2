"""Is it right: table schemas, replay, agreement and the five conditions. Pure: no network, no disk."""
