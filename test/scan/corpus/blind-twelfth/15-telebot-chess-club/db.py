import sqlite3

con = sqlite3.connect("club.db", check_same_thread=False)
con.row_factory = sqlite3.Row
con.execute(
    "create table if not exists players (tg integer primary key, wallet text, lichess text, score real default 0, paid integer default 0)"
)


def save_player(tg, wallet=None, lichess=None):
    con.execute("insert or ignore into players (tg) values (?)", (tg,))
    if wallet:
        con.execute("update players set wallet = ? where tg = ?", (wallet, tg))
    if lichess:
        con.execute("update players set lichess = ? where tg = ?", (lichess, tg))
    con.commit()


def get_player(tg):
    return con.execute("select * from players where tg = ?", (tg,)).fetchone()


def all_players():
    return con.execute("select * from players where wallet is not null").fetchall()


def set_score(tg, score):
    con.execute("update players set score = ? where tg = ?", (score, tg))
    con.commit()
