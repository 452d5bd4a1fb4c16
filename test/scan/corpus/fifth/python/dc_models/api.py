import requests

from models import Credential, Holder

V1 = "https://rep.example.org/api/v1"


def holder(ident):
    r = requests.get(V1 + f"/passports/{ident}", timeout=9)  # call: passport
    r.raise_for_status()
    return Holder.from_dict(r.json()["passport"])


def credentials_of(h):
    r = requests.get(f"{V1}/passport_credentials?passport_id={h.passport_id}", timeout=9)  # call: passport-credentials
    r.raise_for_status()
    return [Credential.from_dict(d) for d in r.json()["passport_credentials"]]


def driver(licence):
    # licences, not passports
    d = requests.get(f"https://dmv.example.gov/v1/licences/{licence}").json()
    return d["passport_id"], d["earned_at"], d["type"]
