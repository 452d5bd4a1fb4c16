from app.api import get_passport
from app import api


def connections(passport_id):
    holder = get_passport(passport_id)
    return holder["connections_count"]  # read: passport.connections_count


def merged(passport_id):
    return bool(api.get_passport(passport_id).get("merged"))  # read: passport.merged


def following_id(passport_id):
    return int(get_passport(passport_id)["passport_id"]) + 1  # read: passport.passport_id; hazard: integer-id
