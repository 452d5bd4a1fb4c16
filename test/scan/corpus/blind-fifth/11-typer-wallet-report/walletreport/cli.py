from __future__ import annotations

import os
from pathlib import Path
from typing import Optional

import httpx
import typer
from dotenv import load_dotenv
from rich.console import Console

from .client import PassportClient, PassportError
from .report import credential_summary, followers, overview

load_dotenv()
app = typer.Typer(help="Reports about wallets and their passports")
console = Console()


def _client() -> PassportClient:
    return PassportClient(os.environ.get("PASSPORT_API_KEY"))


@app.command()
def wallets(file: Path, skip_errors: bool = typer.Option(False, "--skip-errors")) -> None:
    """A table for all wallets in FILE, one per line."""
    client = _client()
    found = []
    for wallet in file.read_text().split():
        try:
            found.append(client.passport(wallet))
        except (PassportError, httpx.HTTPError) as e:
            console.print(f"[red]{wallet}: {e}")
            if not skip_errors:
                raise typer.Exit(1)
    console.print(overview(found))


@app.command()
def show(wallet: str) -> None:
    client = _client()
    try:
        passport = client.passport(wallet)
        credentials = client.credentials(passport["passport_id"])
    except PassportError as e:
        console.print("no passport" if e.status == 404 else f"[red]{e}")
        raise typer.Exit(1)
    console.rule(passport["passport_profile"]["display_name"])
    console.print(passport["passport_profile"].get("bio"))
    for category, (got, most) in credential_summary(credentials).items():
        console.print(f"{category:10} {got:.0f} of {most:.0f}")
    for network, count in followers(passport).items():
        console.print(f"{network:10} {count} followers")
    console.print("wallets: " + ", ".join(passport["verified_wallets"]))


@app.command()
def search(keyword: str, location: Optional[str] = None, limit: int = 50) -> None:
    hits = [
        p
        for p in _client().search(keyword, limit)
        if location is None or location.lower() in (p["passport_profile"]["location"] or "").lower()
    ]
    console.print(overview(hits))


if __name__ == "__main__":
    app()
