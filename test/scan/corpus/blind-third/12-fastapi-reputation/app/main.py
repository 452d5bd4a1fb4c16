from datetime import datetime, timedelta, timezone
from typing import Annotated

from fastapi import Depends, FastAPI

from .config import Settings, get_settings
from .schemas import ReputationOut, TalentPassport
from .talent import TalentClient

app = FastAPI(title="reputation")


def is_fresh(passport: TalentPassport, days: int = 30) -> bool:
    if passport.calculated_at is None:
        return False
    return datetime.now(timezone.utc) - passport.calculated_at < timedelta(days=days)


@app.get("/reputation/{wallet}", response_model=ReputationOut)
async def reputation(
    wallet: str,
    talent: Annotated[TalentClient, Depends()],
    settings: Annotated[Settings, Depends(get_settings)],
):
    passport = await talent.passport(wallet)
    credentials = await talent.credentials(passport.id)
    name = passport.profile.display_name if passport.profile else None
    return ReputationOut(
        passport_id=passport.id,
        name=name or wallet,
        score=passport.score,
        eligible=passport.is_human and is_fresh(passport) and passport.score >= settings.min_score,
        credentials={c.type: c.score for c in credentials if c.score},
    )


@app.get("/wallets/{wallet}")
async def wallets(wallet: str, talent: Annotated[TalentClient, Depends()]) -> list[str]:
    passport = await talent.passport(wallet)
    return sorted(passport.wallets)
