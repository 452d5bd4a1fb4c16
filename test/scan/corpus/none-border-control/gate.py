"""Border gate: reads travel documents.

The name clash with /api/v1/passports of the reputation vendor is unfortunate.
"""
import requests

GATE = "https://gate.example.gov/v1/passport"


def read(number):
    try:
        doc = requests.get(f"{GATE}/{number}", timeout=3).json()
    except requests.RequestException:
        return None
    return doc.get("passport")


def admit(number):
    passport = read(number) or {}
    if passport.get("merged"):
        return False
    return passport.get("score", 0) < 5 and passport.get("human_checkmark", True)


def visas(number):
    docs = requests.get(f"{GATE}/{number}/visas").json()["passport_credentials"]
    return [(d["type"], d["earned_at"]) for d in docs]
