"""One-off: compares what we stored with what the service says today."""
import os
import sys

import requests

from tasks import engine
from sqlalchemy import text


def remote(wallet):
    r = requests.get(os.environ["REP_BASE"] + "/api/v1/passports/" + wallet, timeout=10)  # call: passport
    if not r.ok:  # hazard: status-default
        return None
    return r.json()["passport"]


def stamps(passport_id):
    url = os.environ["REP_BASE"] + "/api/v1/passport_credentials"
    found = requests.get(url, params={"passport_id": passport_id}, timeout=10).json()  # call: passport-credentials
    return sum(float(c["value"]) for c in found["passport_credentials"] if c["type"] == "active_wallet")  # read: passport_credentials[].type, passport_credentials[].value; hazard: string-number


def main():
    differing = 0
    with engine.connect() as db:
        for row in db.execute(text("select address, score, main_wallet from wallets")):
            live = remote(row.address)
            if live is None:
                continue
            if (live["score"] or 0) != (row.score or 0):  # read: passport.score; hazard: fallback-default
                differing += 1
                print(row.address, row.score, live["score"], stamps(live["passport_id"]), sep="\t")  # read: passport.score, passport.passport_id
            if live["main_wallet"] != row.main_wallet:  # read: passport.main_wallet
                print(row.address, "moved", file=sys.stderr)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
