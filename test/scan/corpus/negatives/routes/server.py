from flask import Flask, jsonify
app = Flask(__name__)

@app.route("/api/v1/passports/<passport_id>")
def passport(passport_id):
    holder = load(passport_id)
    return jsonify({"passport": {"score": holder["score"] or 0}})

@app.get("/api/v1/passports")
def passports():
    return jsonify(all_of_them())
