import logging

import dramatiq
import requests
from dramatiq.brokers.redis import RedisBroker
from dramatiq.rate_limits import ConcurrentRateLimiter
from dramatiq.rate_limits.backends import RedisBackend

from .http import directory, latest_badge, listmonk, passport
from .settings import LIST_ID, VIP_SCORE
from .types import PassportJSON, Subscriber

dramatiq.set_broker(RedisBroker(host="redis"))
mutex = ConcurrentRateLimiter(RedisBackend(host="redis"), "talent", limit=2)
log = logging.getLogger(__name__)


def to_subscriber(email: str, record: PassportJSON) -> Subscriber:
    profile = record["passport_profile"]
    score = int(record["score"] or 0)
    return Subscriber(
        email=email,
        name=profile["display_name"] or email.split("@")[0],
        city=(profile["location"] or "").split(",")[0],
        score=score,
        vip=score >= VIP_SCORE and record["human_checkmark"],
        interests=[tag.lower() for tag in profile["tags"]],
        last_badge=latest_badge(record["passport_id"]),
    )


@dramatiq.actor(max_retries=5, min_backoff=30_000)
def refresh_subscriber(subscriber_id: int, email: str, wallet: str) -> None:
    with mutex.acquire():
        try:
            record = passport(wallet)
        except requests.RequestException:
            log.exception("talent lookup of %s failed", wallet)
            person = Subscriber(email=email, name=email, score=0)
        else:
            if record.get("merged"):
                log.info("%s was merged into another passport", wallet)
                return
            person = to_subscriber(email, record)
    listmonk("PUT", f"subscribers/{subscriber_id}", json=person.payload(LIST_ID))
    if person.vip:
        tag_vip.send(subscriber_id, person.score)


@dramatiq.actor
def tag_vip(subscriber_id: int, score: int) -> None:
    listmonk("PUT", "subscribers/lists", json={"ids": [subscriber_id], "action": "add", "target_list_ids": [LIST_ID + 1]})
    log.info("subscriber %s is VIP with %s", subscriber_id, score)


@dramatiq.actor
def refresh_all() -> None:
    page = 1
    while True:
        batch = listmonk("GET", "subscribers", params={"list_id": LIST_ID, "page": page, "per_page": 100})
        for row in batch["results"]:
            if wallet := row["attribs"].get("wallet"):
                refresh_subscriber.send(row["id"], row["email"], wallet)
        if page * batch["per_page"] >= batch["total"]:
            break
        page += 1


def most_active(keyword: str, limit: int = 10) -> list[tuple[str, float]]:
    ranked = sorted(directory(keyword), key=lambda r: r["activity_score"], reverse=True)
    return [(r["main_wallet"], r["activity_score"]) for r in ranked[:limit]]
