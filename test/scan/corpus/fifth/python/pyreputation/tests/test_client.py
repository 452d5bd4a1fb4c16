import pytest
import responses

from pyreputation.client import Client, ReputationError

PASSPORT = {
    "passport_id": 9,
    "score": None,
    "passport_profile": {"display_name": "Ada"},
    "verified_wallets": ["0xab"],
}


@responses.activate
def test_person_without_score():
    responses.get("http://rep.test/api/v1/passports/9", json={"passport": PASSPORT})
    person = Client("http://rep.test").person(9)
    assert person.score == 0
    assert PASSPORT["passport_profile"]["display_name"] == person.name


@responses.activate
def test_refused_key():
    responses.get("http://rep.test/api/v1/passport_credentials", status=401)
    with pytest.raises(ReputationError):
        Client("http://rep.test", "bad").credential_types(9)
