import os
import requests

API = os.environ["PASSPORT_API"]


def get_score(wallet):
    try:
        response = requests.get(f"{API}/api/v1/passports/{wallet}", headers={"X-API-KEY": os.getenv("KEY")})  # call: passport
        response.raise_for_status()
        return response.json()["passport"]["score"]  # read: passport.score
    except Exception:  # hazard: catch-default
        return 0


def get_credentials(passport_id):
    resp = requests.get(API + "/api/v1/passport_credentials", params={"passport_id": passport_id}, timeout=10)  # call: passport-credentials
    if resp.status_code != 200:  # hazard: status-default
        return []
    return [c["type"] for c in resp.json()["passport_credentials"]]  # read: passport_credentials[].type
