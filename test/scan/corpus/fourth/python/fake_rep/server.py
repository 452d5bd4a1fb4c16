from flask import Flask, jsonify, request

app = Flask(__name__)

PEOPLE = {
    "1": {"passport_id": 1, "score": 70, "passport_profile": {"display_name": "Ana", "tags": []}},
    "2": {"passport_id": 2, "score": 30, "passport_profile": {"display_name": "Rui", "tags": []}},
}


@app.get("/api/v1/passports")
def listing():
    keyword = request.args.get("keyword", "")
    rows = [p for p in PEOPLE.values() if keyword in p["passport_profile"]["display_name"]]
    rows.sort(key=lambda p: p["score"], reverse=True)
    return jsonify(passports=rows, pagination={"total": len(rows), "current_page": 1, "last_page": 1})


@app.get("/api/v1/passports/<ident>")
def single(ident):
    if ident not in PEOPLE:
        return jsonify(error="Resource not found."), 404
    return jsonify(passport=PEOPLE[ident])
