import logging

import requests
from flask import current_app

from .cache import cache

log = logging.getLogger(__name__)


def _headers():
    return {"X-API-KEY": current_app.config["TALENT_KEY"]}


@cache.memoize()
def load_passport(wallet):
    """The passport of a wallet, or None."""
    base = current_app.config["TALENT_URL"]
    try:
        r = requests.get(f"{base}/api/v1/passports/{wallet}", headers=_headers(), timeout=5)
        r.raise_for_status()
        return r.json()["passport"]
    except (requests.RequestException, KeyError) as exc:
        log.warning("passport %s: %s", wallet, exc)
        return None


@cache.memoize(timeout=3600)
def load_credentials(wallet):
    base = current_app.config["TALENT_URL"]
    r = requests.get(
        base + "/api/v1/passport_credentials",
        params={"passport_id": wallet},
        headers=_headers(),
        timeout=5,
    )
    return r.json().get("passport_credentials", [])


@cache.cached(timeout=300, key_prefix="top")
def load_top(count=10):
    base = current_app.config["TALENT_URL"]
    r = requests.get("%s/api/v1/passports" % base, headers=_headers(), timeout=10)
    if r.status_code != 200:
        log.error("list answered %s", r.status_code)
        r.raise_for_status()
    data = r.json()
    log.info("list has %s passports", data["pagination"]["total"])
    return data["passports"][:count]


def load_stars(repo):
    """GitHub, for the combined badge."""
    r = requests.get(f"https://api.github.com/repos/{repo}", timeout=5)
    if not r.ok:
        return 0
    return r.json()["stargazers_count"]
