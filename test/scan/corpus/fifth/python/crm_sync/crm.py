import aiohttp

CRM = "https://crm.example.com/api/v1"


async def contacts(keyword):
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{CRM}/contacts", params={"keyword": keyword}) as resp:
            data = await resp.json()
    print(data["pagination"]["current_page"], data["pagination"]["last_page"])
    return [
        (c["passport_id"], c["score"], c["passport_profile"]["location"])
        for c in data["contacts"]
    ]


async def scans(contact):
    # scanned identity documents; two segments after "passports"
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{CRM}/passports/{contact}/scans") as resp:
            if resp.status != 200:
                return []
            return [s["source"] for s in (await resp.json())["scans"]]
