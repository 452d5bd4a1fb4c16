import requests


class Pager:
    def __init__(self, base="https://rep.example.org"):
        self.base = base
        self.seen = []

    def __iter__(self):
        url = f"{self.base}/api/v1/passports"
        page = 1
        while url:
            body = requests.get(url, params={"page": page}).json()  # call: passport-list
            yield from body["passports"]
            info = body.get("pagination", {})  # read: pagination; hazard: fallback-default
            if info.get("current_page", 0) >= info.get("last_page", 0):  # read: pagination.current_page, pagination.last_page; hazard: fallback-default
                break
            page += 1

    def collect(self):
        for p in self:
            self.seen.append(p)
        return self.seen


def main():
    for person in Pager():
        print(person["skills_score"])  # read: passports[].skills_score
    out = []
    out += Pager().collect()
    print(out[0]["identity_score"])  # read: passports[].identity_score
