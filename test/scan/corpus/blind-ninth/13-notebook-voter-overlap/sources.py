"""Loaders for the voter overlap notebook."""
import os
import time
import tomllib
from pathlib import Path
from typing import Iterator

import pandas as pd
import requests

CONFIG = tomllib.loads(Path(__file__).with_name("settings.toml").read_text())
TALENT = CONFIG["talent"]
PASSPORTS = TALENT["origin"] + "/api/v1/passports"
CREDENTIALS = TALENT["origin"] + "/api/v1/passport_credentials"

http = requests.Session()
http.headers.update({"Accept": "application/json", "X-API-KEY": os.environ.get(TALENT["key_env"], "")})

VOTES = """
query ($space: String!, $skip: Int!) {
  votes(first: 1000, skip: $skip, where: {space: $space}) { voter created choice vp }
}
"""


def iter_passports(max_pages: int = TALENT["max_pages"]) -> Iterator[dict]:
    for page in range(1, max_pages + 1):
        body = http.get(PASSPORTS, params={"page": page}, timeout=30).json()
        yield from body.get("passports", [])
        meta = body.get("pagination") or {}
        if meta.get("current_page") == meta.get("last_page"):
            return
        time.sleep(0.4)


def passport_frame() -> pd.DataFrame:
    return pd.json_normalize(list(iter_passports()))


def socials_of(passport_id: int) -> list[dict]:
    resp = http.get(f"{PASSPORTS}/{passport_id}", timeout=30)
    if not resp.ok:
        return []
    return resp.json()["passport"]["passport_socials"]


def credentials_of(passport_id: int) -> pd.DataFrame:
    resp = http.get(CREDENTIALS, params={"passport_id": passport_id}, timeout=30)
    resp.raise_for_status()
    return pd.DataFrame(resp.json()["passport_credentials"]).assign(owner=passport_id)


def votes(space: str) -> pd.DataFrame:
    rows: list[dict] = []
    while True:
        resp = requests.post(
            CONFIG["snapshot"]["hub"],
            json={"query": VOTES, "variables": {"space": space, "skip": len(rows)}},
            timeout=60,
        )
        resp.raise_for_status()
        batch = resp.json()["data"]["votes"]
        rows.extend(batch)
        if len(batch) < 1000:
            return pd.DataFrame(rows)
