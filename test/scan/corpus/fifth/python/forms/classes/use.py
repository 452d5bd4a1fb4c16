from client import Gateway, HttpGateway, PassportDict, Row


class Service:
    def __init__(self, gateway: Gateway):
        self.gateway = gateway

    def reach(self, ident):
        p = self.gateway.fetch(ident)
        return [s["source"] for s in p["passport_socials"]]  # read: passport.passport_socials, passport.passport_socials[].source

    def score(self, ident):
        match self.gateway.fetch(ident):
            case {"score": int(n)} if n > 3:  # read: passport.score
                return n
            case {"merged": True}:  # read: passport.merged
                return None


def show(p: PassportDict):
    print(p["score"])  # read: passport.score


def table(rows: list[Row]):
    for row in rows:
        print(row.wallet, row.score)  # read: passports[].main_wallet, passports[].score


def main():
    g = HttpGateway("https://r.example.org")
    s = Service(g)
    s.reach("1")
    s.score("2")
    show(g.fetch("3"))
    table(g.rows())
    for c in g.creds("1").passport_credentials:
        print(c.type, c.points)  # read: passport_credentials[].type, passport_credentials[].score
