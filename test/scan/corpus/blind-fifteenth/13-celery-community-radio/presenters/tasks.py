import requests
from celery import group, shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from . import talent
from .models import Merit, Presenter


def _followers(socials):
    total = 0
    for s in socials:
        try:
            total += int(s["follower_count"])
        except (TypeError, ValueError):
            continue
    return total


@shared_task
def refresh_all():
    pks = Presenter.objects.values_list("pk", flat=True)
    group(refresh_presenter.s(pk) for pk in pks).delay()


@shared_task(rate_limit="2/s")
def refresh_presenter(pk):
    presenter = Presenter.objects.get(pk=pk)
    person = talent.get_person(presenter.wallet)
    profile = person.get("passport_profile") or {}

    presenter.passport_id = person.get("passport_id")
    presenter.score = person.get("score", 0)
    presenter.is_human = person.get("human_checkmark", False)
    presenter.on_air_name = profile.get("display_name") or presenter.on_air_name
    presenter.hometown = profile.get("location") or ""
    presenter.audience = _followers(person.get("passport_socials", []))
    if stamp := person.get("last_calculated_at"):
        presenter.source_stamp = parse_datetime(stamp)
    presenter.refreshed_at = timezone.now()
    presenter.save()

    if presenter.passport_id:
        refresh_merits.delay(presenter.pk, presenter.passport_id)
    if presenter.listenbrainz_user:
        refresh_listens.delay(presenter.pk)


@shared_task(autoretry_for=(requests.RequestException,), retry_backoff=True, max_retries=4)
def refresh_merits(pk, passport_id):
    merits = talent.get_merits(passport_id)
    with transaction.atomic():
        for m in merits:
            if not m["score"]:
                continue
            Merit.objects.update_or_create(
                presenter_id=pk,
                external_id=m["id"],
                defaults={"title": m["name"], "kind": m["type"], "points": m["score"]},
            )
    return len(merits)


@shared_task
def refresh_listens(pk):
    presenter = Presenter.objects.get(pk=pk)
    r = requests.get(f"{settings.LISTENBRAINZ_ROOT}/1/user/{presenter.listenbrainz_user}/listen-count", timeout=10)
    if r.ok:
        presenter.audience += r.json()["payload"]["count"] // 1000
        presenter.save(update_fields=["audience"])
