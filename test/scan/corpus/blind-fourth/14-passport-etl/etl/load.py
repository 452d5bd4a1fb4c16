import sqlite3
from collections.abc import Iterable

from .transform import BuilderRow

SCHEMA = """
CREATE TABLE IF NOT EXISTS builders (
  id INTEGER PRIMARY KEY, name TEXT, points INTEGER, wallet TEXT,
  country TEXT, updated TEXT, skills TEXT, badges TEXT
)
"""


def load(path: str, rows: Iterable[BuilderRow]) -> int:
    count = 0
    with sqlite3.connect(path) as db:
        db.execute(SCHEMA)
        for row in rows:
            db.execute(
                "INSERT OR REPLACE INTO builders VALUES (?,?,?,?,?,?,?,?)",
                (
                    row.id, row.name, row.points, row.wallet, row.country,
                    row.updated.isoformat() if row.updated else None,
                    row.skills, ",".join(row.badges),
                ),
            )
            count += 1
    return count
