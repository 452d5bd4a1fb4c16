import httpx
import pytest

from clinic.config import Settings
from clinic.gateway import ReputationGateway, UnknownVolunteer

BODY = {
    "passport": {
        "passport_id": 77,
        "score": 61,
        "human_checkmark": True,
        "last_calculated_at": None,
        "passport_profile": {"display_name": "Ines", "tags": ["tenancy"]},
    }
}


def gateway(status: int, body: dict) -> ReputationGateway:
    transport = httpx.MockTransport(lambda request: httpx.Response(status, json=body))
    return ReputationGateway(Settings(), transport=transport)


@pytest.mark.anyio
async def test_decodes():
    p = await gateway(200, BODY).passport("77")
    assert p.human and p.profile.name == "Ines"
    assert p.accounts == []


@pytest.mark.anyio
async def test_unknown():
    with pytest.raises(UnknownVolunteer):
        await gateway(404, {"error": "Resource not found."}).passport("1")
