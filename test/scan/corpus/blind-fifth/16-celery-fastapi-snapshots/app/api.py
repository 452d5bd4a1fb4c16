from fastapi import FastAPI, HTTPException
from sqlalchemy import select

from .models import Builder, Session, Snapshot

api = FastAPI(title="Builder snapshots")


@api.get("/builders/{passport_id}/history")
def history(passport_id: int):
    with Session() as db:
        builder = db.get(Builder, passport_id)
        if builder is None:
            raise HTTPException(404)
        return {
            "name": builder.display_name or builder.main_wallet,
            "history": [{"at": s.taken_at, "score": s.score, "activity": s.activity_score} for s in builder.snapshots],
        }


@api.get("/movers")
def movers(limit: int = 10):
    with Session() as db:
        gains = []
        for builder in db.scalars(select(Builder)):
            if len(builder.snapshots) >= 2:
                first, last = builder.snapshots[-2], builder.snapshots[-1]
                gains.append((last.score - first.score, builder.display_name))
        gains.sort(reverse=True)
        return [{"name": name, "gain": gain} for gain, name in gains[:limit]]


@api.get("/stats")
def stats():
    with Session() as db:
        scores = list(db.scalars(select(Snapshot.score)))
    return {"snapshots": len(scores), "mean": sum(scores) / len(scores) if scores else 0}
