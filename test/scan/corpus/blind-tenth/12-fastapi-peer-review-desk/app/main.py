from typing import Annotated

from fastapi import Depends, FastAPI, Query

from .deps import SettingsDep, TalentDep, papers_by, reviewer
from .schemas import Passport, ReviewerCard

app = FastAPI(title="Peer review desk")


@app.get("/reviewers/{ident}", response_model=ReviewerCard)
async def show(person: Annotated[Passport, Depends(reviewer)], talent: TalentDep, settings: SettingsDep):
    credentials = await talent.credentials(person.id)
    github = next((s for s in person.socials if s.source == "github"), None)
    card = ReviewerCard(
        id=person.id,
        name=person.name or "Anonymous",
        score=round(person.score),
        eligible=person.human and person.skills_score >= settings.min_skills,
        topics=person.tags,
        github=github.url if github else None,
        evidence=[f"{c.name}: {c.value}" for c in credentials if c.earned_at],
        papers=[],
    )
    if person.name:
        card.papers = await papers_by(person.name, settings)
    return card


@app.get("/reviewers")
async def search(talent: TalentDep, settings: SettingsDep, topic: Annotated[str, Query(min_length=2)]):
    matches = await talent.find(topic)
    matches.sort(key=lambda m: m.skills_score, reverse=True)
    return [
        {"id": m.id, "wallet": m.wallet, "fresh": m.calculated_at is not None}
        for m in matches
        if m.skills_score >= settings.min_skills
    ]
