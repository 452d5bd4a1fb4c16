from flask import Flask, Blueprint, jsonify
import responses

bp = Blueprint("rep", __name__, url_prefix="/api/v1/passports")
app = Flask(__name__)


@bp.route("/<ident>")
def one(ident):
    return jsonify({"passport": {"score": 1, "main_wallet": "0x"}})


def all_of():
    return {"passports": [], "pagination": {"total": 0}}


app.add_url_rule("/api/v1/passports", view_func=all_of)


def stub():
    responses.add(responses.GET, "https://rep.example.org/api/v1/passports/5", json={"passport": {"score": 4}})
    responses.get("https://rep.example.org/api/v1/passport_credentials", json={})
