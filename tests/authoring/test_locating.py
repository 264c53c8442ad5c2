"""What `locate --write` makes of what was read."""

from __future__ import annotations

import pytest

from cellwright.authoring.locating import unit_of


@pytest.mark.parametrize(
    ("read", "currency", "unit"),
    [
        ("USD", "CAD", "USD"),
        ("$", "USD", "USD"),
        ("$", "CAD", "CAD"),
        ("$/share", "USD", "USD/share"),
        ("$", "EUR", ""),
        ("$", "", ""),
        ("percent", "USD", "percent"),
    ],
)
def test_a_bare_dollar_is_the_entitys_own_where_that_is_a_dollar(read: str, currency: str, unit: str) -> None:
    assert unit_of(read, currency) == unit
