from typing import TypedDict, cast

import requests


class Profile(TypedDict):
    bio: str
    display_name: str
    location: str


class Passport(TypedDict):
    passport_id: int
    score: float
    human_checkmark: bool
    passport_profile: Profile


def fetch(wallet: str) -> Passport:
    payload = requests.get("https://api.example.com/api/v1/passports/" + wallet).json()  # call: passport
    return cast(Passport, payload["passport"])


def line(holder: Passport) -> str:
    return f"{holder['passport_id']} {holder['passport_profile']['location']}"  # read: passport.passport_id, passport.passport_profile.location


def show(wallet: str) -> None:
    print(line(fetch(wallet)))
