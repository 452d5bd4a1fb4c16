import pytest
from pydantic import ValidationError

from app.models import PassportEnvelope

BODY = {
    "passport": {
        "passport_id": 3,
        "score": 40,
        "human_checkmark": True,
        "verified_wallets": ["0xaa"],
        "passport_profile": {"display_name": "Lin", "location": None},
    }
}


def test_aliases():
    passport = PassportEnvelope.model_validate(BODY).passport
    assert passport.id == 3
    assert passport.profile.name == "Lin"
    assert passport.calculated_at is None


def test_score_is_required():
    broken = {"passport": {k: v for k, v in BODY["passport"].items() if k != "score"}}
    with pytest.raises(ValidationError):
        PassportEnvelope.model_validate(broken)
