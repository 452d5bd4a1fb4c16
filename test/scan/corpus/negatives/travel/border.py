import requests

def check(passport):
    r = requests.post("https://border.example.org/api/v1/passports", json=passport)
    data = r.json()
    return data.get("passport", {}).get("score", 0)

def visa(country):
    return requests.get(f"https://border.example.org/api/v1/passport/{country}").json()["score"]
