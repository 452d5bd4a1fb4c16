import requests
from pydantic import BaseModel


class Social(BaseModel):
    source: str
    profile_name: str
    follower_count: str


class Holder(BaseModel):
    passport_id: int
    score: float
    passport_socials: list[Social]


def load(passport_id):
    payload = requests.get(f"https://api.example.com/api/v1/passports/{passport_id}").json()  # call: passport
    holder = Holder(**payload["passport"])
    return holder.score, [s.profile_name for s in holder.passport_socials]  # read: passport.passport_socials, passport.score, passport.passport_socials[].profile_name


def validated(passport_id):
    response = requests.get(f"https://api.example.com/api/v1/passports/{passport_id}")  # call: passport
    holder = Holder.model_validate(response.json()["passport"])
    return holder.passport_id  # read: passport.passport_id
