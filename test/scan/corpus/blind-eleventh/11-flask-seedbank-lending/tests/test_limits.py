import pytest

from seedbank import create_app
from seedbank.limits import packets_for


@pytest.fixture
def app():
    return create_app({"TESTING": True, "CACHE_TYPE": "NullCache"})


@pytest.mark.parametrize("score,expected", [(0, 3), (45, 5), (900, 12)])
def test_packets(app, score, expected):
    with app.app_context():
        assert packets_for({"score": score, "calculating_score": False}, []) == expected


def test_unknown_borrower_gets_nothing(app):
    with app.app_context():
        assert packets_for(None, []) == 0
