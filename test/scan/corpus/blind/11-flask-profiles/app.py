from flask import Flask, abort, jsonify, render_template, request
from flask_caching import Cache

import talent
from config import Config

app = Flask(__name__)
app.config.from_object(Config)
cache = Cache(app)


@app.template_filter("short")
def short(address):
    return f"{address[:6]}...{address[-4:]}"


@app.route("/")
def index():
    q = request.args.get("q", "")
    people = talent.search(q) if q else []
    people = sorted(people, key=lambda p: p["score"] or 0, reverse=True)
    return render_template("index.html", people=people, q=q)


@app.route("/u/<wallet>")
@cache.cached()
def user(wallet):
    p = talent.passport(wallet)
    if p is None:
        abort(404)
    creds = talent.credentials(p["passport_id"])
    earned = [c for c in creds if c.get("earned_at")]
    return jsonify(
        name=p["passport_profile"]["display_name"],
        tags=p["passport_profile"].get("tags", []),
        score=p["score"],
        wallets=p["verified_wallets"],
        twitter=next((s["profile_name"] for s in p.get("passport_socials", []) if s["source"] == "twitter"), None),
        credentials=[{"title": c["name"], "points": c["score"], "of": c["max_score"]} for c in earned],
    )


@app.route("/healthz")
def health():
    return {"status": "ok"}
