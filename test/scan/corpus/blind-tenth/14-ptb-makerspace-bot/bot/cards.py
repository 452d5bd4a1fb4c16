from __future__ import annotations

from html import escape

ICONS = {"github": "🐙", "farcaster": "🟪", "lens": "🌿", "twitter": "🐦"}
MACHINE_BADGES = {"laser": "hackathon_winner", "cnc": "github_contributor"}


def member_card(member: dict) -> str:
    profile = member.get("passport_profile", {})
    lines = [f"<b>{escape(profile.get('display_name') or 'no name')}</b>"]
    if bio := profile.get("bio"):
        lines.append(f"<i>{escape(bio[:180])}</i>")
    lines.append(f"Score {member['score']} (identity {member['identity_score']})")
    if member.get("calculating_score"):
        lines.append("⏳ being recalculated")
    wallets = member.get("verified_wallets", [])
    lines.append(f"{len(wallets)} wallet(s)")
    return "\n".join(lines)


def social_lines(socials: list[dict]) -> list[str]:
    out = []
    for entry in sorted(socials, key=reach, reverse=True):
        match entry:
            case {"source": source, "profile_url": str(url)} if url:
                label = entry.get("profile_display_name") or source
                out.append(f'{ICONS.get(source, "•")} <a href="{url}">{escape(label)}</a>')
            case {"source": source}:
                out.append(f"{ICONS.get(source, '•')} {source}")
    return out


def reach(entry: dict) -> int:
    return int(entry["follower_count"] or 0)


def machines(badges: list[dict]) -> set[str]:
    held = {badge["type"] for badge in badges if badge["score"] > 0}
    return {machine for machine, kind in MACHINE_BADGES.items() if kind in held}
