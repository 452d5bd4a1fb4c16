import httpx
import respx
from fastapi.testclient import TestClient

from app.main import app

PASSPORT = {
    "passport_id": 5,
    "score": 51,
    "human_checkmark": True,
    "verified_wallets": ["0xb", "0xa"],
    "last_calculated_at": "2024-10-01T12:35:50.602Z",
    "passport_profile": {"display_name": "Grace"},
}


@respx.mock
def test_reputation_without_credentials():
    base = "https://api.talentprotocol.com/api/v1"
    respx.get(f"{base}/passports/0xa").mock(return_value=httpx.Response(200, json={"passport": PASSPORT}))
    respx.get(f"{base}/passport_credentials").mock(return_value=httpx.Response(401))
    body = TestClient(app).get("/reputation/0xa").json()
    assert body["score"] == 51
    assert body["passport_id"] == 5
    assert body["credentials"] == {}
