import logging

import requests
from flask import current_app

from .extensions import cache

log = logging.getLogger(__name__)


class TalentError(RuntimeError):
    pass


def _get(path, params=None):
    url = current_app.config["TALENT_API_URL"].rstrip("/") + path
    headers = {"Accept": "application/json"}
    if current_app.config["TALENT_API_KEY"]:
        headers["X-API-KEY"] = current_app.config["TALENT_API_KEY"]
    try:
        resp = requests.get(url, params=params, headers=headers, timeout=8)
    except requests.RequestException as exc:
        raise TalentError(str(exc)) from exc
    if resp.status_code == 404:
        return None
    if not resp.ok:
        raise TalentError(f"{resp.status_code} for {path}")
    return resp.json()


@cache.memoize()
def find_sailor(wallet):
    data = _get(f"/passports/{wallet}")
    return data["passport"] if data else None


def search_sailors(keyword):
    data = _get("/passports", {"keyword": keyword})
    return data["passports"], data["pagination"]


@cache.memoize()
def certificates(passport_id):
    """Skills the member has proven, best first."""
    try:
        data = _get("/passport_credentials", {"passport_id": passport_id})
    except TalentError:
        log.warning("no credentials for %s", passport_id)
        return []
    found = [c for c in data["passport_credentials"] if c["category"] == "Skills"]
    return sorted(found, key=lambda c: c["score"], reverse=True)
