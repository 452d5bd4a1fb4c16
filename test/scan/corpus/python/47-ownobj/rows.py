from dataclasses import dataclass, asdict
import requests


@dataclass
class Row:
    passport_id: int
    score: float
    main_wallet: str

    @classmethod
    def of(cls, raw):
        return cls(raw["passport_id"], raw["score"], raw["main_wallet"])  # read: passports[].passport_id, passports[].score, passports[].main_wallet


def rows():
    body = requests.get("https://rep.example.org/api/v1/passports").json()  # call: passport-list
    return [Row.of(p) for p in body["passports"]]


def show(row: Row):
    print(row.passport_id, row.score, row.main_wallet)


def table(rows: list[Row]):
    for r in rows:
        print(r.main_wallet, asdict(r)["score"])


if __name__ == "__main__":
    table(rows())
