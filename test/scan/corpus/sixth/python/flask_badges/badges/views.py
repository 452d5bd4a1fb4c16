from flask import Blueprint, abort, jsonify, render_template
from sqlalchemy import select

from .api import humanity, load_credentials, load_name
from .db import Badge, session

bp = Blueprint("badges", __name__)


@bp.get("/badges/<passport_id>")
def show(passport_id):
    credentials = load_credentials(passport_id)
    earned = [c for c in credentials if c.get("earned_at")]  # read: passport_credentials[].earned_at
    if not earned:
        abort(404)
    total = sum(c["score"] for c in earned)  # read: passport_credentials[].score
    latest = max(earned, key=lambda c: c["earned_at"])  # read: passport_credentials[].earned_at
    return render_template(
        "badges.html",
        name=load_name(passport_id),
        total=total,
        latest=latest["name"],  # read: passport_credentials[].name
        humanity=humanity(credentials),
    )


@bp.get("/api/v1/badges")
def catalogue():
    rows = session.execute(select(Badge).order_by(Badge.score.desc())).scalars()
    return jsonify(
        [
            {"id": b.id, "name": b.name, "category": b.category, "score": b.score or 0, "type": b.type}
            for b in rows
        ]
    )
