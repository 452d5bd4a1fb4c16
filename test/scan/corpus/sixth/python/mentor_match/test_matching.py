from unittest.mock import MagicMock

from .matching import enrich, find_mentors, Mentor


def test_find_mentors_filters_by_tag():
    client = MagicMock()
    client.iter_passports.return_value = [
        {"passport_id": 1, "skills_score": 3, "passport_profile": {"tags": ["rust"], "display_name": "A"}},
        {"passport_id": 2, "skills_score": 9, "passport_profile": {"tags": [], "display_name": "B"}},
    ]
    assert [m.passport_id for m in find_mentors(client, "rust")] == [1]


def test_enrich_counts_followers():
    client = MagicMock()
    client.passport.return_value = {"passport_socials": [{"follower_count": "12"}]}
    assert enrich(client, Mentor(1, "A", 1.0)).reach == 12
