from flask import Blueprint, abort, jsonify, render_template, request

from .extensions import cache, gbif, talent
from .limits import is_stale, packets_for

bp = Blueprint("seedbank", __name__)

SEED_LOTS = {
    "TOM-014": {"name": "Noire de Crimée", "species": "Solanum lycopersicum", "packets": 22},
    "BEA-002": {"name": "Lingua di Fuoco", "species": "Phaseolus vulgaris", "packets": 9},
}


@bp.get("/borrowers/<wallet>")
@cache.cached()
def borrower(wallet):
    passport = talent.passport(wallet)
    badges = talent.badges(passport["passport_id"]) if passport else []
    return render_template(
        "borrower.html",
        wallet=wallet,
        borrower=passport,
        badges=badges,
        stale=is_stale(passport) if passport else False,
        packets=packets_for(passport, badges),
        lots=SEED_LOTS,
    )


@bp.get("/api/borrowers")
def find_borrowers():
    name = request.args.get("name", "").strip()
    if len(name) < 2:
        abort(400, "name is too short")
    found = [
        {
            "wallet": p["main_wallet"],
            "name": p["passport_profile"]["display_name"],
            "score": p["score"],
        }
        for p in talent.search(name)
        if p["verified_wallets"]
    ]
    found.sort(key=lambda row: row["score"], reverse=True)
    return jsonify(borrowers=found)


@bp.get("/api/lots/<code>")
def lot(code):
    seed_lot = SEED_LOTS.get(code) or abort(404)
    return jsonify(**seed_lot, taxon=gbif.species(seed_lot["species"]))
