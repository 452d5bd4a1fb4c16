from mentorpool.records import LinkRow, MentorRow

RAW = {
    "passport_id": 5,
    "score": 81,
    "skills_score": 33,
    "human_checkmark": True,
    "main_wallet": "0xAbC",
    "verified_wallets": ["0xAbC"],
    "last_calculated_at": "2024-10-01T12:35:50.602Z",
    "passport_profile": {"display_name": None, "location": "Porto", "tags": None},
}


def test_name_falls_back_to_wallet():
    row = MentorRow.from_api(RAW)
    assert row.name == "0xAbC"
    assert row.network_size == 0
    assert row.wallets == ("0xabc",)


def test_empty_count():
    assert LinkRow.from_api({"source": "lens", "profile_url": None, "follower_count": ""}).followers == 0
