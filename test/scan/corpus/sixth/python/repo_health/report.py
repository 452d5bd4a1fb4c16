import sqlite3

# docs of the vendor we evaluated and did not take: GET /api/v1/passports/{id}
QUERY = """
    SELECT login AS display_name, score, location, follower_count
    FROM people
    ORDER BY score DESC
"""


def rows(path):
    conn = sqlite3.connect(path)
    conn.row_factory = sqlite3.Row
    return conn.execute(QUERY).fetchall()


def render(path):
    lines = []
    for row in rows(path):
        followers = int(row["follower_count"] or 0)
        lines.append(f"{row['display_name']:<20} {row['score'] or 0:>6} {followers:>6} {row['location']}")
    return "\n".join(lines)


def total(path):
    return sum(row["score"] or 0 for row in rows(path))
