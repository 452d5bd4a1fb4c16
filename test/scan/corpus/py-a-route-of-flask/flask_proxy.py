from flask import Flask, jsonify, abort
import requests
import os

app = Flask(__name__)
V1 = os.environ.get("V1_URL", "https://api.example.com") + "/api/v1"
HEADERS = {"X-API-KEY": os.environ["KEY"]}


def call(path, params=None):
    r = requests.get(V1 + path, headers=HEADERS, params=params or {})
    if not r.ok:
        abort(502)
    return r.json()


@app.route("/holders/<wallet>")
def holder(wallet):
    body = call("/passports/" + wallet)  # call: passport
    passport = body.get("passport")
    profile = passport["passport_profile"]  # read: passport.passport_profile
    return jsonify(name=profile["display_name"], bio=profile["bio"], score=passport["score"])  # read: passport.passport_profile.display_name, passport.passport_profile.bio, passport.score


@app.route("/holders/<wallet>/credentials")
def credentials(wallet):
    items = call("/passport_credentials", params={"passport_id": wallet})["passport_credentials"]  # call: passport-credentials
    return jsonify(sorted(items, key=lambda item: item["earned_at"]))  # read: passport_credentials[].earned_at
