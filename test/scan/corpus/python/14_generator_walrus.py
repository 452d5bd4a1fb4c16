import contextlib
import requests

URL = "/".join(["https://api.example.com", "api", "v1", "passports"])


def every():
    page = 1
    while (body := requests.get(f"{URL}?page={page}").json())["passports"]:  # call: passport-list
        yield from body["passports"]
        page += 1


def totals():
    humans = [p for p in every() if p["human_checkmark"]]  # read: passports[].human_checkmark
    first, *_ = humans
    return len(humans), first["connections_count"]  # read: passports[].connections_count


def quiet(wallet):
    with contextlib.suppress(Exception):  # hazard: catch-default
        return requests.get(URL + "/" + wallet).json()["passport"]["score"] or 0  # call: passport; read: passport.score; hazard: fallback-default
