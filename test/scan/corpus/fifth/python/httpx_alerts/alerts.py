import os

import httpx

client = httpx.Client(
    base_url=os.getenv("REP_URL", "https://rep.example.org"),
    headers={"X-API-KEY": os.getenv("REP_KEY", "")},
)
slack = httpx.Client(base_url="https://hooks.slack.example.com")


def stale(pid, before):
    r = client.get(f"/api/v1/passports/{pid}")  # call: passport
    r.raise_for_status()
    passport = r.json()["passport"]
    when = passport["last_calculated_at"]  # read: passport.last_calculated_at
    return when is None or when < before


def notify(pid, before):
    if not stale(pid, before):
        return
    slack.post("/services/1", json={"text": f"/api/v1/passports/{pid} is stale"})


def low_activity(limit):
    listing = client.get("/api/v1/passports", params={"page": 1}).json()  # call: passport-list
    return [p["main_wallet"] for p in listing["passports"] if p["activity_score"] < limit]  # read: passports[].activity_score, passports[].main_wallet


def channel_activity(name):
    info = slack.get("/api/v1/channels/" + name).json()
    return info["activity_score"], info["last_calculated_at"]
