"""Chat lines. Twitch cuts messages at 500 characters."""

NETWORKS = ("farcaster", "lens", "twitter", "github")


def best_link(socials: list[dict]) -> str | None:
    ranked = sorted(
        (s for s in socials if s["source"] in NETWORKS),
        key=lambda s: NETWORKS.index(s["source"]),
    )
    return ranked[0]["profile_url"] if ranked else None


def shoutout(viewer: str, builder: dict) -> str:
    match builder:
        case {"passport_profile": {"bio": str(bio), "tags": [first, *_]}} if bio:
            about = f"{first}: {bio[:120]}"
        case {"passport_profile": {"location": str(place)}}:
            about = f"building from {place}"
        case _:
            about = "building something"
    link = best_link(builder.get("passport_socials", []))
    return f"Welcome @{viewer}, {about}" + (f" → {link}" if link else "")


def standing(builder: dict | None, twitch_followers: int) -> str:
    score = builder["score"] if builder else 0
    line = f"builder score {score}, {twitch_followers} Twitch followers"
    if builder and (n := builder.get("connections_count")):
        line += f", {n} connections"
    return line


def streak(badges: list[dict]) -> str:
    if not badges:
        return "no badges yet"
    latest = max(badges, key=lambda b: b["earned_at"] or "")
    names = ", ".join(f"{b['name']} {b['score']}/{b['max_score']}" for b in badges if b["category"] == "Activity")
    return f"latest: {latest['name']} ({latest['value']}). {names}"[:480]
