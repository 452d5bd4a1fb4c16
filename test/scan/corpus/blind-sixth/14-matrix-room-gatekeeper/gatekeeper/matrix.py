"""Just enough of the Matrix client-server API."""
import uuid

import aiohttp


class Matrix:
    def __init__(self, session: aiohttp.ClientSession, homeserver: str, token: str):
        self._s = session
        self._base = homeserver.rstrip("/") + "/_matrix/client/v3"
        self._auth = {"Authorization": f"Bearer {token}"}
        self._since: str | None = None

    async def sync(self) -> dict:
        params = {"timeout": "30000"}
        if self._since:
            params["since"] = self._since
        async with self._s.get(f"{self._base}/sync", params=params, headers=self._auth) as r:
            r.raise_for_status()
            data = await r.json()
        self._since = data["next_batch"]
        return data

    async def display_name(self, user: str) -> str:
        async with self._s.get(f"{self._base}/profile/{user}/displayname", headers=self._auth) as r:
            if r.status != 200:
                return user
            return (await r.json()).get("displayname") or user

    async def say(self, room: str, text: str) -> None:
        url = f"{self._base}/rooms/{room}/send/m.room.message/{uuid.uuid4()}"
        async with self._s.put(url, json={"msgtype": "m.text", "body": text}, headers=self._auth) as r:
            r.raise_for_status()

    async def invite(self, room: str, user: str) -> None:
        async with self._s.post(f"{self._base}/rooms/{room}/invite", json={"user_id": user}, headers=self._auth) as r:
            r.raise_for_status()
