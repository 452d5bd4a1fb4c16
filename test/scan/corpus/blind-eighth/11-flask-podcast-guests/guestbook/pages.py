from flask import Blueprint, abort, current_app, render_template, request

from .reputation import ReputationDown

bp = Blueprint("pages", __name__)


def gateway():
    return current_app.extensions["reputation"]


@bp.app_template_filter("short")
def short(address):
    if not address:
        return "–"
    return f"{address[:6]}…{address[-4:]}"


@bp.app_template_filter("handles")
def handles(socials):
    wanted = ("farcaster", "lens", "twitter")
    return {s["source"]: s.get("profile_name") or "?" for s in socials if s["source"] in wanted}


@bp.get("/")
def index():
    words = request.args.get("q", "").strip()
    if not words:
        return render_template("index.html", guests=None, total=0, q="")
    try:
        guests, total = gateway().search(words)
    except ReputationDown:
        return render_template("index.html", guests=[], total=0, q=words, down=True)
    floor = current_app.config["MIN_GUEST_SCORE"]
    guests = [g for g in guests if not g["calculating_score"] and (g["score"] or 0) >= floor]
    return render_template("index.html", guests=guests, total=total, q=words)


@bp.get("/guest/<ident>")
def guest(ident):
    try:
        person = gateway().person(ident)
    except ReputationDown:
        abort(503)
    badges = gateway().badges(person["passport_id"])
    return render_template("guest.html", person=person, badges=badges)
