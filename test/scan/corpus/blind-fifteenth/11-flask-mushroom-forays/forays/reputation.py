import requests
from flask import current_app

from .extensions import cache


class ReputationDown(Exception):
    pass


def init_app(app):
    session = requests.Session()
    session.headers["Accept"] = "application/json"
    if app.config.get("TALENT_API_KEY"):
        session.headers["X-API-KEY"] = app.config["TALENT_API_KEY"]
    app.extensions["talent"] = session


def _call(*segments, **query):
    url = "/".join([current_app.config["TALENT_BASE_URL"].rstrip("/"), *segments])
    try:
        r = current_app.extensions["talent"].get(url, params=query, timeout=6)
    except requests.RequestException as exc:
        raise ReputationDown(str(exc)) from exc
    if r.status_code == 404:
        return None
    if not r.ok:
        raise ReputationDown(f"{r.status_code} for {url}")
    return r.json()


@cache.memoize()
def leader(wallet):
    body = _call("passports", wallet.lower())
    return body["passport"] if body else None


@cache.memoize(timeout=300)
def search(name):
    body = _call("passports", keyword=name)
    if not body:
        return [], 0
    return body["passports"], body["pagination"]["total"]


@cache.memoize()
def badges(passport_id):
    try:
        body = _call("passport_credentials", passport_id=passport_id)
    except ReputationDown:
        current_app.logger.warning("no badges for %s", passport_id)
        return []
    earned = [b for b in (body or {}).get("passport_credentials", []) if b["earned_at"]]
    return sorted(earned, key=lambda b: b["earned_at"], reverse=True)
