import requests

BASE = "https://rep.example.org"
KEY = "k"


def score(ident):
    return (
        requests
        .get(f"{BASE}/api/v1/passports/{ident}", headers={"X-API-KEY": KEY})  # call: passport
        .json()
        .get("passport", {})  # hazard: fallback-default
        .get("score")  # read: passport.score
    )


def creds(
    ident,
):
    response = requests.get(  # call: passport-credentials
        BASE
        + "/api/v1"
        + "/passport_credentials",
        params={
            "passport_id": ident,
        },
    )
    return [
        (
            c["id"],  # read: passport_credentials[].id
            c["value"],  # read: passport_credentials[].value
        )
        for c in response.json()["passport_credentials"]
    ]
