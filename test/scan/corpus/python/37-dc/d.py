from __future__ import annotations
from dataclasses import dataclass
import dacite
import requests


@dataclass
class Profile:
    display_name: str | None
    bio: str | None
    tags: list[str]

    @property
    def first_tag(self):
        return self.tags[0] if self.tags else None  # read: passport.passport_profile.tags[]


@dataclass(frozen=True)
class Passport:
    passport_id: int
    score: float
    passport_profile: Profile
    main_wallet: str

    @classmethod
    def from_api(cls, raw: dict) -> Passport:
        return cls(**{k: v for k, v in raw.items() if k in cls.__dataclass_fields__})


def load(ident) -> Passport:
    raw = requests.get(f"https://rep.example.org/api/v1/passports/{ident}").json()  # call: passport
    return dacite.from_dict(data_class=Passport, data=raw["passport"])


def show(ident):
    p = load(ident)
    return p.score, p.passport_profile.first_tag  # read: passport.score, passport.passport_profile
