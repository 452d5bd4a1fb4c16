import httpx
import pytest

from app.clients import TalentClient
from app.readers import build_reader
from app.settings import Settings

PAYLOAD = {
    "passport": {
        "passport_id": 11,
        "score": 80,
        "human_checkmark": True,
        "passport_profile": {"display_name": "Ines", "tags": ["poetry"]},
        "passport_socials": [{"source": "lens", "profile_name": "ines.lens"}],
    }
}


@pytest.mark.anyio
async def test_passport_is_parsed():
    transport = httpx.MockTransport(lambda req: httpx.Response(200, json=PAYLOAD))
    client = TalentClient(Settings(), transport=transport)
    passport = await client.passport("0xabc")
    assert passport.id == 11
    assert passport.socials[0].profile_name == "ines.lens"
    out = build_reader(passport, [], Settings())
    assert out.loan_limit == 8
    assert out.score == 80
