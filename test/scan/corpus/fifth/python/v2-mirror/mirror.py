import os

import httpx
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from models import Passport, PassportCredential

engine = create_engine(os.environ["MIRROR_DB"])
V2 = os.environ["REP_BASE"] + "/api/v2"


def pull(wallet):
    try:
        body = httpx.get(f"{V2}/passports/{wallet}").json()
    except httpx.HTTPError:
        return 0
    return body["passport"].get("score", 0)


def refresh():
    with Session(engine) as db:
        for passport in db.scalars(select(Passport).order_by(Passport.score.desc())):
            passport.score = pull(passport.main_wallet)
            print(passport.passport_id, passport.score or 0, passport.human_checkmark)
        db.commit()


def sums(passport_id):
    with Session(engine) as db:
        rows = db.scalars(select(PassportCredential).filter_by(passport_id=passport_id)).all()
    return {
        "score": sum(r.score or 0 for r in rows),
        "value": sum(int(r.value) for r in rows if r.category == "Activity"),
    }


if __name__ == "__main__":
    refresh()
