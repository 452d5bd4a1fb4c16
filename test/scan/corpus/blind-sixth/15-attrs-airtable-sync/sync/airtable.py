from collections.abc import Iterator
from urllib.parse import quote

import httpx

from . import settings

API = f"https://api.airtable.com/v0/{settings.AIRTABLE_BASE}/{quote(settings.AIRTABLE_TABLE)}"
http = httpx.Client(headers={"Authorization": f"Bearer {settings.AIRTABLE_TOKEN}"}, timeout=30)


def rows() -> Iterator[dict]:
    params = {"pageSize": 100, "view": "Active"}
    while True:
        page = http.get(API, params=params).raise_for_status().json()
        yield from page["records"]
        if "offset" not in page:
            return
        params["offset"] = page["offset"]


def update(changes: list[dict]) -> None:
    for start in range(0, len(changes), 10):
        http.patch(API, json={"records": changes[start : start + 10], "typecast": True}).raise_for_status()
