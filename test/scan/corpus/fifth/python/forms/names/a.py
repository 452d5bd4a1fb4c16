import requests
from operator import itemgetter, attrgetter
FIELDS = ("score", "main_wallet")  # read: passport.score, passport.main_wallet
LABELS = {"passport_id": "Id", "human_checkmark": "Human"}  # read: passport.passport_id, passport.human_checkmark
ROWS = [
    ("Skills", "skills_score"),  # read: passport.skills_score
    ("Merged", "merged"),  # read: passport.merged
]
COLS = ["activity_score"]  # read: passport.activity_score
DEEP = ["passport_profile", "bio"]  # read: passport.passport_profile.bio
OTHER = ["connections_count"]
MAPPED = ["identity_score"]  # read: passport.identity_score


def load(i):
    return requests.get(f"https://r.example.org/api/v1/passports/{i}").json()["passport"]  # call: passport


def a(i):
    p = load(i)
    return {k: p[k] for k in FIELDS}


def b(i):
    p = load(i)
    for key, label in LABELS.items():
        print(label, p[key])


def c(i):
    p = load(i)
    return [f"{title}: {p.get(field)}" for title, field in ROWS]


def d(i):
    p = load(i)
    return itemgetter(*COLS)(p)


def e(i):
    value = load(i)
    for part in DEEP:
        value = value[part]
    return value


def f(i):
    return tuple(map(load(i).get, MAPPED))


def g(i):
    p = load(i)
    return [v for k, v in p.items() if k in OTHER]
