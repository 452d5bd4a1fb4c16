import click
import requests
from rich.table import Table

BASE = "https://rep.example.org"


class Api:
    def __init__(self, base, token=None):
        self.base, self.token = base, token
        self.s = requests.Session()

    def __call__(self, path, **query):
        return self.s.get(f"{self.base}{path}", params=query).json()


@click.group()
@click.option("--base", default=BASE)
@click.pass_context
def cli(ctx, base):
    ctx.obj = Api(base)


@cli.command()
@click.argument("word")
@click.pass_obj
def search(api: Api, word):
    data = api("/api/v1/passports", keyword=word)  # call: passport-list
    table = Table()
    rows = [(p["passport_id"], p["score"], ", ".join(p["verified_wallets"])) for p in data["passports"]]  # read: passports[].passport_id, passports[].score, passports[].verified_wallets[]
    for row in rows:
        table.add_row(*map(str, row))
    click.echo(f'{data["pagination"]["total"]} found')  # read: pagination.total


@cli.command()
def weather():
    data = Api("https://weather.example.com")("/api/v1/places")
    print(data["places"][0]["score"], data["pagination"]["total"])
