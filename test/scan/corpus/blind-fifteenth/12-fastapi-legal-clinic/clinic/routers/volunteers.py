from typing import Annotated

import httpx
from fastapi import APIRouter, Depends, HTTPException, Query

from ..config import Settings, get_settings
from ..gateway import ReputationGateway, UnknownVolunteer, get_gateway
from ..schemas import Passport, VolunteerOut

router = APIRouter(prefix="/volunteers", tags=["volunteers"])
Gateway = Annotated[ReputationGateway, Depends(get_gateway)]


async def _jurisdiction(settings: Settings, name: str) -> str | None:
    async with httpx.AsyncClient(base_url=str(settings.bar_registry_url)) as bar:
        r = await bar.get("/v2/attorneys", params={"name": name})
        rows = r.json().get("attorneys", []) if r.is_success else []
    return rows[0]["jurisdiction"] if rows else None


def _label(p: Passport) -> str:
    return p.profile.name or (p.wallets[0] if p.wallets else f"#{p.id}")


@router.get("/{ref}", response_model=VolunteerOut)
async def volunteer(ref: str, gateway: Gateway, settings: Annotated[Settings, Depends(get_settings)]):
    try:
        p = await gateway.passport(ref)
    except UnknownVolunteer:
        raise HTTPException(404, "no such volunteer")
    except httpx.HTTPError:
        raise HTTPException(502, "reputation service failed")

    proofs = [c for c in await gateway.credentials(p) if c.category == "Identity" and c.score > 0]
    return VolunteerOut(
        id=p.id,
        name=_label(p),
        score=p.score,
        verified=p.human or any(c.slug == "world_id" for c in proofs),
        accounts=[a.url for a in p.accounts if a.network in {"github", "linkedin"} and a.url],
        identity_proofs=len(proofs),
        licensed_in=await _jurisdiction(settings, _label(p)),
    )


@router.get("")
async def search(
    gateway: Gateway,
    settings: Annotated[Settings, Depends(get_settings)],
    q: Annotated[str, Query(min_length=2)],
):
    hits = await gateway.find(q)
    hits = [h for h in hits if h.score + h.identity >= settings.intake_threshold]
    return [
        {"id": h.id, "name": _label(h), "areas": h.profile.tags, "as_of": h.computed_at} for h in hits
    ]
