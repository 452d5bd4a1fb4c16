from app.scoring import review
from app.settings import Settings
from app.upstream import FullPassport

RAW = {
    "passport_id": 11,
    "score": 40,
    "skills_score": 10,
    "activity_score": 20,
    "last_calculated_at": None,
    "verified_wallets": ["0x1"],
    "passport_profile": {"display_name": ""},
}


def test_label_falls_back_to_wallet():
    applicant = review(FullPassport.model_validate(RAW), [], Settings())
    assert applicant.label == "0x1"
    assert applicant.stale
