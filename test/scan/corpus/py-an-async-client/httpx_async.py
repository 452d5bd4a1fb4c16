import httpx

client = httpx.AsyncClient(base_url="https://api.example.com/api/v1")


async def profile(passport_id):
    try:
        r = await client.get(f"/passports/{passport_id}")  # call: passport
        r.raise_for_status()
    except httpx.HTTPError as error:
        raise LookupError(passport_id) from error
    body = r.json()
    bio = body["passport"]["passport_profile"]["bio"]  # read: passport.passport_profile.bio
    socials = body["passport"]["passport_socials"]  # read: passport.passport_socials
    urls = [s.get("profile_url") for s in socials if s["source"] in ("github", "lens")]  # read: passport.passport_socials[].profile_url, passport.passport_socials[].source
    return bio, urls


async def credential_count(passport_id):
    r = await client.get("/passport_credentials", params={"passport_id": passport_id})  # call: passport-credentials
    return len([c for c in r.json()["passport_credentials"] if c["category"] == "Activity"])  # read: passport_credentials[].category
