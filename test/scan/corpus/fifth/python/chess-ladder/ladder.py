import json
from pathlib import Path

import requests

PLAYERS = Path("players.json")


def github_followers(login):
    resp = requests.get(f"https://api.github.com/users/{login}")
    if resp.status_code != 200:
        return 0
    return int(resp.json().get("followers", 0))


def rating(player):
    resp = requests.get(f"https://chess.example/api/v1/players/{player}")
    resp.raise_for_status()
    return resp.json()["player"].get("score", 0)


def rebuild():
    players = json.loads(PLAYERS.read_text())
    for p in players["players"]:
        try:
            p["score"] = rating(p["id"])
            p["follower_count"] = github_followers(p["profile_name"])
        except requests.RequestException:
            p["score"] = 0
    players["players"].sort(key=lambda p: p["score"], reverse=True)
    players["pagination"] = {"total": len(players["players"]), "current_page": 1, "last_page": 1}
    PLAYERS.write_text(json.dumps(players, indent=2))


if __name__ == "__main__":
    rebuild()
    for place, p in enumerate(json.loads(PLAYERS.read_text())["players"], 1):
        print(place, p["display_name"], p["score"], p.get("location", ""))
