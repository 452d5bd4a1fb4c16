from datetime import date

from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel

from .client import DocVerify

app = FastAPI(title="kyc")


class Decision(BaseModel):
    passport_id: str
    accepted: bool
    score: float
    reasons: list[str] = []


@app.get("/api/v1/passports/{passport_id}", response_model=Decision)
def decide(passport_id: str, vendor: DocVerify = Depends()):
    passport = vendor.passport(passport_id)
    if passport is None:
        raise HTTPException(404, "unknown passport")
    reasons = []
    if date.fromisoformat(passport["expires_on"]) < date.today():
        reasons.append("expired")
    if passport["issuing_country"] in {"XXA", "XXB"}:
        reasons.append("stateless")
    score = vendor.liveness_score(passport_id)
    if score < 0.8:
        reasons.append("liveness")
    return Decision(passport_id=passport_id, accepted=not reasons, score=score, reasons=reasons)


@app.get("/api/v1/applicants/{applicant_id}")
def applicant(applicant_id: str, vendor: DocVerify = Depends()):
    rows = vendor.passports(applicant_id)
    return {
        "total": len(rows),
        "passports": [{"number": r["document_number"], "name": r["holder"]["display_name"]} for r in rows],
    }
