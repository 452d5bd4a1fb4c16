from fastapi.testclient import TestClient

from service.client import DocVerify
from service.main import app


class Fake(DocVerify):
    def __init__(self):
        pass

    def passport(self, passport_id):
        return {"expires_on": "2031-01-01", "issuing_country": "PRT"}

    def liveness_score(self, passport_id):
        return 0.93


def test_accepts():
    app.dependency_overrides[DocVerify] = Fake
    body = TestClient(app).get("/api/v1/passports/abc").json()
    assert body["accepted"] is True
    assert body["score"] == 0.93
