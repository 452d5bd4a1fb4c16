from fastapi.testclient import TestClient

from app.main import app
from app.models import Passport

RAW = {
    "passport_id": 12,
    "score": 88,
    "human_checkmark": True,
    "passport_profile": {"display_name": "Ana"},
    "passport_socials": [{"source": "lens", "follower_count": "12"}],
}


class FakeGateway:
    async def passport(self, wallet):
        return Passport.model_validate(RAW)

    async def credentials(self, passport_id):
        return []


def test_reputation():
    app.state.gateway = FakeGateway()
    client = TestClient(app)
    body = client.get("/reputation/0xabc").json()
    assert body["name"] == "Ana"
    assert body["networks"] == ["lens"]
    assert body["trust"] == 0.44
