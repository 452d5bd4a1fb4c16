from unittest import mock

import check


def fake(passport):
    reply = mock.Mock()
    reply.json.return_value = {"passport": passport}
    return reply


def test_api_v1_passports_low_score_is_not_eligible():
    person = {"score": 1, "verified_wallets": ["0xA"], "merged": False}
    with mock.patch("check.requests.get", return_value=fake(person)):
        assert check.eligible("0xa") is False


def test_threshold():
    assert {"score": 50}["score"] >= 50
