"""The only module that talks to the passport service."""
import logging

import httpx

log = logging.getLogger(__name__)


class Reputation:
    def __init__(self, base_url: str, key: str, transport: httpx.AsyncBaseTransport | None = None):
        headers = {"Accept": "application/json"}
        if key:
            headers["X-API-KEY"] = key
        self._http = httpx.AsyncClient(base_url=base_url, headers=headers, timeout=8, transport=transport)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def _json(self, path: str, **params):
        response = await self._http.get(path, params={k: v for k, v in params.items() if v is not None})
        response.raise_for_status()
        return response.json()

    async def search(self, name: str, page: int = 1) -> tuple[list[dict], dict]:
        body = await self._json("/passports", keyword=name, page=page)
        return body["passports"], body["pagination"]

    async def lookup(self, wallet_or_id: str) -> dict | None:
        try:
            body = await self._json(f"/passports/{wallet_or_id}")
        except httpx.HTTPError as exc:
            log.warning("lookup of %s failed: %s", wallet_or_id, exc)
            return None
        return body["passport"]

    async def credentials(self, passport_id: int) -> list[dict]:
        try:
            return (await self._json("/passport_credentials", passport_id=passport_id))["passport_credentials"]
        except (httpx.HTTPError, KeyError):
            return []
