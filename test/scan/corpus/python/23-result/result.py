from dataclasses import dataclass
from typing import Any, Generic, Optional, TypeVar
import requests

T = TypeVar("T")


@dataclass
class Result(Generic[T]):
    value: Optional[T] = None
    error: Optional[str] = None

    @property
    def ok(self):
        return self.error is None

    def map(self, fn):
        return Result(fn(self.value)) if self.ok else self

    def unwrap(self):
        return self.value


def get(url, **params) -> Result[dict]:
    try:
        res = requests.get(url, params=params, timeout=3)
        res.raise_for_status()
        return Result(value=res.json())
    except requests.RequestException as e:
        return Result(error=str(e))


URL = "https://rep.example.org/api/v1"


def passport(ident):
    return get(f"{URL}/passports/{ident}").map(lambda b: b["passport"])  # call: passport


def main():
    r = passport("1")
    if not r.ok:
        raise SystemExit(r.error)
    print(r.value["identity_score"])  # read: passport.identity_score
    print(r.unwrap()["skills_score"])  # read: passport.skills_score
    creds = get(URL + "/passport_credentials", passport_id=1)  # call: passport-credentials
    for c in creds.value["passport_credentials"]:
        print(c["category"])  # read: passport_credentials[].category
