import logging
from datetime import timedelta

import requests
from celery import shared_task
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from .models import EarnedBadge, TrustRecord
from .talent import TalentClient

logger = logging.getLogger(__name__)


def level_for(score, human):
    if not human:
        return TrustRecord.Level.BASIC if score > 20 else TrustRecord.Level.NEW
    if score >= 100:
        return TrustRecord.Level.LEADER
    return TrustRecord.Level.MEMBER if score >= 40 else TrustRecord.Level.BASIC


def github_handle(passport):
    for social in passport.get("passport_socials") or []:
        if social["source"] == "github":
            return social.get("profile_name") or ""
    return ""


def apply_passport(record, passport):
    record.passport_id = passport["passport_id"]
    record.score = passport.get("score") or 0
    record.human = passport.get("human_checkmark", False)
    record.github = github_handle(passport)
    if passport.get("last_calculated_at"):
        record.calculated_at = parse_datetime(passport["last_calculated_at"])
    record.level = level_for(record.score, record.human)
    record.save()


@shared_task(bind=True, max_retries=3)
def refresh_record(self, record_id):
    record = TrustRecord.objects.get(pk=record_id)
    client = TalentClient()
    try:
        passport = client.get_passport(record.wallet)
    except requests.HTTPError as exc:
        if exc.response.status_code == 404:
            logger.info("wallet %s is unknown", record.wallet)
            return
        raise self.retry(exc=exc, countdown=120)
    if passport.get("merged"):
        logger.info("record %s points to a merged passport", record_id)
    apply_passport(record, passport)
    refresh_badges.delay(record_id)


@shared_task
def refresh_badges(record_id):
    record = TrustRecord.objects.get(pk=record_id)
    try:
        credentials = TalentClient().get_credentials(record.passport_id)
    except requests.RequestException:
        credentials = []
    for cred in credentials:
        if not cred["earned_at"]:
            continue
        EarnedBadge.objects.update_or_create(
            record=record,
            slug=cred["type"],
            defaults={"label": cred["name"], "points": cred["score"]},
        )
    logger.info("%s has %d badges", record.user, record.badges.count())


@shared_task
def refresh_stale():
    limit = timezone.now() - timedelta(days=2)
    for pk in TrustRecord.objects.filter(updated_at__lt=limit).values_list("pk", flat=True)[:200]:
        refresh_record.delay(pk)
