import httpx
import pytest
import respx

from circle.upstream import TalentGateway, UpstreamDown

PASSPORT = {
    "passport_id": 77,
    "score": 58,
    "identity_score": 20,
    "human_checkmark": True,
    "last_calculated_at": "2024-10-01T12:35:50.602Z",
    "passport_profile": {"display_name": "Ines", "location": "Porto"},
    "passport_socials": [{"source": "lens", "profile_name": "ines.lens", "follower_count": "12"}],
}


@pytest.mark.asyncio
@respx.mock(base_url="https://talent.test/api/v1")
async def test_member(respx_mock):
    respx_mock.get("/passports/0xabc").respond(json={"passport": PASSPORT})
    async with httpx.AsyncClient(base_url="https://talent.test/api/v1") as http:
        member = await TalentGateway(http).member("0xABC")
    assert member.id == 77
    assert member.profile.town == "Porto"
    assert member.socials[0].followers == 12


@pytest.mark.asyncio
@respx.mock(base_url="https://talent.test/api/v1")
async def test_member_down(respx_mock):
    respx_mock.get("/passports/0xabc").respond(503)
    async with httpx.AsyncClient(base_url="https://talent.test/api/v1") as http:
        with pytest.raises(UpstreamDown):
            await TalentGateway(http).member("0xABC")
