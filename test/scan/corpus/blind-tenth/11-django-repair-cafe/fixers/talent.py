import logging

import requests
from django.conf import settings
from django.core.cache import cache

log = logging.getLogger(__name__)

_http = requests.Session()
_http.headers.update({"Accept": "application/json", "X-API-KEY": settings.TALENT["API_KEY"]})


def _url(*parts):
    return "/".join([settings.TALENT["BASE_URL"].rstrip("/"), *map(str, parts)])


def passport_for(wallet):
    key = f"talent:passport:{wallet.lower()}"
    record = cache.get(key)
    if record is not None:
        return record
    try:
        resp = _http.get(_url("passports", wallet), timeout=6)
        resp.raise_for_status()
        record = resp.json()["passport"]
    except (requests.RequestException, KeyError, ValueError) as exc:
        log.warning("no passport for %s: %s", wallet, exc)
        return None
    cache.set(key, record, settings.TALENT["CACHE_SECONDS"])
    return record


def credentials_for(passport_id):
    resp = _http.get(_url("passport_credentials"), params={"passport_id": passport_id}, timeout=6)
    if not resp.ok:
        return []
    return resp.json().get("passport_credentials", [])


def search(keyword, page=1):
    resp = _http.get(_url("passports"), params={"keyword": keyword, "page": page}, timeout=6)
    resp.raise_for_status()
    return resp.json()


def geocode(place):
    resp = requests.get(
        settings.NOMINATIM_URL,
        params={"q": place, "format": "jsonv2", "limit": 1},
        headers={"User-Agent": "repaircafe/1.4"},
        timeout=6,
    )
    hits = resp.json() if resp.ok else []
    return hits[0]["display_name"] if hits else ""
