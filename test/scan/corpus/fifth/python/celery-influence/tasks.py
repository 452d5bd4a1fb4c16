import os

import requests
from celery import Celery
from sqlalchemy import create_engine, text

celery = Celery("influence", broker=os.environ["BROKER"])
engine = create_engine(os.environ["DATABASE"])

PASSPORT_URL = os.environ["REP_BASE"] + "/api/v1/passports/{}"


@celery.task(bind=True, max_retries=3)
def refresh(self, wallet):
    try:
        res = requests.get(PASSPORT_URL.format(wallet), headers={"X-API-KEY": os.environ["REP_KEY"]})  # call: passport
        res.raise_for_status()
    except requests.RequestException as exc:
        raise self.retry(exc=exc, countdown=30)

    passport = res.json()["passport"]
    reach = 0
    for social in passport["passport_socials"]:  # read: passport.passport_socials
        if social["source"] == "talent_protocol":  # read: passport.passport_socials[].source
            continue
        reach += int(social.get("follower_count") or 0)  # read: passport.passport_socials[].follower_count; hazard: fallback-default
        reach -= float(social["following_count"]) * 0.1  # read: passport.passport_socials[].following_count

    with engine.begin() as db:
        db.execute(
            text("update wallets set reach = :reach, links = :links where address = :w"),
            {"reach": reach, "links": passport["connections_count"], "w": wallet},  # read: passport.connections_count
        )


@celery.task
def enqueue_all():
    with engine.connect() as db:
        for row in db.execute(text("select address, score, follower_count from wallets")):
            if (row.score or 0) > 10 or int(row.follower_count) > 100:
                refresh.delay(row.address)


@celery.task
def notify(wallet):
    try:
        requests.post(os.environ["HOOK"], json={"wallet": wallet, "source": "influence"})
    except Exception:
        pass


celery.conf.beat_schedule = {"all": {"task": "tasks.enqueue_all", "schedule": 6 * 3600}}
