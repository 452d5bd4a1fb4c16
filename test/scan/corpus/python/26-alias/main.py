import pkg
from pkg import Credentials as C


def run(ident):
    p = pkg.passport(ident)
    name = (p["passport_profile"] or {}).get("display_name") or "anon"  # read: passport.passport_profile.display_name; hazard: fallback-default
    print(name, *[c["name"] for c in C.of(ident)])  # read: passport_credentials[].name
    body = pkg.listing()
    print(body["pagination"]["total"], len(body["passports"]))  # read: pagination.total
    print({**p, "extra": 1}["main_wallet"])  # read: passport.main_wallet
    copy = dict(p)
    copy.update(seen=True)
    print(copy["merged"])  # read: passport.merged
