import sqlite3
from collections.abc import Iterable

from .models import CredentialRow, PassportRow

DDL = """
CREATE TABLE IF NOT EXISTS passports (
  passport_id INTEGER PRIMARY KEY, wallet TEXT, name TEXT, country TEXT, score REAL,
  activity REAL, identity REAL, skills REAL, wallets INTEGER, calculated_at TEXT);
CREATE TABLE IF NOT EXISTS credentials (
  passport_id INTEGER, type TEXT, category TEXT, score REAL, max_score REAL,
  PRIMARY KEY (passport_id, type));
"""


def connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.executescript(DDL)
    return db


def save_passport(db: sqlite3.Connection, row: PassportRow) -> None:
    db.execute("INSERT OR REPLACE INTO passports VALUES (?,?,?,?,?,?,?,?,?,?)", row.as_tuple())


def save_credentials(db: sqlite3.Connection, rows: Iterable[CredentialRow]) -> None:
    db.executemany("INSERT OR REPLACE INTO credentials VALUES (?,?,?,?,?)", [r.as_tuple() for r in rows])
