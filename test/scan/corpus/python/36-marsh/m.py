from marshmallow import Schema, fields, post_load, EXCLUDE
import requests


class ProfileSchema(Schema):
    display_name = fields.Str()
    bio = fields.Str(allow_none=True)


class PassportSchema(Schema):
    class Meta:
        unknown = EXCLUDE

    passport_id = fields.Int()
    score = fields.Float()
    passport_profile = fields.Nested(ProfileSchema)


def load(ident):
    res = requests.get(f"https://rep.example.org/api/v1/passports/{ident}")  # call: passport
    return PassportSchema().load(res.json()["passport"])


def show(ident):
    p = load(ident)
    print(p["passport_id"], p["passport_profile"]["bio"])  # read: passport.passport_id, passport.passport_profile.bio
