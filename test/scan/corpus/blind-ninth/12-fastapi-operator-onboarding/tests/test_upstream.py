import httpx
import pytest
import respx

from app.upstream import Talent

BASE = "https://talent.test/api/v1/"


@pytest.mark.anyio
@respx.mock(base_url=BASE)
async def test_passport_is_parsed(respx_mock):
    respx_mock.get("passports/0xabc").respond(
        json={
            "passport": {
                "passport_id": 7,
                "score": 81,
                "human_checkmark": True,
                "passport_profile": {"display_name": "Ines"},
                "passport_socials": [{"source": "github", "profile_url": "https://github.com/ines", "follower_count": "12"}],
            }
        }
    )
    async with httpx.AsyncClient(base_url=BASE) as http:
        passport = await Talent(http).passport("0xabc") 
    assert passport.score == 81
    assert passport.socials[0].followers == 12


@pytest.mark.anyio
@respx.mock(base_url=BASE)
async def test_unknown_wallet(respx_mock):
    respx_mock.get("passports/0xdef").respond(404, json={"error": "Resource not found."})
    async with httpx.AsyncClient(base_url=BASE) as http:
        assert await Talent(http).passport("0xdef") is None
