import sqlite3
from dataclasses import astuple

SCHEMA = """
create table if not exists credentials (
  credential_id text primary key, owner integer, kind text, grp text,
  points real, ratio real, text text, day text
);
create table if not exists passports (passport_id integer primary key, score real, name text);
"""


def connect(path):
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    return db


def save_credentials(db, rows):
    db.executemany("insert or replace into credentials values (?,?,?,?,?,?,?,?)", [astuple(r) for r in rows])
    db.commit()


def top_kinds(db, n=10):
    sql = "select kind, count(*), avg(points) from credentials group by kind order by 2 desc limit ?"
    return db.execute(sql, (n,)).fetchall()


def average_score(db):
    (score,) = db.execute("select avg(score) from passports").fetchone()
    return score
