"""JSON for the recording desk's tablet."""
from flask import Blueprint, current_app, jsonify

from .reputation import ReputationDown

bp = Blueprint("api", __name__)


@bp.errorhandler(ReputationDown)
def on_down(exc):
    return jsonify(error="reputation service unavailable", detail=str(exc)), 502


@bp.get("/guests/<ident>/card")
def card(ident):
    gw = current_app.extensions["reputation"]
    person = gw.person(ident)
    profile = person.get("passport_profile") or {}
    return jsonify(
        name=profile.get("display_name") or ident,
        intro=(profile.get("bio") or "")[:280],
        topics=profile.get("tags", []),
        score=person["score"],
        human=person["human_checkmark"],
    )


@bp.get("/guests/<ident>/eligible")
def eligible(ident):
    gw = current_app.extensions["reputation"]
    try:
        score = gw.person(ident)["score"]
    except ReputationDown:
        score = 0
    return jsonify(eligible=score >= current_app.config["MIN_GUEST_SCORE"], score=score)
