import requests
from collections import namedtuple
from dataclasses import dataclass, field, asdict
from typing import Iterator

API = "https://rep.example.org/api/v1/"
Edge = namedtuple("Edge", "a b weight")


@dataclass
class Person:
    ident: int
    raw: dict = field(repr=False)
    socials: list = field(default_factory=list)

    def followers(self) -> int:
        return sum(int(s["follower_count"]) for s in self.socials)  # read: passport.passport_socials[].follower_count

    @property
    def wallets(self):
        return set(self.raw["verified_wallets"])  # read: passport.verified_wallets[]


def person(ident) -> Person:
    raw = requests.get(API + f"passports/{ident}").json()["passport"]  # call: passport
    return Person(raw["passport_id"], raw, raw.get("passport_socials", []))  # read: passport.passport_id, passport.passport_socials; hazard: fallback-default


def edges(idents) -> Iterator[Edge]:
    people = [person(i) for i in idents]
    for x in people:
        for y in people:
            yield Edge(x.ident, y.ident, len(x.wallets & y.wallets))


def heavy(idents):
    return [e for e in edges(idents) if e.weight > 2 and e.a != e.b]


def biggest(idents):
    return max(map(person, idents), key=lambda p: p.followers()).ident
