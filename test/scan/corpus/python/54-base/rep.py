from base import BaseApi


class RepApi(BaseApi):
    host = "https://rep.example.org"


class Passports(RepApi):
    resource = "passports"

    def one(self, ident):
        return self.fetch(ident)["passport"]

    def search(self, word):
        return self.fetch(keyword=word)["passports"]


class Teams(RepApi):
    resource = "teams"

    def one(self, ident):
        return self.fetch(ident)["team"]


def go():
    print(Passports().one("1")["score"])  # read: passport.score
    print([p["main_wallet"] for p in Passports().search("x")])  # read: passports[].main_wallet
    print(Teams().one("1")["score"])
