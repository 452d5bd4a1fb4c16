import json
import sys

from fetch_passports import API, session


def score_of(wallet):
    resp = session.get(API + "/api/v1/passports/" + wallet)
    if resp.status_code != 200:
        return 0
    return resp.json()["passport"]["score"]


def in_snapshot(wallet, path="passports.json"):
    with open(path) as fh:
        for p in json.load(fh):
            if wallet.lower() in [v.lower() for v in p["verified_wallets"]]:
                return p["passport_id"]
    return None


if __name__ == "__main__":
    for w in sys.argv[1:]:
        print(w, score_of(w), in_snapshot(w))
