import os

from dotenv import load_dotenv
from flask import Flask, abort, jsonify, render_template, request
from flask_caching import Cache

from talent import TalentClient, TalentUnavailable

load_dotenv()

app = Flask(__name__)
app.config.update(CACHE_TYPE="SimpleCache", CACHE_DEFAULT_TIMEOUT=600)
cache = Cache(app)
client = TalentClient(os.environ["TALENT_API_KEY"])


@app.route("/u/<wallet>")
@cache.cached()
def profile(wallet):
    try:
        passport = client.get_passport(wallet)
    except TalentUnavailable as exc:
        app.logger.error("talent: %s", exc)
        return render_template("down.html"), 503
    if passport is None:
        abort(404)

    credentials = client.get_credentials(passport["passport_id"])
    credentials.sort(key=lambda c: c["score"], reverse=True)
    return render_template("profile.html", passport=passport, credentials=credentials[:10])


@app.route("/api/score")
def score():
    """Small JSON endpoint used by our browser extension."""
    wallet = request.args.get("wallet", "")
    return jsonify({"wallet": wallet, "score": client.get_score(wallet)})


@app.route("/search")
def search():
    query = request.args.get("q", "").strip()
    hits = client.search(query) if query else []
    people = [
        {
            "id": hit["passport_id"],
            "name": hit["passport_profile"].get("display_name") or "Anonymous",
            "score": hit["score"],
        }
        for hit in hits
    ]
    people.sort(key=lambda person: person["score"], reverse=True)
    return render_template("search.html", query=query, people=people)


if __name__ == "__main__":
    app.run(debug=True)
