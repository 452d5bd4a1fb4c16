from flask import Blueprint, jsonify, render_template

from ..extensions import talent
from ..store import applications

bp = Blueprint("jury", __name__)


def craft_points(credentials):
    """Points from the skills category, as a share of what could be had."""
    skills = [c for c in credentials if c["category"] == "Skills"]
    reachable = sum(c["max_score"] for c in skills)
    if not reachable:
        return 0
    return round(100 * sum(c["score"] for c in skills) / reachable)


@bp.get("/ranking")
def ranking():
    rows = []
    for application in applications.all():
        credentials = talent.credentials(application.wallet)
        rows.append(
            {
                "name": application.name,
                "score": application.score,
                "craft": craft_points(credentials),
                "latest": max((c["earned_at"] for c in credentials if c["earned_at"]), default=None),
            }
        )
    rows.sort(key=lambda row: (row["craft"], row["score"]), reverse=True)
    return render_template("ranking.html", rows=rows)


@bp.get("/ranking.json")
def ranking_json():
    return jsonify([{"name": a.name, "score": a.score, "wallet": a.wallet} for a in applications.all()])
