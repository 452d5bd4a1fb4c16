import requests

API = "https://lichess.org/api"


def rating(username, perf="rapid"):
    r = requests.get(f"{API}/user/{username}", timeout=5)
    if r.status_code != 200:
        return None
    return r.json().get("perfs", {}).get(perf, {}).get("rating")


def profile(username):
    d = requests.get(f"{API}/user/{username}", timeout=5).json()
    p = d.get("profile") or {}
    return {"bio": p.get("bio"), "location": p.get("location"), "score": d.get("count", {}).get("win", 0)}


def open_challenge(limit=600, increment=5):
    r = requests.post(f"{API}/challenge/open", data={"clock.limit": limit, "clock.increment": increment})
    return r.json()["url"]
