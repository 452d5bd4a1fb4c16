import click
from rich.console import Console
from rich.table import Table

from .api import Api, ApiError
from .models import Credential, Passport

console = Console()


def load(api: Api, wallet: str) -> Passport:
    profile = api.profile(wallet)
    if profile is None:
        raise click.ClickException(f"no profile for {wallet}")
    score = api.score(wallet)
    credentials = [
        Credential(
            name=c["name"],
            category=c["category"],
            score=c.get("points", 0),
            max_score=c.get("max_score"),
            value=c.get("readable_value"),
        )
        for c in api.credentials(wallet)
    ]
    return Passport(
        id=profile["id"],
        display_name=profile.get("display_name") or profile.get("name") or "anonymous",
        bio=profile.get("bio") or "",
        score=score.get("points", 0),
        human_checkmark=profile.get("human_checkmark", False),
        main_wallet=profile.get("main_wallet_address"),
        credentials=credentials,
    )


@click.group()
@click.option("--key", envvar="TALENT_API_KEY", required=True)
@click.pass_context
def main(ctx: click.Context, key: str) -> None:
    ctx.obj = Api(key)


@main.command()
@click.argument("wallet")
@click.pass_obj
def show(api: Api, wallet: str) -> None:
    """Show the passport of a wallet."""
    try:
        passport = load(api, wallet)
    except ApiError as exc:
        raise click.ClickException(str(exc)) from exc

    console.print(f"[bold]{passport.display_name}[/] {'✓' if passport.human_checkmark else ''}")
    console.print(passport.bio)
    console.print(f"score {passport.score}, main wallet {passport.main_wallet}")

    table = Table("credential", "category", "score", "value")
    for c in sorted(passport.earned, key=lambda c: c.score, reverse=True):
        table.add_row(c.name, c.category, f"{c.score}/{c.max_score or '-'}", c.value or "")
    console.print(table)


@main.command()
@click.argument("wallet")
@click.pass_obj
def followers(api: Api, wallet: str) -> None:
    """Followers per network."""
    for social in api.socials(wallet):
        console.print(f"{social['source']}: {social.get('followers_count', 0)}")
