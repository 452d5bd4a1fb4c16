import httpx
from celery import Celery
from celery.schedules import crontab
from celery.utils.log import get_task_logger

from .models import Builder, Session, Snapshot
from .talent_api import fetch_credentials, fetch_passport, iter_passports

celery = Celery("snapshots", broker="redis://localhost:6379/0")
celery.conf.beat_schedule = {
    "nightly": {"task": "app.tasks.snapshot_all", "schedule": crontab(hour=3, minute=0)},
}
logger = get_task_logger(__name__)


@celery.task
def snapshot_all():
    for passport in iter_passports():
        if passport.calculating:
            continue
        snapshot.delay(passport.wallet or str(passport.id))


@celery.task(bind=True, max_retries=5)
def snapshot(self, ref: str):
    try:
        passport = fetch_passport(ref)
    except httpx.HTTPError as exc:
        raise self.retry(exc=exc, countdown=60 * 2**self.request.retries)

    try:
        credentials = fetch_credentials(passport.id)
        skill_points = sum(c.score for c in credentials if c.category == "Skills" and c.max_score)
    except httpx.HTTPError:
        logger.exception("no credentials for %s", ref)
        skill_points = None

    with Session.begin() as db:
        builder = db.get(Builder, passport.id) or Builder(passport_id=passport.id)
        builder.main_wallet = passport.wallet
        if passport.profile:
            builder.display_name = passport.profile.name
            builder.tags = passport.profile.tags
        builder.snapshots.append(
            Snapshot(score=passport.score, activity_score=passport.activity, skill_points=skill_points)
        )
        db.add(builder)
    logger.info("%s: %s (calculated %s)", ref, passport.score, passport.calculated_at)
