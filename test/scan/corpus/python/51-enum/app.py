from client import Client
from paths import Settings

client = Client(Settings())


def view(ident):
    page, one, creds = client.listing(), client.one(ident), client.creds(ident)
    for c in creds["passport_credentials"]:
        print(c["name"], c["type"])  # read: passport_credentials[].name, passport_credentials[].type
    print(page["passports"][0]["score"], one["passport"]["passport_id"])  # read: passports[].score, passport.passport_id
    for n in client.news()["items"]:
        print(n["name"], n["type"], n["score"])
