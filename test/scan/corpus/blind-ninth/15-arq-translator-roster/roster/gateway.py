from __future__ import annotations

from typing import Any

import httpx
import structlog

from .settings import Settings
from .types import CredentialDoc, PassportDoc

log = structlog.get_logger()


class Gateway:
    """Everything leaves the cluster through the gateway, which adds the vendor keys."""

    def __init__(self, settings: Settings) -> None:
        self._s = settings
        self._http = httpx.AsyncClient(headers={"Authorization": f"Bearer {settings.gateway_token}"}, timeout=15)

    async def _reputation(self, path: str, query: dict[str, Any] | None = None) -> Any:
        r = await self._http.get(self._s.reputation + path, params=query)
        return r.json()

    async def page(self, number: int, keyword: str) -> tuple[list[PassportDoc], bool]:
        body = await self._reputation("/passports", {"page": number, "keyword": keyword})
        pager = body["pagination"]
        return body["passports"], pager["current_page"] < pager["last_page"]

    async def passport(self, ident: int | str) -> PassportDoc | None:
        body = await self._reputation(f"/passports/{ident}")
        return body.get("passport")

    async def credentials(self, ident: int) -> list[CredentialDoc]:
        try:
            body = await self._reputation("/passport_credentials", {"passport_id": ident})
            return body["passport_credentials"]
        except (httpx.HTTPError, KeyError, ValueError):
            log.warning("credentials_unavailable", ident=ident)
            return []

    async def detect_language(self, text: str) -> str:
        r = await self._http.post(
            f"{self._s.deepl_url}/translate",
            data={"text": text, "target_lang": "EN", "auth_key": self._s.deepl_key},
        )
        r.raise_for_status()
        return r.json()["translations"][0]["detected_source_language"]

    async def aclose(self) -> None:
        await self._http.aclose()
