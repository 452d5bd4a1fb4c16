from collections.abc import AsyncIterator
from typing import Annotated, TypeVar

import httpx
from cachetools import TTLCache
from fastapi import Depends, HTTPException, Request
from pydantic import BaseModel, ValidationError

from .settings import Settings
from .upstream import Credential, CredentialEnvelope, FullPassport, Passport, PassportEnvelope, PassportPage

M = TypeVar("M", bound=BaseModel)

V1 = "/api/v1"


class UpstreamError(Exception):
    def __init__(self, status: int | None, detail: str):
        super().__init__(detail)
        self.status = status


class PassportClient:
    def __init__(self, http: httpx.AsyncClient):
        self._http = http
        self._cache: TTLCache = TTLCache(maxsize=2048, ttl=600)

    @classmethod
    def from_settings(cls, s: Settings) -> "PassportClient":
        headers = {"X-API-KEY": s.talent_api_key.get_secret_value()} if s.talent_api_key else {}
        return cls(httpx.AsyncClient(base_url=str(s.talent_host), headers=headers, timeout=10))

    async def _fetch(self, model: type[M], path: str, params: dict | None = None) -> M:
        try:
            res = await self._http.get(path, params=params)
            res.raise_for_status()
            return model.model_validate_json(res.content)
        except httpx.HTTPStatusError as exc:
            raise UpstreamError(exc.response.status_code, "passport service refused") from exc
        except httpx.TransportError as exc:
            raise UpstreamError(None, "passport service unreachable") from exc
        except ValidationError as exc:
            raise UpstreamError(200, f"unexpected answer: {exc.error_count()} errors") from exc

    async def passport(self, ident: str) -> FullPassport:
        if ident in self._cache:
            return self._cache[ident]
        envelope = await self._fetch(PassportEnvelope, f"{V1}/passports/{ident}")
        self._cache[ident] = envelope.passport
        return envelope.passport

    async def passport_or_none(self, ident: str) -> FullPassport | None:
        try:
            return await self.passport(ident)
        except UpstreamError:
            return None

    async def credentials(self, passport_id: int) -> list[Credential]:
        envelope = await self._fetch(
            CredentialEnvelope,
            f"{V1}/passport_credentials",
            {"passport_id": passport_id},
        )
        return envelope.passport_credentials

    async def by_name(self, keyword: str, max_pages: int = 4) -> AsyncIterator[Passport]:
        page = 1
        while True:
            batch = await self._fetch(PassportPage, f"{V1}/passports", {"keyword": keyword, "page": page})
            for passport in batch.passports:
                yield passport
            if page >= min(batch.last_page, max_pages):
                return
            page += 1


def get_client(request: Request) -> PassportClient:
    return request.app.state.passports


Client = Annotated[PassportClient, Depends(get_client)]


def as_http_error(exc: UpstreamError) -> HTTPException:
    return HTTPException(404 if exc.status == 404 else 502, str(exc))
