"""A small SDK."""
import asyncio
from dataclasses import dataclass, field
from urllib.parse import urlencode

import aiohttp


@dataclass
class Config:
    host: str = "https://api.example.com"
    prefix: str = "/api/v1"


class Base:
    def __init__(self, config: Config):
        self.config = config

    def url(self, *parts):
        return self.config.host + self.config.prefix + "/" + "/".join(str(p) for p in parts)


class Passports:
    ROOT = "https://api.example.com/api/v1/passports"

    @classmethod
    async def get(cls, session, passport_id):
        async with session.get(f"{cls.ROOT}/{passport_id}") as response:  # call: passport
            return (await response.json())["passport"]

    @staticmethod
    async def search(session, keyword):
        query = urlencode({"keyword": keyword})
        async with session.get(f"{Passports.ROOT}?{query}") as response:  # call: passport-list
            body = await response.json()
            return body["passports"]


async def main():
    async with aiohttp.ClientSession() as session:
        hits = await Passports.search(session, "ada")
        first = hits[0]
        full = await Passports.get(session, first["passport_id"])  # read: passports[].passport_id
        print(full["merged"], full.get("connections_count") or 0)  # read: passport.merged, passport.connections_count; hazard: fallback-default


asyncio.run(main())
