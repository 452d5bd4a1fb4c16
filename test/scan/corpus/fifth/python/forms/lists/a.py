import requests
ROOT = ["https://r.example.org", "api", "v1"]


def one(i):
    return requests.get("/".join(ROOT + ["passports", str(i)])).json()["passport"]["score"]  # call: passport; read: passport.score


def two():
    return requests.get("/".join([*ROOT, "passports"])).json()["passports"][0]["score"]  # call: passport-list; read: passports[].score


def three(i):
    parts = list(ROOT)
    parts.append("passport_credentials")
    url = "/".join(parts) + f"?passport_id={i}"
    return [c["name"] for c in requests.get(url).json()["passport_credentials"]]  # call: passport-credentials; read: passport_credentials[].name


def four(i):
    url = "/".join(str(x) for x in (*ROOT, "passports", i))
    return requests.get(url).json()["passport"]["merged"]  # call: passport; read: passport.merged


def five(i):
    url = "/".join(map(str, ROOT + ["passports", i]))
    return requests.get(url).json()["passport"]["merged"]  # call: passport; read: passport.merged


def six(i):
    parts = ROOT[:]
    parts += ["passports", i]
    return requests.get("/".join(parts)).json()["passport"]["main_wallet"]  # call: passport; read: passport.main_wallet
