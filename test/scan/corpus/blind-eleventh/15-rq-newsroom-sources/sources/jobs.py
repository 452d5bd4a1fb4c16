import logging

import requests
import sentry_sdk
from rq import Retry, get_current_job
from rq.decorators import job

from . import api
from .assess import build_row
from .store import connection, mark_gone, redis, upsert

log = logging.getLogger(__name__)


@job("assess", connection=redis, timeout=120, retry=Retry(max=3, interval=[60, 300, 900]))
def assess_source(source_id: int, wallet: str) -> str:
    try:
        passport = api.get_passport(wallet)
    except api.Gone:
        with connection() as db:
            mark_gone(db, source_id)
        return "gone"

    try:
        credentials = api.get_credentials(passport["passport_id"])
    except requests.RequestException as exc:
        sentry_sdk.capture_exception(exc)
        credentials = []

    row = build_row(source_id, passport, credentials)
    with connection() as db:
        upsert(db, row)
        for other in passport["verified_wallets"]:
            if other != passport["main_wallet"]:
                db.execute("insert into aliases values (%s, %s) on conflict do nothing", (source_id, other))
    current = get_current_job()
    if current:
        current.meta["calculated"] = passport["last_calculated_at"]
        current.save_meta()
    log.info("%s: %s (%s)", row["name"], row["trust"], row["score"])
    return row["trust"]


@job("names", connection=redis)
def ambiguous(name: str) -> bool:
    return api.count_named(name) > 1
