import logging
from functools import lru_cache
from typing import Any, Dict, Optional

import httpx

logger = logging.getLogger(__name__)
PASSPORT_URL = "https://api.example.com/api/v1/passports/{id}"


@lru_cache(maxsize=100)
def fetch(passport_id: str) -> Optional[Dict[str, Any]]:
    try:
        response = httpx.get(PASSPORT_URL.format(id=passport_id), timeout=5.0)  # call: passport
        response.raise_for_status()
    except httpx.HTTPStatusError as e:  # hazard: catch-default
        logger.error("status %s", e.response.status_code)
        return None
    return response.json()["passport"]


def refresh(user):
    data = fetch(user.passport_id)
    if not data:
        return
    user.score = data["score"]  # read: passport.score
    user.socials = {s["source"]: s["profile_url"] for s in data["passport_socials"]}  # read: passport.passport_socials, passport.passport_socials[].source, passport.passport_socials[].profile_url
    followers = 0
    for social in data["passport_socials"]:  # read: passport.passport_socials
        followers += social["follower_count"]  # read: passport.passport_socials[].follower_count; hazard: string-number
    user.followers = followers
    user.save()
