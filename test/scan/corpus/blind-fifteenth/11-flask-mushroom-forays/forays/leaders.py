import requests
from flask import Blueprint, abort, current_app, render_template, request

from . import reputation
from .extensions import cache

bp = Blueprint("leaders", __name__, url_prefix="/leaders")


@cache.memoize(timeout=3600)
def naturalist(login):
    """Observation counts of the leader from iNaturalist."""
    r = requests.get(f"{current_app.config['INATURALIST_URL']}/users/{login}", timeout=5)
    if r.status_code != 200:
        return {"observations_count": 0, "identifications_count": 0}
    return r.json()["results"][0]


def may_lead(person):
    if person["calculating_score"]:
        return False
    return bool(person["human_checkmark"]) and (person["score"] or 0) >= current_app.config["LEADER_MIN_SCORE"]


def github_login(person):
    for account in person.get("passport_socials", []):
        if account["source"] == "github":
            return account["profile_name"]
    return None


@bp.get("/")
def index():
    q = request.args.get("q", "").strip()
    people, total = reputation.search(q) if q else ([], 0)
    return render_template("leaders.html", people=people, total=total, q=q)


@bp.get("/<wallet>")
def show(wallet):
    person = reputation.leader(wallet)
    if person is None:
        abort(404)
    login = request.args.get("inat") or github_login(person)
    return render_template(
        "leader.html",
        person=person,
        badges=reputation.badges(person["passport_id"]),
        nature=naturalist(login) if login else None,
        allowed=may_lead(person),
    )
