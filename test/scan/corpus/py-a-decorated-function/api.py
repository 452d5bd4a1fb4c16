import requests
from deco import logged, unwrap

HOST = "https://rep.example.org"


@unwrap("passport")
def passport(ident):
    return requests.get(HOST + "/api/v1/passports/" + ident)  # call: passport


@logged
@unwrap("passport_credentials")
def credentials(ident):
    return requests.get(HOST + "/api/v1/passport_credentials?passport_id=" + ident)  # call: passport-credentials


@logged
def label(ident):
    p = passport(ident)
    c = credentials(ident)
    return p["skills_score"], c[0]["category"]  # read: passport.skills_score, passport_credentials[].category
