from collections import defaultdict
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Query

from .schemas import Credential, Passport, Verdict
from .settings import Settings, get_settings
from .upstream import Talent, talent, validator_count

app = FastAPI(title="Operator onboarding")

TalentDep = Annotated[Talent, Depends(talent)]
SettingsDep = Annotated[Settings, Depends(get_settings)]


def coverage(credentials: list[Credential]) -> dict[str, float]:
    got: dict[str, float] = defaultdict(float)
    possible: dict[str, float] = defaultdict(float)
    for credential in credentials:
        if credential.earned_at:
            got[credential.category] += credential.score
        possible[credential.category] += credential.max_score or 0
    return {name: round(got[name] / top, 2) for name, top in possible.items() if top}


def objections(passport: Passport, wallet: str, settings: Settings) -> list[str]:
    reasons = []
    if not passport.human:
        reasons.append("not verified as human")
    if passport.identity_score < settings.min_identity:
        reasons.append("identity below minimum")
    if passport.score < settings.min_total:
        reasons.append("score below minimum")
    if not passport.owns(wallet):
        reasons.append("wallet is not verified")
    return reasons


@app.post("/operators/{wallet}/check")
async def check(
    wallet: str,
    api: TalentDep,
    settings: SettingsDep,
    validators: Annotated[int, Depends(validator_count)],
) -> Verdict:
    passport = await api.passport(wallet)
    if passport is None:
        raise HTTPException(404, "no such builder")
    reasons = objections(passport, wallet, settings)
    if validators > 200:
        reasons.append("already runs more than 200 validators")
    github = passport.github
    return Verdict(
        wallet=wallet,
        accepted=not reasons,
        score=passport.score,
        display_name=passport.profile.display_name,
        github=github.url if github else None,
        reasons=reasons,
        coverage=coverage(await api.credentials(passport.id)),
    )


@app.get("/operators/search")
async def search(api: TalentDep, name: Annotated[str, Query(min_length=3)]) -> dict:
    page = await api.search(name)
    return {
        "total": page.total,
        "operators": [
            {"id": p.id, "name": p.profile.display_name, "region": p.profile.location, "staking": "staking" in p.profile.tags}
            for p in page.passports
        ],
    }
