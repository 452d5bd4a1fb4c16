import requests

BASE = "https://api.example.com"


def get(path):
    r = requests.get(BASE + path)
    if r.status_code != 200:
        return r.status_code, None
    return r.status_code, r.json()


def fetch(path):
    return get(path)


def show(id):
    status, body = get("/api/v1/passports/" + id)  # call: passport
    if status == 200:
        print(body["passport"]["score"])  # read: passport.score


def first():
    code, answer = fetch("/api/v1/passports")  # call: passport-list
    print(code, [row["main_wallet"] for row in answer["passports"]])  # read: passports[].main_wallet


def indexed(id):
    answer = get("/api/v1/passports/" + id)  # call: passport
    return answer[1]["passport"]["merged"]  # read: passport.merged


def users():
    status, body = get("/users")
    return body["score"] if status == 200 else body["bio"]
