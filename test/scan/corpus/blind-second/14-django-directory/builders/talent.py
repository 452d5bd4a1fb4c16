import logging
from typing import Optional, TypedDict

import requests
from django.conf import settings
from django.core.cache import cache

logger = logging.getLogger(__name__)


class PassportProfile(TypedDict, total=False):
    display_name: Optional[str]
    bio: Optional[str]
    location: Optional[str]
    tags: list[str]


class Passport(TypedDict):
    passport_id: int
    score: int
    human_checkmark: bool
    main_wallet: Optional[str]
    passport_profile: PassportProfile


def _call(path: str, params: Optional[dict] = None) -> Optional[dict]:
    try:
        response = requests.get(
            f"{settings.TALENT_API_URL}{path}",
            params=params,
            headers={"X-API-KEY": settings.TALENT_API_KEY},
            timeout=5,
        )
        response.raise_for_status()
        return response.json()
    except (requests.RequestException, ValueError):
        logger.exception("talent api: %s", path)
        return None


def get_passport(wallet: str) -> Optional[Passport]:
    key = f"passport:{wallet.lower()}"
    passport = cache.get(key)
    if passport is None:
        body = _call(f"/passports/{wallet}")
        passport = body["passport"] if body else None
        if passport:
            cache.set(key, passport, 60 * 60)
    return passport


def list_passports(keyword: str, page: int = 1) -> tuple[list[Passport], int]:
    body = _call("/passports", {"keyword": keyword, "page": page})
    if not body:
        return [], 0
    return body["passports"], body["pagination"]["total"]
