"""What the page says: bytes to text, tables, numbers, and quotes found again. Pure: same bytes, same result."""
