import pytest
from django.contrib.auth import get_user_model

from skills.models import SkillsPassport

pytestmark = pytest.mark.django_db


def test_detail(client):
    user = get_user_model().objects.create_user("mia")
    SkillsPassport.objects.create(user=user, passport_id="SP-1", score=70, display_name="Mia")
    response = client.get("/api/v1/passports/SP-1")
    assert response.status_code == 200
    assert response.json()["passport"]["score"] == 70


def test_search(client):
    user = get_user_model().objects.create_user("noa")
    SkillsPassport.objects.create(user=user, passport_id="SP-2", display_name="Noa")
    body = client.get("/api/v1/passports", {"keyword": "no"}).json()
    assert body["passports"][0]["passport_profile"]["display_name"] == "Noa"
