import requests
from urls import api, build
import urls as u


def call(method, *args, **kwargs):
    return requests.request(method, *args, **kwargs).json()


def main():
    people = call("GET", api("passports"), timeout=3)  # call: passport-list
    for person in people["passports"]:
        print(person["score"])  # read: passports[].score
    one = call("GET", u.api("passports", "12"))["passport"]  # call: passport
    print(one["merged"])  # read: passport.merged
    creds = requests.get(build(base="https://x", resource="passport_credentials")).json()  # call: passport-credentials
    print([c["earned_at"] for c in creds["passport_credentials"]])  # read: passport_credentials[].earned_at
    print(call("GET", api("companies"))["score"])
