from datetime import date, timedelta
from pathlib import Path

from litestar import Litestar, get, post
from litestar.contrib.jinja import JinjaTemplateEngine
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.response import Template
from litestar.template import TemplateConfig
from sqlalchemy.orm import Session

from .registry import HorsePassport, Licence, Registry
from .results import Base, Start, engine, ranking

registry = Registry()


def influenza_ok(passport: HorsePassport) -> bool:
    limit = date.today() - timedelta(days=182)
    return any(v.kind == "influenza" and v.given_on >= limit for v in passport.vaccinations)


def may_start(licences: list[Licence], category: str) -> bool:
    return any(x.category == category and x.expires_at >= date.today() for x in licences)


@get("/horses/{ueln:str}")
async def horse(ueln: str) -> Template:
    passport = await registry.passport(ueln)
    if passport is None:
        raise NotFoundException("no such passport")
    return Template("horse.html", context={"passport": passport, "ok": influenza_ok(passport)})


@get("/owners/{owner:str}/horses")
async def horses(owner: str) -> list[dict]:
    found = await registry.by_owner(owner)
    return [{"passport_id": p.id, "name": p.name, "verified": p.verified} for p in found]


@post("/starts")
async def enter(data: dict) -> dict:
    passport = await registry.passport(data["ueln"])
    if passport is None or not passport.verified or not influenza_ok(passport):
        raise PermissionDeniedException("the passport of this horse is not in order")
    licences = await registry.credentials(data["rider_id"])
    if not may_start(licences, data["category"]):
        raise PermissionDeniedException("the rider has no licence for this category")
    with Session(engine) as s:
        start = Start(
            passport_id=passport.id,
            rider_id=data["rider_id"],
            display_name=f"{data['rider_name']} / {passport.name}",
            test=data["test"],
        )
        s.add(start)
        s.commit()
        return {"id": start.id, "passport_id": start.passport_id}


@get("/api/v1/scores/{test:str}")
async def scores(test: str) -> dict:
    rows = ranking(test)
    return {"total": len(rows), "scores": rows}


@get("/board/{test:str}")
async def board(test: str) -> Template:
    return Template("board.html", context={"rows": ranking(test), "test": test})


app = Litestar(
    [horse, horses, enter, scores, board],
    template_config=TemplateConfig(directory=Path(__file__).parent / "templates", engine=JinjaTemplateEngine),
    on_startup=[lambda: Base.metadata.create_all(engine)],
)
