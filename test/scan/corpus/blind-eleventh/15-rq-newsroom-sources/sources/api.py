import os
from functools import cache

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from .types import Credential, Passport

BASE_URL = os.environ.get("REPUTATION_URL", "https://api.talentprotocol.com/api/v1")


class Gone(Exception):
    """The record is no longer there."""


class _ApiSession(requests.Session):
    def request(self, method, url, **kwargs):
        kwargs.setdefault("timeout", 15)
        return super().request(method, BASE_URL + url, **kwargs)


@cache
def session() -> requests.Session:
    s = _ApiSession()
    retry = Retry(total=4, backoff_factor=1.5, status_forcelist=(429, 502, 503), respect_retry_after_header=True)
    s.mount("https://", HTTPAdapter(max_retries=retry))
    s.headers["X-API-KEY"] = os.environ["REPUTATION_KEY"]
    return s


def get_passport(ref: str) -> Passport:
    res = session().get(f"/passports/{ref}")
    if res.status_code in (404, 410):
        raise Gone(ref)
    res.raise_for_status()
    return res.json()["passport"]


def get_credentials(passport_id: int) -> list[Credential]:
    res = session().get("/passport_credentials", params={"passport_id": str(passport_id)})
    res.raise_for_status()
    return res.json()["passport_credentials"]


def count_named(name: str) -> int:
    res = session().get("/passports", params={"keyword": name})
    return res.json().get("pagination", {}).get("total", 0)
