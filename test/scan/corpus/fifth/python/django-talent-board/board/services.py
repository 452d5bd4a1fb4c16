import logging
from urllib.parse import urljoin

import requests
from django.conf import settings
from django.core.cache import cache

log = logging.getLogger(__name__)

session = requests.Session()
session.headers["X-API-KEY"] = settings.REPUTATION_KEY


def passport_for(wallet):
    cached = cache.get(f"passport:{wallet}")
    if cached is not None:
        return cached
    url = urljoin(settings.REPUTATION_URL, f"/api/v1/passports/{wallet}")
    try:
        resp = session.get(url, timeout=5)  # call: passport
        resp.raise_for_status()
    except requests.RequestException:  # hazard: catch-default
        log.exception("reputation lookup failed")
        return {}
    data = resp.json()["passport"]
    cache.set(f"passport:{wallet}", data, 3600)
    return data


def job_posts(company):
    try:
        return requests.get(f"{settings.JOBS_URL}/api/v1/posts", params={"company": company}).json()["posts"]
    except Exception:
        return []
