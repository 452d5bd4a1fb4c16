import sqlite3

import requests
from flask import Blueprint, abort, current_app, render_template, request

from . import talent

bp = Blueprint("crew", __name__)


def _boats():
    con = sqlite3.connect(current_app.config["DATABASE"])
    con.row_factory = sqlite3.Row
    return con.execute("SELECT id, name, berth, score FROM boats ORDER BY score DESC").fetchall()


def _wind(lat=38.69, lon=-9.42):
    try:
        r = requests.get(
            current_app.config["WEATHER_URL"],
            params={"latitude": lat, "longitude": lon, "current": "wind_speed_10m"},
            timeout=4,
        )
        return r.json()["current"]["wind_speed_10m"]
    except (requests.RequestException, KeyError):
        return None


def _role(sailor):
    if sailor["calculating_score"]:
        return "pending"
    if not sailor["human_checkmark"]:
        return "guest"
    limit = current_app.config["SKIPPER_MIN_SCORE"]
    return "skipper" if sailor["score"] >= limit else "crew"


@bp.get("/")
def index():
    return render_template("index.html", boats=_boats(), wind=_wind())


@bp.get("/members")
def members():
    q = request.args.get("q", "").strip()
    sailors, pagination = [], None
    if q:
        sailors, pagination = talent.search_sailors(q)
    roles = {s["passport_id"]: _role(s) for s in sailors}
    return render_template("members.html", q=q, sailors=sailors, pagination=pagination, roles=roles)


@bp.get("/members/<wallet>")
def member(wallet):
    sailor = talent.find_sailor(wallet)
    if sailor is None:
        abort(404)
    certs = talent.certificates(sailor["passport_id"])
    return render_template("member.html", sailor=sailor, certs=certs, role=_role(sailor), boats=_boats())
