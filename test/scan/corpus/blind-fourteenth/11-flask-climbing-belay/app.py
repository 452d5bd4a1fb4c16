from flask import Flask, abort, flash, jsonify, redirect, render_template, request, session, url_for

import talent
from config import Config
from weather import crag_forecast

app = Flask(__name__)
app.config.from_object(Config)


@app.template_filter("short")
def short_wallet(addr):
    if not addr:
        return "-"
    return f"{addr[:6]}…{addr[-4:]}"


@app.route("/")
def index():
    q = request.args.get("q", "").strip()
    climbers = []
    total = 0
    if q:
        data = talent.search(q)
        climbers = [c for c in data["passports"] if c["human_checkmark"]]
        total = data["pagination"]["total"]
    return render_template("index.html", q=q, climbers=climbers, total=total)


@app.route("/climbers/<wallet>")
def climber(wallet):
    passport = talent.get_passport(wallet)
    if passport is None:
        abort(404)
    badges = talent.get_credentials(passport["passport_id"])
    top = sorted(badges, key=lambda b: b["score"], reverse=True)[:5]
    return render_template("climber.html", p=passport, badges=top, forecast=crag_forecast("El Potrero"))


@app.route("/login", methods=["POST"])
def login():
    wallet = request.form["wallet"].lower()
    passport = talent.get_passport(wallet)
    if not passport:
        flash("We could not find a passport for this wallet")
        return redirect(url_for("index"))
    session["wallet"] = wallet
    session["level"] = belay_level(passport)
    return redirect(url_for("climber", wallet=wallet))


def belay_level(p):
    if not p["human_checkmark"]:
        return "observer"
    if p["score"] >= app.config["LEAD_SCORE"]:
        return "lead"
    return "toprope"


@app.route("/api/me")
def me():
    if "wallet" not in session:
        return jsonify(error="not logged in"), 401
    return jsonify(wallet=session["wallet"], level=session["level"])


if __name__ == "__main__":
    app.run(debug=True, port=5050)
