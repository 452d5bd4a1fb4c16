from typing import Any, TypedDict
import requests


class Profile(TypedDict, total=False):
    bio: str
    display_name: str


class Passport(TypedDict):
    passport_id: int
    score: int
    main_wallet: str
    passport_profile: Profile


class Holder:
    """Keeps one answer."""

    def __init__(self, raw: dict[str, Any]):
        self._raw = raw

    @property
    def passport(self) -> Passport:
        return self._raw["passport"]

    @property
    def name(self) -> str:
        return self.passport["passport_profile"]["display_name"]  # read: passport.passport_profile.display_name

    def __getitem__(self, key):
        return self._raw["passport"][key]


def load(ident: str) -> Holder:
    return Holder(requests.get(f"https://rep.example.org/api/v1/passports/{ident}").json())  # call: passport


def show(p: Passport) -> str:
    return f"{p['passport_id']} {p['score']}"  # read: passport.passport_id, passport.score


h = load("1")
print(h.name, show(h.passport))
print(h["connections_count"])  # read: passport.connections_count
