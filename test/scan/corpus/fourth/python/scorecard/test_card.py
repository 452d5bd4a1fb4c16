"""Tests of the card; /api/v1/passports is stubbed with `responses`."""
import responses

import main

BODY = {
    "passport": {
        "score": 12,
        "human_checkmark": True,
        "passport_profile": {"display_name": "Zoe"},
    }
}


@responses.activate
def test_get_api_v1_passports_5():
    responses.get("https://rep.example.org/api/v1/passports/5", json=BODY)
    responses.get("https://rep.example.org/api/v1/passport_credentials", json={"passport_credentials": []})
    assert main.card("5").splitlines() == ["Zoe: 12", "human"]
