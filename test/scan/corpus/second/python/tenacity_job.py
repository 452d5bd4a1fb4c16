import requests
from tenacity import retry, stop_after_attempt

BASE = "https://api.example.com"


@retry(stop=stop_after_attempt(3))
def _load(url):
    res = requests.get(url)
    res.raise_for_status()
    return res.json()


def badge(wallet):
    try:
        holder = _load(f"{BASE}/api/v1/passports/{wallet}")["passport"]  # call: passport
    except Exception as exc:
        raise SystemExit(str(exc))
    if holder["calculating_score"]:  # read: passport.calculating_score
        return "pending"
    level = "gold" if holder["skills_score"] > 50 else "silver"  # read: passport.skills_score
    return f"{level}:{holder['last_calculated_at']}"  # read: passport.last_calculated_at


def values(wallet):
    creds = _load(BASE + "/api/v1/passport_credentials?passport_id=" + wallet).get("passport_credentials") or []  # call: passport-credentials; hazard: fallback-default
    return [c.get("value") for c in creds if c.get("type") == "active_wallet" and c["score"]]  # read: passport_credentials[].value, passport_credentials[].type, passport_credentials[].score
