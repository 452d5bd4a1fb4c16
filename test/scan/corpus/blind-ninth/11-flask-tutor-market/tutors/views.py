from itertools import groupby
from operator import itemgetter

import requests
from flask import Blueprint, abort, current_app, jsonify, render_template, request

from . import reputation
from .booking import free_slots

bp = Blueprint("tutors", __name__)

SUBJECTS = {"solidity", "python", "design", "rust", "statistics"}


def subjects_of(person: dict) -> list[str]:
    tags = person["passport_profile"].get("tags") or []
    return sorted(SUBJECTS & {t.lower() for t in tags})


@bp.get("/")
def index():
    keyword = request.args.get("q", "").strip()
    if not keyword:
        return render_template("index.html", people=[], total=None, keyword="")
    try:
        found = reputation.search(keyword)
    except requests.RequestException:
        abort(502)
    minimum = current_app.config["MIN_TUTOR_SCORE"]
    people = [p for p in found["passports"] if p["score"] and p["score"] >= minimum]
    return render_template(
        "index.html",
        people=people,
        total=found["pagination"]["total"],
        keyword=keyword,
    )


@bp.get("/tutors/<wallet>")
def tutor(wallet: str):
    person = reputation.person(wallet)
    if person is None:
        abort(404)
    earned = sorted(reputation.credentials(person["passport_id"]), key=itemgetter("category"))
    shelves = {name: list(items) for name, items in groupby(earned, key=itemgetter("category"))}
    return render_template(
        "tutor.html",
        person=person,
        shelves=shelves,
        subjects=subjects_of(person),
        slots=free_slots(request.args.get("cal", wallet)),
    )


@bp.get("/tutors/<wallet>/rate.json")
def rate(wallet: str):
    person = reputation.person(wallet) or {}
    score = person.get("skills_score", 0)
    return jsonify(wallet=wallet, score=score, hourly=20 + score // 4)
