import requests

session = requests.Session()
session.headers["X-API-KEY"] = "from-environment"


def all_passports():
    page = 1
    found = []
    while True:
        res = session.get("https://api.example.com/api/v1/passports", params={"page": page})  # call: passport-list
        body = res.json()
        found.extend(body["passports"])
        pagination = body["pagination"]  # read: pagination
        if pagination["current_page"] == pagination["last_page"]:  # read: pagination.current_page, pagination.last_page
            break
        page += 1
    return found


def main():
    people = all_passports()
    people.sort(key=lambda p: p["score"], reverse=True)  # read: passports[].score
    for rank, person in enumerate(people):
        print(rank, person["passport_id"], person["activity_score"])  # read: passports[].passport_id, passports[].activity_score
