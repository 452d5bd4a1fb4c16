from datetime import timedelta

import requests
from django.conf import settings
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from .clients import TalentClient, TalentUnavailable
from .models import Keeper

STALE = timedelta(days=60)


def refresh(keeper: Keeper, client: TalentClient | None = None) -> Keeper:
    data = (client or TalentClient()).keeper(keeper.wallet)
    profile = data.get("passport_profile") or {}
    keeper.passport_id = data["passport_id"]
    keeper.score = data["score"] or 0
    keeper.location = profile.get("location") or ""
    keeper.verified = data["human_checkmark"] and not data.get("merged", False)
    keeper.synced_at = timezone.now()
    keeper.save()
    return keeper


def is_stale(record: dict) -> bool:
    calculated = parse_datetime(record["last_calculated_at"] or "")
    return calculated is None or timezone.now() - calculated > STALE


def owns_wallet(record: dict, wallet: str) -> bool:
    return wallet.lower() in {w.lower() for w in record["verified_wallets"]}


def loan_decision(keeper: Keeper) -> dict:
    """May this keeper borrow another hive?"""
    client = TalentClient()
    try:
        record = client.keeper(keeper.wallet)
    except TalentUnavailable:
        return {"allowed": False, "score": 0, "reason": "score not available"}
    if is_stale(record):
        return {"allowed": False, "score": record["score"], "reason": "score is stale"}
    open_loans = keeper.loans.filter(returned=False).count()
    skills = [c for c in client.credentials(keeper.passport_id) if c["category"] == "Skills"]
    score = record["score"] + sum(c["max_score"] == c["score"] for c in skills)
    needed = settings.HIVE_LOAN_MIN_SCORE * (open_loans + 1)
    return {"allowed": score >= needed, "score": score, "reason": f"{score} of {needed}"}


def frost_expected(lat: float, lon: float) -> bool:
    r = requests.get(
        settings.WEATHER_URL,
        params={"latitude": lat, "longitude": lon, "daily": "temperature_2m_min"},
        timeout=5,
    )
    r.raise_for_status()
    return min(r.json()["daily"]["temperature_2m_min"]) < 0
