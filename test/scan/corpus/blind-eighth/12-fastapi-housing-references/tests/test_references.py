from app.routers.references import evidence_of, is_stale
from app.schemas import CredentialIn, PassportIn


def make_passport(**over):
    raw = {
        "passport_id": 9,
        "score": 44,
        "human_checkmark": True,
        "main_wallet": None,
        "passport_profile": {"display_name": "Ilse", "location": "Gent"},
        "passport_socials": [{"source": "lens", "profile_url": None, "follower_count": "12"}],
    }
    return PassportIn.model_validate(raw | over)


def test_counts_are_numbers():
    assert make_passport().socials[0].followers == 12


def test_never_calculated_is_stale():
    assert is_stale(make_passport())


def test_share():
    cred = CredentialIn(id="1", type="active_wallet", category="Activity", name="Wallet", score=3, max_score=12)
    assert evidence_of(cred).share == 0.25
