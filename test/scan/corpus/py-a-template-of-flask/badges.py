from functools import lru_cache

import requests
from flask import Blueprint, abort, current_app, jsonify, render_template, request

bp = Blueprint("badges", __name__, url_prefix="/badges")

CATEGORIES = ("Activity", "Identity", "Skills")


def v1(path, **params):
    answer = requests.get(
        current_app.config["REP_BASE"] + "/api/v1/" + path,
        params=params,
        headers={"X-API-KEY": current_app.config["REP_KEY"]},
        timeout=10,
    )
    if answer.status_code == 401:
        abort(503)
    answer.raise_for_status()
    return answer.json()


@lru_cache(maxsize=512)
def credentials(passport_id):
    return v1("passport_credentials", passport_id=passport_id)["passport_credentials"]  # call: passport-credentials


@bp.get("/<passport_id>")
def wall(passport_id):
    shelves = {c: [] for c in CATEGORIES}
    for cred in credentials(passport_id):
        shelf = shelves.setdefault(cred["category"], [])  # read: passport_credentials[].category
        shelf.append(
            {
                "id": cred["id"],  # read: passport_credentials[].id
                "title": cred["name"],  # read: passport_credentials[].name
                "progress": cred["score"] / cred["max_score"],  # read: passport_credentials[].score, passport_credentials[].max_score
                "when": cred.get("earned_at"),  # read: passport_credentials[].earned_at
            }
        )
    for shelf in shelves.values():
        shelf.sort(key=lambda b: b["progress"], reverse=True)
    return jsonify(shelves)


@bp.get("/find")
def find():
    hits = v1("passports", keyword=request.args["name"])["passports"]  # call: passport-list
    return jsonify([{"passport_id": h["passport_id"], "tags": h["passport_profile"]["tags"]} for h in hits])  # read: passports[].passport_id, passports[].passport_profile.tags[]


@bp.get("/holder/<passport_id>")
def holder(passport_id):
    return render_template("holder.html", holder=v1("passports/" + passport_id)["passport"])  # call: passport
