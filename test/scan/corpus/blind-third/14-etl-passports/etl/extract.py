import logging
import time
from collections.abc import Iterator

import requests

from .http import get_json

log = logging.getLogger(__name__)


def iter_passports(session: requests.Session, max_pages: int | None = None) -> Iterator[dict]:
    page = 1
    while True:
        body = get_json(session, "/passports", page=page)
        yield from body["passports"]
        meta = body["pagination"]
        log.info("page %s/%s", meta["current_page"], meta["last_page"])
        if meta["current_page"] >= meta["last_page"] or page == max_pages:
            return
        page += 1
        time.sleep(0.4)  # 25 requests / 10 s


def fetch_credentials(session: requests.Session, passport_id: int) -> list[dict]:
    body = get_json(session, "/passport_credentials", passport_id=passport_id)
    return body["passport_credentials"]
