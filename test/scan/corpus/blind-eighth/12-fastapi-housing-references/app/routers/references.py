from datetime import UTC, datetime, timedelta

from fastapi import APIRouter, HTTPException

from ..deps import CredentialsDep, PassportDep, SettingsDep
from ..schemas import CredentialIn, Evidence, PassportIn, Reference

router = APIRouter(prefix="/references", tags=["references"])

STALE_AFTER = timedelta(days=45)


def is_stale(passport: PassportIn) -> bool:
    if passport.calculated is None:
        return True
    return datetime.now(UTC) - passport.calculated > STALE_AFTER


def evidence_of(credential: CredentialIn) -> Evidence:
    share = None
    if credential.ceiling:
        share = round(credential.points / credential.ceiling, 2)
    return Evidence(title=credential.title, detail=credential.shown or credential.kind, share=share)


@router.get("/{tenant}", response_model=Reference)
async def read_reference(passport: PassportDep, credentials: CredentialsDep, settings: SettingsDep):
    enough = passport.score >= settings.reference_minimum
    human = passport.is_human or not settings.require_human
    identity = [c for c in credentials if c.category == "Identity"]
    return Reference(
        tenant=passport.profile.display_name,
        city=passport.profile.city,
        score=passport.score,
        accepted=enough and human,
        provisional=passport.busy or is_stale(passport),
        links={s.source: s.profile_url for s in passport.socials if s.profile_url},
        evidence=[evidence_of(c) for c in identity],
    )


@router.get("/{tenant}/wallet")
async def read_wallet(passport: PassportDep) -> dict[str, str]:
    if passport.wallet is None:
        raise HTTPException(409, "tenant has no wallet")
    return {"wallet": passport.wallet}


@router.get("/{tenant}/reach")
async def read_reach(passport: PassportDep) -> dict[str, int]:
    return {"followers": sum(s.followers or 0 for s in passport.socials)}
