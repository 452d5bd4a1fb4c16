import sqlite3

db = sqlite3.connect("levels.db")
db.row_factory = sqlite3.Row


def level(member_id):
    row = db.execute("select score, last_calculated_at from levels where id = ?", (member_id,)).fetchone()
    if row is None:
        return 0
    return int(row["score"] or 0) // 100


def bump(member_id, points):
    try:
        db.execute("update levels set score = score + ? where id = ?", (points, member_id))
        db.commit()
    except sqlite3.Error:
        pass


def ladder(limit=10):
    rows = db.execute("select display_name, score from levels order by score desc limit ?", (limit,))
    return [(r["display_name"], r["score"]) for r in rows]
