import re
from datetime import datetime

import structlog
from arq import ArqRedis, Retry

from .gateway import Gateway
from .types import CredentialDoc, PassportDoc

log = structlog.get_logger()
FID = re.compile(r"FID: ([\d, ]+)")


async def crawl(ctx: dict, keyword: str, number: int = 1) -> int:
    gateway: Gateway = ctx["gateway"]
    queue: ArqRedis = ctx["redis"]
    docs, more = await gateway.page(number, keyword)
    for doc in docs:
        if "translator" in doc["passport_profile"]["tags"]:
            await queue.enqueue_job("enrich", doc, _job_id=f"enrich:{doc['passport_id']}")
    if more:
        await queue.enqueue_job("crawl", keyword, number + 1, _defer_by=2)
    return len(docs)


async def enrich(ctx: dict, doc: PassportDoc) -> None:
    gateway: Gateway = ctx["gateway"]
    full = await gateway.passport(doc["passport_id"])
    if full is None:
        raise Retry(defer=ctx["job_try"] * 30)
    if full.get("merged"):
        log.info("skipped_merged", ident=doc["passport_id"])
        return
    bio = full["passport_profile"]["bio"]
    language = await gateway.detect_language(bio) if bio else "EN"
    credentials = await gateway.credentials(doc["passport_id"])
    await ctx["redis"].enqueue_job("publish", full, language, summarize(credentials))


def summarize(credentials: list[CredentialDoc]) -> dict:
    summary: dict = {"ids": [c["id"] for c in credentials], "fids": [], "fresh": None}
    for c in credentials:
        if c["type"] == "farcaster" and (found := FID.search(c["value"] or "")):
            summary["fids"] = [int(n) for n in found[1].split(",")]
    dates = [datetime.fromisoformat(c["last_calculated_at"]) for c in credentials if c["last_calculated_at"]]
    if dates:
        summary["fresh"] = max(dates).isoformat()
    return summary


async def publish(ctx: dict, passport: PassportDoc, language: str, summary: dict) -> None:
    profile = passport["passport_profile"]
    handles = {s["source"]: s["profile_name"] for s in passport.get("passport_socials", ())}
    entry = {
        "name": profile["display_name"] or "",
        "city": profile["location"] or "",
        "wallet": passport["main_wallet"] or "",
        "language": language,
        "score": passport["score"],
        "github": handles.get("github") or "",
        "fids": ",".join(map(str, summary["fids"])),
    }
    await ctx["store"].save(passport["passport_id"], entry, rank=passport["activity_score"])
