from session import RepSession, default_session

hr = RepSession("https://hr.example.com/api/v1")


def search(keyword):
    with default_session() as s:
        payload = s.get("/passports", params={"keyword": keyword}).json()  # call: passport-list
    print("pages", payload["pagination"]["last_page"])  # read: pagination.last_page
    return [
        {
            "id": item["passport_id"],  # read: passports[].passport_id
            "where": item["passport_profile"]["location"],  # read: passports[].passport_profile.location
            "busy": item["calculating_score"],  # read: passports[].calculating_score
        }
        for item in payload["passports"]
    ]


def latest(pid):
    body = default_session("k").get("/passport_credentials", params={"passport_id": pid}).json()  # call: passport-credentials
    newest = max(body["passport_credentials"], key=lambda c: c["earned_at"])  # read: passport_credentials[].earned_at
    return newest["type"], newest["value"]  # read: passport_credentials[].type, passport_credentials[].value


def employees(keyword):
    rows = hr.get("/employees", params={"keyword": keyword}).json()["employees"]
    return [(r["passport_id"], r["score"], r["type"]) for r in rows]
