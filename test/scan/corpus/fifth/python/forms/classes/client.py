from dataclasses import dataclass, fields
from typing import Iterator, Protocol, TypedDict, NamedTuple
import attrs
import msgspec
import requests
from marshmallow import Schema, fields as mf
from pydantic import BaseModel, Field, TypeAdapter


class Social(TypedDict):
    source: str
    follower_count: str


class PassportDict(TypedDict):
    score: int
    passport_socials: list[Social]


class Cred(msgspec.Struct):
    type: str
    points: float = msgspec.field(name="score")


class Creds(msgspec.Struct):
    passport_credentials: list[Cred]


class Row(BaseModel):
    wallet: str = Field(alias="main_wallet")
    score: float


class Gateway(Protocol):
    def fetch(self, ident: str) -> PassportDict: ...


class HttpGateway:
    def __init__(self, base: str):
        self._base = base
        self._http = requests.Session()

    def _get(self, path, **params):
        resp = self._http.get(self._base + "/api/v1/" + path, params=params)
        resp.raise_for_status()
        return resp

    def fetch(self, ident: str) -> PassportDict:
        return self._get(f"passports/{ident}").json()["passport"]  # call: passport

    def creds(self, ident) -> Creds:
        raw = self._get("passport_credentials", passport_id=ident).content  # call: passport-credentials
        return msgspec.json.decode(raw, type=Creds)

    def rows(self) -> list[Row]:
        return TypeAdapter(list[Row]).validate_python(self._get("passports").json()["passports"])  # call: passport-list
