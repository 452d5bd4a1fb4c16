import pytest

from guestbook import create_app
from guestbook.reputation import ReputationDown

PERSON = {
    "passport_id": 77,
    "score": 51,
    "human_checkmark": True,
    "passport_profile": {"display_name": "Noor", "bio": None, "tags": ["audio"]},
}


@pytest.fixture
def app(monkeypatch):
    app = create_app({"TESTING": True, "MIN_GUEST_SCORE": 50})
    monkeypatch.setattr(app.extensions["reputation"], "person", lambda ident: PERSON)
    return app


def test_card(app):
    card = app.test_client().get("/api/guests/77/card").get_json()
    assert card["name"] == "Noor"
    assert card["intro"] == ""
    assert card["score"] == 51


def test_not_eligible_when_down(app, monkeypatch):
    def down(ident):
        raise ReputationDown("503")

    monkeypatch.setattr(app.extensions["reputation"], "person", down)
    assert app.test_client().get("/api/guests/77/eligible").get_json()["eligible"] is False
