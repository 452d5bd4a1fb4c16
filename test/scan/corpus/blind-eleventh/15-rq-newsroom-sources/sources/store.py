import os

import psycopg
from psycopg.types.json import Jsonb
from redis import Redis

from .types import SourceRow

redis = Redis.from_url(os.environ.get("REDIS_URL", "redis://localhost:6379/2"))

UPSERT = """
insert into sources (id, name, trust, score, links, checked_at)
values (%(source_id)s, %(name)s, %(trust)s, %(score)s, %(links)s, now())
on conflict (id) do update
   set name = excluded.name, trust = excluded.trust, score = excluded.score,
       links = excluded.links, checked_at = now()
"""


def connection() -> psycopg.Connection:
    return psycopg.connect(os.environ["DATABASE_URL"])


def upsert(db: psycopg.Connection, row: SourceRow) -> None:
    db.execute(UPSERT, {**row, "links": Jsonb(row["links"])})


def mark_gone(db: psycopg.Connection, source_id: int) -> None:
    db.execute("update sources set trust = 'gone', checked_at = now() where id = %s", (source_id,))
