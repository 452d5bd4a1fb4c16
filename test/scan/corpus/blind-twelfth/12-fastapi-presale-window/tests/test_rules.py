from datetime import datetime, timezone

import httpx
import pytest

from app.clients import TalentClient
from app.rules import build_window, tier_for
from app.settings import Settings

SETTINGS = Settings(opens_at=datetime(2025, 6, 1, tzinfo=timezone.utc))
BODY = {
    "passport": {
        "passport_id": 7,
        "score": 42,
        "human_checkmark": True,
        "passport_profile": {"display_name": "ines.eth"},
        "passport_socials": [{"source": "farcaster", "profile_name": "ines", "follower_count": "120"}],
    }
}


@pytest.mark.anyio
async def test_early_tier():
    transport = httpx.MockTransport(lambda req: httpx.Response(200, json=BODY))
    client = TalentClient(httpx.AsyncClient(transport=transport, base_url="http://talent.test"))
    passport = await client.passport("0xabc")
    assert passport.socials[0].followers == 120
    tier = tier_for(passport, [], SETTINGS, holder=False)
    assert tier == "early"
    window = build_window("0xabc", passport, tier, SETTINGS)
    assert window.score == 42
    assert window.name == "ines.eth"
