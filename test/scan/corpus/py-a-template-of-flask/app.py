from flask import Flask, jsonify, request

from badges import bp

app = Flask(__name__)
app.config.from_prefixed_env("WALL")
app.register_blueprint(bp)

GUESTBOOK = []


@app.post("/api/v1/guestbook")
def sign():
    entry = request.get_json()
    GUESTBOOK.append({"name": entry["name"], "value": int(entry.get("value", 0)), "score": entry.get("score", 0)})
    return jsonify(total=len(GUESTBOOK)), 201


@app.get("/api/v1/guestbook")
def guestbook():
    return jsonify(sorted(GUESTBOOK, key=lambda e: e["score"], reverse=True))
