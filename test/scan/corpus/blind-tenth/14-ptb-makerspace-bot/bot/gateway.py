from __future__ import annotations

import os
from typing import Any

import httpx

TALENT_HOST = os.getenv("TALENT_HOST", "api.talentprotocol.com")
LOCK_URL = os.getenv("LOCK_URL", "http://homeassistant.local:8123/api")


class TalentError(RuntimeError):
    pass


class TalentGateway:
    def __init__(self, key: str) -> None:
        self._client = httpx.AsyncClient(headers={"X-API-KEY": key}, timeout=httpx.Timeout(10, connect=3))

    async def _fetch(self, path: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        try:
            res = await self._client.get(f"https://{TALENT_HOST}/api/v1/{path}", params=params)
        except httpx.TransportError as err:
            raise TalentError("cannot reach Talent") from err
        if res.is_error:
            raise TalentError(f"Talent answered {res.status_code}")
        return res.json()

    async def member(self, wallet: str) -> dict[str, Any]:
        data = await self._fetch(f"passports/{wallet}")
        return data.get("passport") or {}

    async def badges(self, passport_id: int) -> list[dict[str, Any]]:
        data = await self._fetch("passport_credentials", {"passport_id": str(passport_id)})
        return data["passport_credentials"]

    async def aclose(self) -> None:
        await self._client.aclose()


class DoorLock:
    def __init__(self, token: str) -> None:
        self._client = httpx.AsyncClient(base_url=LOCK_URL, headers={"Authorization": f"Bearer {token}"})

    async def state(self, door: str) -> str:
        res = await self._client.get(f"/states/lock.{door}")
        res.raise_for_status()
        return res.json()["state"]

    async def open(self, door: str) -> None:
        res = await self._client.post("/services/lock/unlock", json={"entity_id": f"lock.{door}"})
        res.raise_for_status()
