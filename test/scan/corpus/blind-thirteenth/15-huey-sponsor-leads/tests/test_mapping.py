import responses

from leads import mapping, talent

RECORD = {
    "passport_id": 77,
    "score": 81,
    "main_wallet": "0xABC",
    "passport_profile": {"location": "Porto", "bio": None},
    "passport_socials": [{"source": "github", "profile_name": "ines"}],
}


def test_properties():
    props = mapping.to_properties(RECORD)
    assert props["talent_score"] == 81
    assert props["wallet"] == "0xabc"
    assert props["about"] == ""
    assert props["github_username"] == "ines"


@responses.activate
def test_get_passport():
    responses.get("https://api.talentprotocol.com/api/v1/passports/0xABC", json={"passport": RECORD})
    passport = talent.get_passport("0xABC")
    assert passport["score"] == 81
    assert passport["passport_profile"]["location"] == "Porto"


@responses.activate
def test_unknown_wallet():
    responses.get("https://api.talentprotocol.com/api/v1/passports/0x0", json={"error": "Resource not found."}, status=404)
    assert talent.get_passport("0x0") is None
