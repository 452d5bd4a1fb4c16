import asyncio

import stripe
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

from .pricing import Quote, quote
from .settings import get_settings
from .talent import Talent
from .upstream import ArtistSocial

app = FastAPI(title="Studio bookings")


class ArtistCard(BaseModel):
    passport_id: int
    display_name: str
    tags: list[str]
    handles: dict[str, str]


class Booking(BaseModel):
    artist: str
    room: str
    hours: int


def _handles(socials: list[ArtistSocial]) -> dict[str, str]:
    return {s.network: s.handle for s in socials if s.handle}


@app.get("/artists/{ref}", response_model=ArtistCard)
async def artist_card(ref: str, talent: Talent):
    artist = await talent.artist(ref)
    if artist is None:
        raise HTTPException(404, "unknown artist")
    return ArtistCard(
        passport_id=artist.passport_id,
        display_name=artist.profile.display_name or artist.wallet or "Anonymous",
        tags=artist.profile.tags[:5],
        handles=_handles(artist.socials),
    )


@app.post("/bookings/quote")
async def quote_booking(booking: Booking, talent: Talent) -> Quote:
    artist = await talent.artist(booking.artist)
    credits = await talent.credits(artist.passport_id) if artist else []
    return quote(artist, credits, get_settings())


@app.post("/bookings", status_code=201)
async def create_booking(booking: Booking, talent: Talent):
    priced = await quote_booking(booking, talent)
    if priced.deposit_cents == 0:
        return {"state": "confirmed", "score": priced.score}
    stripe.api_key = get_settings().stripe_key.get_secret_value()
    intent = await asyncio.to_thread(
        stripe.PaymentIntent.create,
        amount=priced.deposit_cents,
        currency="eur",
        metadata={"room": booking.room, "hours": str(booking.hours)},
    )
    return {"state": "awaiting_deposit", "client_secret": intent["client_secret"]}
