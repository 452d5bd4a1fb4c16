import os
from dataclasses import dataclass
from urllib.parse import urlencode, urljoin

import requests

HOST = os.getenv("TALENT_HOST", "https://api.talentprotocol.com")


class TalentError(Exception):
    pass


class PassportNotFound(TalentError):
    pass


@dataclass
class Snapshot:
    passport_id: int
    score: int
    name: str | None
    human: bool


def _get(url: str) -> dict:
    try:
        resp = requests.get(url, headers={"X-API-KEY": os.environ["TALENT_API_KEY"]}, timeout=15)
    except requests.RequestException as exc:
        raise TalentError(str(exc)) from exc
    if resp.status_code == 404:
        raise PassportNotFound(url)
    if resp.status_code != 200:
        raise TalentError(f"{resp.status_code} for {url}")
    return resp.json()


def fetch_snapshot(wallet: str) -> Snapshot:
    passport = _get(urljoin(HOST, f"/api/v1/passports/{wallet}"))["passport"]
    return Snapshot(
        passport_id=passport["passport_id"],
        score=passport["score"] or 0,
        name=passport["passport_profile"]["display_name"],
        human=passport.get("human_checkmark", False),
    )


def fetch_badges(passport_id: int) -> list[tuple[str, str | None]]:
    query = urlencode({"passport_id": passport_id})
    data = _get(f"{HOST}/api/v1/passport_credentials?{query}")
    return [(c["type"], c.get("value")) for c in data["passport_credentials"] if c["earned_at"]]
