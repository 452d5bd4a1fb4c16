import os
import requests
from flask import Flask, jsonify, render_template

app = Flask(__name__)
BASE = os.environ.get("PASSPORT_BASE", "https://api.example.com")


@app.route("/api/builder/<wallet>")
def builder(wallet):
    r = requests.get(f"{BASE}/api/v1/passports/{wallet or ''}", timeout=5)  # call: passport
    if r.status_code != 200:  # hazard: status-default
        return jsonify({"score": 0})
    p = r.json()["passport"]
    return jsonify({"score": p["score"], "profile": p["passport_profile"]})  # read: passport.score, passport.passport_profile
