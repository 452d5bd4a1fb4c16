from quart import Blueprint, abort, current_app, redirect, render_template, request, url_for

bp = Blueprint("desk", __name__)

# wallet (lower case) -> ticket type; filled by the ticket webhook
TICKETS: dict[str, str] = {}


@bp.get("/")
async def index():
    name = (request.args.get("q") or "").strip()
    if not name:
        return await render_template("desk.html", guests=[], pages=None, q="")
    page = request.args.get("page", 1, type=int)
    guests, pages = await current_app.reputation.search(name, page)
    vip = current_app.config["VIP_SCORE"]
    guests.sort(key=lambda g: (g["score"] or 0) >= vip, reverse=True)
    return await render_template("desk.html", guests=guests, pages=pages, q=name, vip=vip)


@bp.get("/guest/<wallet>")
async def guest(wallet: str):
    passport = await current_app.reputation.lookup(wallet)
    if passport is None:
        return await render_template("unknown.html", wallet=wallet), 404
    credentials = await current_app.reputation.credentials(passport["passport_id"])
    events = [c for c in credentials if c["category"] == "Activity"]
    ticket = ticket_of(passport)
    return await render_template(
        "guest.html", passport=passport, credentials=credentials, event_count=len(events), ticket=ticket
    )


@bp.post("/guest/<wallet>/checkin")
async def checkin(wallet: str):
    passport = await current_app.reputation.lookup(wallet)
    if not passport:
        abort(404)
    if not passport["human_checkmark"] and ticket_of(passport) != "staff":
        abort(403, "please show an identity document")
    return redirect(url_for("desk.guest", wallet=wallet))


@bp.post("/hooks/tickets")
async def tickets():
    order = await request.get_json()
    for item in order["items"]:
        TICKETS[item["wallet"].lower()] = item["type"]
    return {"total": len(TICKETS)}


def ticket_of(passport: dict) -> str | None:
    for wallet in passport["verified_wallets"]:
        if wallet.lower() in TICKETS:
            return TICKETS[wallet.lower()]
    return None
