import sqlite3


class Store:
    def __init__(self, path: str):
        self.db = sqlite3.connect(path)
        self.db.row_factory = sqlite3.Row
        self.db.execute(
            "create table if not exists members (discord_id integer primary key, wallet text, score integer, display_name text)"
        )

    def save(self, discord_id: int, wallet: str, score: int, display_name: str):
        self.db.execute(
            "insert or replace into members values (?, ?, ?, ?)", (discord_id, wallet, score, display_name)
        )
        self.db.commit()

    def wallet_of(self, discord_id: int) -> str | None:
        row = self.db.execute("select wallet from members where discord_id = ?", (discord_id,)).fetchone()
        return row["wallet"] if row else None

    def top(self, n: int = 10):
        return self.db.execute("select * from members order by score desc limit ?", (n,)).fetchall()
