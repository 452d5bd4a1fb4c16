import httpx

from schemas import Listing, Passport


class ReputationService:
    def __init__(self, base: str = "https://rep.example.org"):
        self.http = httpx.Client(base_url=base + "/api/v1")

    def listing(self, keyword: str) -> Listing:
        return Listing.model_validate(self.http.get("/passports", params={"keyword": keyword}).json())  # call: passport-list

    def passport(self, ident: str) -> Passport:
        return Passport(**self.http.get(f"/passports/{ident}").json()["passport"])  # call: passport


def summary(service: ReputationService, keyword: str) -> list[str]:
    listing = service.listing(keyword)
    out = [f"{listing.pagination.total} hits"]  # read: pagination.total
    for p in listing.passports:
        out.append(f"{p.passport_id} {p.skills_score} {p.passport_profile.tags}")  # read: passports[].passport_id, passports[].skills_score, passports[].passport_profile.tags[]
    return out


def fresh(service: ReputationService, ident: str) -> bool:
    p = service.passport(ident)
    if p.last_calculated_at is None:  # read: passport.last_calculated_at
        return False
    return (p.score or 0) > 0  # read: passport.score; hazard: fallback-default


def embassy(number: str) -> str:
    # another "passport": the embassy's register of travel documents
    doc = httpx.get(f"https://embassy.example.gov/v1/passport/{number}").json()["passport"]
    return f"{doc['passport_id']} {doc['score']} {doc['passport_profile']['tags']}"
