from __future__ import annotations

import httpx
import structlog

from . import settings
from .records import Credential, Passport, converter

log = structlog.get_logger()

client = httpx.Client(
    headers={"X-API-KEY": settings.PASSPORT_API_KEY, "User-Agent": "mentor-sync/1.3"},
    timeout=20.0,
    follow_redirects=True,
)


class QuotaExceeded(RuntimeError):
    pass


def _check(response: httpx.Response) -> dict:
    if response.status_code == 401 and response.headers.get("X-API-Usage-Status") == "exceeded":
        raise QuotaExceeded(response.headers.get("X-API-Usage-Limit"))
    response.raise_for_status()
    if "json" not in response.headers.get("content-type", ""):
        raise httpx.DecodingError("not json", request=response.request)
    return response.json()


def load_passport(wallet: str) -> Passport:
    url = f"{settings.PASSPORT_API}/passports/{wallet}"
    body = _check(client.get(url))
    return converter.structure(body["passport"], Passport)


def load_credentials(passport: Passport) -> list[Credential]:
    try:
        body = _check(
            client.get(f"{settings.PASSPORT_API}/passport_credentials", params={"passport_id": passport.passport_id})
        )
    except httpx.HTTPError as e:
        log.warning("credentials.failed", passport=passport.passport_id, error=str(e))
        return []
    return converter.structure(body["passport_credentials"], list[Credential])


def population_size() -> int:
    """For the footer of the sheet: how many passports exist at all."""
    raw = client.get(f"{settings.PASSPORT_API}/passports").json()
    return raw.get("pagination", {}).get("total", 0)
