from dataclasses import dataclass, field
from urllib.parse import urljoin

import requests
from django.conf import settings
from django.core.cache import cache


class ReputationError(Exception):
    pass


@dataclass
class Reputation:
    passport_id: int
    score: int
    human: bool
    name: str = ""
    location: str = ""
    crafts: list = field(default_factory=list)


def _call(path, **params):
    url = urljoin(settings.TALENT["HOST"], path)
    response = requests.get(
        url,
        params=params or None,
        headers={"X-API-KEY": settings.TALENT["KEY"]},
        timeout=settings.TALENT["TIMEOUT"],
    )
    if response.status_code != 200:
        raise ReputationError(f"{path} answered {response.status_code}")
    return response.json()


def load_reputation(wallet):
    key = f"reputation:{wallet}"
    cached = cache.get(key)
    if cached:
        return cached

    p = _call(f"/api/v1/passports/{wallet}").get("passport")
    if not p:
        raise ReputationError("no passport in the answer")
    profile = p.get("passport_profile") or {}
    rep = Reputation(
        passport_id=p["passport_id"],
        score=round(p["score"] or 0),
        human=p.get("human_checkmark", False),
        name=profile.get("display_name") or "",
        location=profile.get("location") or "",
    )
    rep.crafts = load_crafts(rep.passport_id)
    cache.set(key, rep, 60 * 30)
    return rep


def load_crafts(passport_id):
    data = _call("/api/v1/passport_credentials", passport_id=passport_id)
    return [
        (c["type"], c["name"], int(c["score"]))
        for c in data["passport_credentials"]
        if c["category"] in ("Skills", "Identity")
    ]


def safe_score(wallet):
    try:
        return load_reputation(wallet).score
    except (ReputationError, requests.RequestException):
        return 0
