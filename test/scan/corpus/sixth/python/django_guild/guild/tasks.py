from celery import shared_task
from django.conf import settings
from django.core.mail import send_mail
import requests

from .models import Member


@shared_task(bind=True, max_retries=3)
def announce_leaders(self, keyword):
    try:
        resp = requests.get(  # call: passport-list
            "{}/api/v1/passports".format(settings.PASSPORT_API),
            params={"keyword": keyword},
            headers={"X-API-KEY": settings.PASSPORT_KEY},
        )
        resp.raise_for_status()
    except requests.RequestException as exc:
        raise self.retry(exc=exc)

    passports = resp.json()["passports"]
    leaders = sorted(passports, key=lambda p: p["activity_score"], reverse=True)[:3]  # read: passports[].activity_score
    lines = [
        "{}: {}".format(p["passport_profile"]["display_name"], p["activity_score"]) for p in leaders  # read: passports[].passport_profile.display_name, passports[].activity_score
    ]
    known = Member.objects.filter(passport_id__in=[p["passport_id"] for p in leaders])  # read: passports[].passport_id
    for member in known:
        send_mail("You lead", "\n".join(lines), "guild@example.com", [f"{member.display_name}@example.com"])
    return {"score": sum(m.score or 0 for m in known)}
