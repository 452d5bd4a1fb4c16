from itertools import chain, groupby
from operator import itemgetter
from functools import reduce
from collections import Counter, defaultdict
import heapq
import requests

BASE = "https://rep.example.org/api/v1"


def people():
    return requests.get(BASE + "/passports").json()["passports"]  # call: passport-list


def stats():
    ps = people()
    best = max(ps, key=lambda p: p["skills_score"])  # read: passports[].skills_score
    print(best["main_wallet"])  # read: passports[].main_wallet
    ordered = sorted(ps, key=itemgetter("activity_score"))  # read: passports[].activity_score
    print(ordered[0]["score"])  # read: passports[].score
    ids = list(map(itemgetter("passport_id"), ps))  # read: passports[].passport_id
    humans = list(filter(lambda p: p["human_checkmark"], ps))  # read: passports[].human_checkmark
    print(humans[0]["identity_score"], ids)  # read: passports[].identity_score
    top = heapq.nlargest(3, ps, key=lambda p: p["connections_count"])  # read: passports[].connections_count
    print(top[0]["passport_profile"]["location"])  # read: passports[].passport_profile.location
    tags = Counter(chain.from_iterable(p["passport_profile"]["tags"] for p in ps))  # read: passports[].passport_profile.tags[]
    by = defaultdict(list)
    for p in ps:
        by[p["passport_profile"]["location"]].append(p)  # read: passports[].passport_profile.location
    for place, group in by.items():
        print(place, len(group), group[0]["score"])  # read: passports[].score
    for place, group in groupby(ps, key=lambda p: p["passport_profile"]["location"]):  # read: passports[].passport_profile.location
        print(place, [g["main_wallet"] for g in group])  # read: passports[].main_wallet
    total = reduce(lambda acc, p: acc + p["score"], ps, 0)  # read: passports[].score
    index = {p["passport_id"]: p for p in ps}  # read: passports[].passport_id
    print(index[3]["merged"] if 3 in index else tags, total)
    print(index.get(5)["last_calculated_at"])  # read: passports[].last_calculated_at
    for key in ("score", "activity_score"):  # read: passports[].score, passports[].activity_score
        print(sum(p[key] for p in ps))
    first, *rest = ps
    print(first["calculating_score"], rest[0]["verified_wallets"])  # read: passports[].calculating_score, passports[].verified_wallets[]
