import logging
from datetime import datetime, timezone

from sqlalchemy import select

from .celery_app import app
from .db import session_scope
from .models import Badge, Member
from .talent import PassportNotFound, TalentError, fetch_badges, fetch_snapshot

log = logging.getLogger(__name__)


@app.task
def refresh_all() -> int:
    with session_scope() as session:
        ids = session.scalars(select(Member.id)).all()
    for member_id in ids:
        refresh_member.delay(member_id)
    return len(ids)


@app.task(autoretry_for=(TalentError,), retry_backoff=True, max_retries=4, rate_limit="2/s")
def refresh_member(member_id: int) -> None:
    with session_scope() as session:
        member = session.get(Member, member_id)
        try:
            snapshot = fetch_snapshot(member.main_wallet)
        except PassportNotFound:
            member.score = 0
            return
        member.score = snapshot.score
        member.display_name = snapshot.name
        member.human = snapshot.human
        member.refreshed_at = datetime.now(timezone.utc)
        member.badges = [Badge(type=t, value=v) for t, v in fetch_badges(snapshot.passport_id)]
        log.info("member %s: %s", member.display_name, member.score)
