import json
import urllib.request
from string import Template
from types import SimpleNamespace
from yarl import URL

T = Template("https://rep.example.org/api/v1/passports/$ident")
ROOT = URL("https://rep.example.org") / "api" / "v1"


def load(ident):
    with urllib.request.urlopen(T.substitute(ident=ident)) as f:  # call: passport
        return json.loads(f.read().decode("utf-8"))


def show(ident):
    match load(ident):
        case {"passport": {"score": score, "passport_profile": {"bio": bio}}}:  # read: passport.score, passport.passport_profile.bio
            print(score, bio)
        case _:
            raise ValueError
    doc = SimpleNamespace(**load(ident)["passport"])
    print(doc.identity_score)  # read: passport.identity_score
    p = load(ident).get("passport")
    if (wallet := p.get("main_wallet")) is not None:  # read: passport.main_wallet
        print(wallet)
    print(getattr(doc, "skills_score", None))  # read: passport.skills_score; hazard: fallback-default


async def listed(session):
    async with session.get(ROOT / "passports") as resp:  # call: passport-list
        data = await resp.json()
    async with session.get(ROOT / "passports" / "5") as resp:  # call: passport
        one = await resp.json()
    return data["pagination"]["current_page"], one["passport"]["merged"]  # read: pagination.current_page, passport.merged
