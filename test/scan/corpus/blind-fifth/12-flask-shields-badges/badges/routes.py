from flask import Blueprint, abort, jsonify, render_template, request

from .upstream import load_credentials, load_passport, load_stars, load_top

bp = Blueprint("badges", __name__)

COLOURS = [(80, "gold"), (60, "brightgreen"), (40, "green"), (20, "yellow"), (0, "lightgrey")]


def shield(label, message, colour="blue"):
    """https://shields.io/badges/endpoint-badge"""
    return jsonify(schemaVersion=1, label=label, message=str(message), color=colour)


def colour_for(score):
    return next(c for limit, c in COLOURS if score >= limit)


@bp.get("/badge/<wallet>/score")
def score_badge(wallet):
    passport = load_passport(wallet)
    score = passport["score"] if passport else 0
    return shield("builder score", score, colour_for(score))


@bp.get("/badge/<wallet>/human")
def human_badge(wallet):
    passport = load_passport(wallet)
    if passport is None:
        return shield("human", "unknown", "lightgrey")
    if passport.get("human_checkmark"):
        return shield("human", "yes", "brightgreen")
    return shield("human", "no", "red")


@bp.get("/badge/<wallet>/credentials")
def credentials_badge(wallet):
    wanted = request.args.get("category")
    credentials = load_credentials(wallet)
    if wanted:
        credentials = [c for c in credentials if c["category"].lower() == wanted.lower()]
    earned = [c for c in credentials if c.get("earned_at")]
    return shield(wanted or "credentials", f"{len(earned)}/{len(credentials)}")


@bp.get("/badge/<wallet>/repo/<path:repo>")
def repo_badge(wallet, repo):
    passport = load_passport(wallet) or {}
    skills = passport.get("skills_score", 0)
    return shield(repo, f"{load_stars(repo)} stars by a builder with {skills} skill points")


@bp.get("/u/<wallet>")
def profile(wallet):
    passport = load_passport(wallet)
    if passport is None:
        abort(502)
    return render_template("profile.html", p=passport, credentials=load_credentials(wallet))


@bp.get("/")
def index():
    rows = [
        {
            "name": p["passport_profile"]["display_name"],
            "wallet": p["main_wallet"] or p["verified_wallets"][0],
            "score": p["score"],
        }
        for p in load_top()
    ]
    return render_template("index.html", rows=rows)
