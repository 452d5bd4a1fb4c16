import os
import sqlite3
from datetime import datetime

import requests

GITHUB = "https://api.github.com"
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.getenv('GITHUB_TOKEN', '')}"


def search_users(keyword):
    response = SESSION.get(f"{GITHUB}/search/users", params={"q": keyword})
    response.raise_for_status()
    return [(item["login"], item.get("score", 0)) for item in response.json()["items"]]


def user(login):
    response = SESSION.get(f"{GITHUB}/users/{login}")
    if response.status_code != 200:
        return {}
    return response.json()


def save(conn, login, score):
    details = user(login)
    conn.execute(
        "INSERT INTO people (login, score, bio, location, follower_count, seen_at) VALUES (?, ?, ?, ?, ?, ?)",
        (
            login,
            score,
            details.get("bio"),
            details.get("location"),
            str(details.get("followers", 0)),
            datetime.utcnow().isoformat(),
        ),
    )


def main():
    conn = sqlite3.connect("people.db")
    for login, score in search_users("language:python"):
        save(conn, login, score)
    conn.commit()


if __name__ == "__main__":
    main()
