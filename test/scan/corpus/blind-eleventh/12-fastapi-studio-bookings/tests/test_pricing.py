from app.pricing import quote
from app.settings import Settings
from app.upstream import Artist


def make_artist(**kw):
    base = {"passport_id": 7, "score": 31, "passport_profile": {"display_name": "Ines"}}
    return Artist.model_validate({**base, **kw})


def test_human_gets_discount():
    priced = quote(make_artist(human_checkmark=True), [], Settings())
    assert priced.deposit_cents == 10000
    assert priced.score == 31


def test_followers_may_be_text():
    artist = make_artist(passport_socials=[{"source": "lens", "follower_count": "6100"}])
    assert artist.reach == 6100
