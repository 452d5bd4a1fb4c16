import requests


def tier_of(wallet):
    try:
        body = requests.get(f"https://api.example.com/api/v1/passports/{wallet}", timeout=5).json()  # call: passport
        return {"score": body["passport"]["score"], "tier": "KNOWN"}  # read: passport.score
    except requests.RequestException:  # hazard: catch-default
        return {"score": 0, "tier": "NOVICE"}
