import requests


def make_client(base, key):
    session = requests.Session()
    session.headers.update({"X-API-KEY": key})

    def get(path, **params):
        url = base + path
        res = session.get(url, params=params)
        return res.json()

    def passports(keyword):
        return get("/passports", keyword=keyword)  # call: passport-list

    def passport(ident):
        return get("/passports/" + str(ident))  # call: passport

    return {"list": passports, "one": passport, "raw": get}


client = make_client("https://rep.example.org/api/v1", "k")


def run():
    for p in client["list"]("x")["passports"]:
        print(p["skills_score"])  # read: passports[].skills_score
    one = client["one"](5)["passport"]
    print(one["merged"], client["raw"]("/news")["score"])  # read: passport.merged
    creds = client["raw"]("/passport_credentials", passport_id=5)  # call: passport-credentials
    total, n = 0, 0
    for c in creds["passport_credentials"]:
        total += c["score"]  # read: passport_credentials[].score
        n += 1
    return total / n
