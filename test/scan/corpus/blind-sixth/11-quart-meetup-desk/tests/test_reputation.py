import httpx
import pytest

from desk.reputation import Reputation

PASSPORT = {"passport_id": 7, "score": 81, "human_checkmark": True, "verified_wallets": [], "passport_profile": {}}


def transport(status, body):
    return httpx.MockTransport(lambda request: httpx.Response(status, json=body))


@pytest.mark.asyncio
async def test_lookup():
    rep = Reputation("https://rep.test/api/v1", "k", transport(200, {"passport": PASSPORT}))
    passport = await rep.lookup("0xabc")
    assert passport["score"] == 81


@pytest.mark.asyncio
async def test_lookup_unauthorized():
    rep = Reputation("https://rep.test/api/v1", "k", transport(401, {"error": "no"}))
    assert await rep.lookup("0xabc") is None
