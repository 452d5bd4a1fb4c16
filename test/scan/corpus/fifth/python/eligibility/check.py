"""Who may vote? Looks people up by wallet."""
import logging

import requests

log = logging.getLogger(__name__)

BASE = "https://rep.example.org"


def fetch_passport(wallet):
    url = "%s/api/v1/passports/%s" % (BASE, wallet)
    try:
        r = requests.get(url, headers={"X-API-KEY": "changeme"}, timeout=5)  # call: passport
        r.raise_for_status()
    except requests.RequestException as exc:  # hazard: catch-default
        log.warning("lookup failed: %s", exc)
        return None
    return r.json().get("passport")


def eligible(wallet, threshold=50):
    data = fetch_passport(wallet)
    if not data:
        return False
    score = data.get("score", 0)  # read: passport.score; hazard: fallback-default
    wallets = [w.lower() for w in data.get("verified_wallets", [])]  # read: passport.verified_wallets[]; hazard: fallback-default
    return score >= threshold and wallet.lower() in wallets and not data["merged"]  # read: passport.merged


def voting_power(wallet):
    # the DAO's own backend
    ballot = requests.get("https://dao.example.com/api/v1/ballots/" + wallet).json()
    return ballot.get("score", 0) * len(ballot["verified_wallets"])
