import os
from collections.abc import Iterator

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from .settings import LISTMONK_ROOT, TALENT_ROOT
from .types import PassportJSON

PASSPORTS = TALENT_ROOT + "/passports"
CREDENTIALS = TALENT_ROOT + "/passport_credentials"


def _talent() -> requests.Session:
    session = requests.Session()
    session.headers["X-API-KEY"] = os.environ["TALENT_API_KEY"]
    session.mount("https://", HTTPAdapter(max_retries=Retry(3, backoff_factor=0.5, status_forcelist=[429, 503])))
    session.hooks["response"].append(lambda r, *a, **kw: r.raise_for_status())
    return session


talent = _talent()


def directory(keyword: str) -> Iterator[PassportJSON]:
    page, last = 1, 1
    while page <= last:
        data = talent.get(PASSPORTS, params={"keyword": keyword, "page": page}, timeout=15).json()
        last = data["pagination"]["last_page"]
        yield from data["passports"]
        page += 1


def passport(wallet: str) -> PassportJSON:
    return talent.get(f"{PASSPORTS}/{wallet}", timeout=15).json()["passport"]


def latest_badge(passport_id: int) -> str | None:
    data = requests.get(CREDENTIALS, params={"passport_id": passport_id}, timeout=15).json()
    earned = [c for c in data.get("passport_credentials", []) if c.get("earned_at")]
    if not earned:
        return None
    return max(earned, key=lambda c: c["earned_at"])["name"]


def listmonk(method: str, path: str, **kwargs) -> dict:
    auth = (os.environ["LISTMONK_USER"], os.environ["LISTMONK_PASSWORD"])
    reply = requests.request(method, f"{LISTMONK_ROOT}/api/{path}", auth=auth, timeout=15, **kwargs)
    reply.raise_for_status()
    return reply.json()["data"]
