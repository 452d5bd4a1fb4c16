from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, url_for

from ..extensions import TalentUnavailable, cache, talent
from ..store import Application, applications

bp = Blueprint("applicants", __name__)


@cache.memoize(timeout=600)
def load_passport(wallet):
    return talent.passport(wallet)


@bp.get("/")
def index():
    return render_template("index.html", applications=applications.all())


@bp.get("/search")
def search():
    name = request.args.get("name", "").strip()
    if not name:
        return render_template("search.html", people=[], pages=None)
    try:
        found = talent.search(name, page=request.args.get("page", 1, type=int))
    except TalentUnavailable as exc:
        flash(f"The passport service is not answering ({exc.status}).")
        return redirect(url_for(".index"))
    return render_template("search.html", people=found["passports"], pages=found["pagination"])


@bp.get("/applicants/<wallet>")
def show(wallet):
    try:
        passport = load_passport(wallet)
    except TalentUnavailable as exc:
        abort(404 if exc.status == 404 else 502)
    links = {s["source"]: s["profile_url"] for s in passport.get("passport_socials", []) if s.get("profile_url")}
    return render_template(
        "applicant.html",
        p=passport,
        links=links,
        credentials=talent.credentials(passport["passport_id"]),
    )


@bp.post("/applicants/<wallet>/apply")
def apply(wallet):
    try:
        passport = load_passport(wallet)
    except TalentUnavailable:
        flash("Please try again later.")
        return redirect(url_for(".show", wallet=wallet))

    if passport["merged"]:
        flash("This passport was merged into another one. Apply with the other wallet.")
        return redirect(url_for(".index"))
    if not passport["human_checkmark"] or passport["score"] < current_app.config["MIN_SCORE"]:
        flash("The residency asks for a verified human with a higher score.")
        return redirect(url_for(".show", wallet=wallet))

    profile = passport.get("passport_profile") or {}
    applications.add(
        Application(
            wallet=passport["main_wallet"] or wallet,
            name=profile.get("display_name") or "Anonymous",
            city=profile.get("location"),
            score=passport["score"],
            statement=request.form["statement"],
        )
    )
    return redirect(url_for(".index"))
