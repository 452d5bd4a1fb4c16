from functools import lru_cache
from typing import List, Optional, TypedDict

import requests
from flask import current_app
from tenacity import retry, stop_after_attempt, wait_exponential


class Credential(TypedDict):
    id: str
    type: str
    category: str
    value: Optional[str]
    earned_at: Optional[str]
    score: float


def api_url(path: str) -> str:
    return "{}/api/v1{}".format(current_app.config["PASSPORT_BASE_URL"].rstrip("/"), path)


@retry(stop=stop_after_attempt(3), wait=wait_exponential())
def load_credentials(passport_id: str) -> List[Credential]:
    resp = requests.get(api_url("/passport_credentials"), params={"passport_id": passport_id})  # call: passport-credentials
    resp.raise_for_status()
    return resp.json()["passport_credentials"]


@lru_cache(maxsize=512)
def load_name(passport_id: str) -> str:
    resp = requests.get(api_url(f"/passports/{passport_id}"))  # call: passport
    if not resp.ok:  # hazard: status-default
        return ""
    return resp.json()["passport"]["passport_profile"]["display_name"]  # read: passport.passport_profile.display_name


def humanity(credentials: List[Credential]) -> int:
    for credential in credentials:
        if credential["type"] == "gitcoin" and credential["value"]:  # read: passport_credentials[].type, passport_credentials[].value
            return int(credential["value"].rsplit(":", 1)[-1])  # read: passport_credentials[].value; hazard: string-number
    return -1
