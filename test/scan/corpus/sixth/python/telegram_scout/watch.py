import asyncio
import json
from pathlib import Path

import aiohttp

from scout import API

STATE = Path("watch.json")


class Watcher:
    def __init__(self, session: aiohttp.ClientSession, notify):
        self.session = session
        self.notify = notify
        self.state = json.loads(STATE.read_text()) if STATE.exists() else {}

    async def passport(self, wallet):
        resp = await self.session.get(f"{API}/api/v1/passports/{wallet}")  # call: passport
        if resp.status != 200:  # hazard: status-default
            return None
        data = await resp.json()
        return data["passport"]

    async def tick(self, wallet):
        passport = await self.passport(wallet)
        if not passport:
            return
        before = self.state.get(wallet, {}).get("score", 0)
        now = passport["score"]  # read: passport.score
        reach = sum(float(s["follower_count"]) for s in passport["passport_socials"])  # read: passport.passport_socials, passport.passport_socials[].follower_count
        if now != before and not passport["calculating_score"]:  # read: passport.calculating_score
            await self.notify(f"{wallet}: {before} -> {now}, reach {reach:.0f}")
        self.state[wallet] = {"score": now, "main_wallet": passport.get("main_wallet")}  # read: passport.main_wallet
        STATE.write_text(json.dumps(self.state))

    async def run(self, wallets, pause=900):
        while True:
            await asyncio.gather(*(self.tick(w) for w in wallets))
            await asyncio.sleep(pause)
