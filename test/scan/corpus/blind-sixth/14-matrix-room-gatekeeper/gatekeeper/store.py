import aiosqlite

SCHEMA = """
create table if not exists links (
  mxid text primary key,
  wallet text not null,
  passport_id integer,
  score real,
  linked_at text default current_timestamp
);
"""


class Store:
    def __init__(self, path: str):
        self.path = path

    async def setup(self):
        async with aiosqlite.connect(self.path) as db:
            await db.executescript(SCHEMA)

    async def link(self, mxid: str, wallet: str, passport: dict):
        async with aiosqlite.connect(self.path) as db:
            await db.execute(
                "insert or replace into links (mxid, wallet, passport_id, score) values (?, ?, ?, ?)",
                (mxid, wallet, passport["passport_id"], passport.get("score", 0)),
            )
            await db.commit()

    async def all_links(self) -> list[aiosqlite.Row]:
        async with aiosqlite.connect(self.path) as db:
            db.row_factory = aiosqlite.Row
            cur = await db.execute("select mxid, wallet, passport_id, score from links order by score desc")
            return list(await cur.fetchall())
