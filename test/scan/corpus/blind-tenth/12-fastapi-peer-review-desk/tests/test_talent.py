import httpx
import pytest
import respx

from app.talent import TalentClient

BASE = "https://talent.test/api/v1/"


@pytest.fixture
async def client():
    async with httpx.AsyncClient(base_url=BASE) as http:
        yield TalentClient(http)


@respx.mock
async def test_passport_is_flattened(client):
    respx.get(f"{BASE}passports/7").respond(
        json={
            "passport": {
                "passport_id": 7,
                "main_wallet": None,
                "score": 88,
                "passport_profile": {"display_name": "Ines", "tags": ["topology"]},
            }
        }
    )
    person = await client.passport("7")
    assert person.name == "Ines"
    assert person.tags == ["topology"]


@respx.mock
async def test_missing(client):
    respx.get(f"{BASE}passports/8").respond(404)
    assert await client.passport("8") is None
