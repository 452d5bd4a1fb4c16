import httpx
from models import Envelope, Passport


async def load(ident: str) -> Passport:
    async with httpx.AsyncClient(base_url="https://rep.example.org/api/v1/") as client:
        r = await client.get(f"passports/{ident}")  # call: passport
    return Envelope.model_validate_json(r.content).passport


async def show(ident: str):
    p = await load(ident)
    print(p.id, p.total, p.profile.shout())  # read: passport.passport_id, passport.passport_profile
    for s in p.socials:  # read: passport.passport_socials
        print(s.source, s.followers)  # read: passport.passport_socials[].source, passport.passport_socials[].follower_count
    print(p.profile.tags)  # read: passport.passport_profile.tags[]
