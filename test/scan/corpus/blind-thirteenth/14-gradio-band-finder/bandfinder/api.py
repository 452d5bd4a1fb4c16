import os
from typing import TypeVar

import httpx
import msgspec

from .records import Musician, MusicianEnvelope, MusicianPage, Track

T = TypeVar("T")

_talent = httpx.Client(
    base_url=os.environ.get("TALENT_URL", "https://api.talentprotocol.com/api/v1"),
    headers={"x-api-key": os.environ.get("TALENT_KEY", "")},
    timeout=httpx.Timeout(10, connect=3),
    event_hooks={"response": [lambda r: r.raise_for_status()]},
)


def _decode(kind: type[T], path: str, **params) -> T:
    return msgspec.json.decode(_talent.get(path, params=params).content, type=kind)


def find(keyword: str) -> list[Musician]:
    return _decode(MusicianPage, "/passports", keyword=keyword).passports


def load(ident: int) -> Musician:
    return _decode(MusicianEnvelope, f"/passports/{ident}").passport


def previews(artist: str, limit: int = 3) -> list[Track]:
    r = httpx.get("https://itunes.apple.com/search", params={"term": artist, "entity": "song", "limit": limit})
    if r.is_error:
        return []
    return msgspec.convert(r.json()["results"], list[Track])
