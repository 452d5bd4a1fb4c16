import os

import httpx
from fastapi import Depends, FastAPI, HTTPException

from .schemas import CredentialPage, Eligibility, PassportReply

app = FastAPI(title="airdrop")


async def upstream():
    async with httpx.AsyncClient(
        base_url=os.environ["REP_URL"], headers={"X-API-KEY": os.environ["REP_KEY"]}
    ) as client:
        yield client


@app.get("/api/v1/eligibility/{wallet}", response_model=Eligibility)
async def eligibility(wallet: str, client: httpx.AsyncClient = Depends(upstream)):
    resp = await client.get(f"/api/v1/passports/{wallet}")  # call: passport
    if resp.status_code == 401:
        raise HTTPException(503, "reputation key refused")
    if resp.is_error:
        raise HTTPException(502, "reputation service failed")
    passport = PassportReply.model_validate(resp.json()).passport

    out = Eligibility(wallet=wallet, score=passport.score or 0, eligible=True)  # read: passport.score; hazard: fallback-default
    if passport.merged:  # read: passport.merged
        out.reasons.append("merged into another passport")
    if not passport.human_checkmark:  # read: passport.human_checkmark
        out.reasons.append("no human checkmark")
    if wallet.lower() not in {w.lower() for w in passport.verified_wallets}:  # read: passport.verified_wallets[]
        out.reasons.append("wallet not verified")

    resp = await client.get(  # call: passport-credentials
        "/api/v1/passport_credentials",
        params={"passport_id": str(passport.passport_id)},  # read: passport.passport_id
    )
    resp.raise_for_status()
    creds = CredentialPage.model_validate_json(resp.content).passport_credentials
    if not any(c.type == "active_wallet" and c.score > 0 for c in creds):  # read: passport_credentials[].type, passport_credentials[].score
        out.reasons.append("wallet not active")

    out.eligible = not out.reasons and out.score >= 40
    return out


@app.get("/api/v1/passports/{wallet}/claims")
async def claims(wallet: str):
    # served by this app, the path is a coincidence
    return {"wallet": wallet, "claims": [], "score": 0}
