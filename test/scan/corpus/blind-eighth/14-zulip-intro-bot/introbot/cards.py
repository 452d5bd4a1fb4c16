from datetime import datetime, timezone
from itertools import groupby
from operator import itemgetter

import humanize

ICONS = {"farcaster": "🟪", "lens": "🌿", "github": "🐙", "twitter": "🐦"}


def bar(part: float, whole: float, width: int = 10) -> str:
    if not whole:
        return "░" * width
    filled = round(width * min(part / whole, 1))
    return "█" * filled + "░" * (width - filled)


def title(p: dict) -> str:
    profile = p["passport_profile"]
    name = profile["display_name"] or f"Passport {p['passport_id']}"
    return f"**{name}**" + (" ✅" if p["human_checkmark"] else "")


def age(p: dict) -> str:
    when = p.get("last_calculated_at")
    if not when:
        return "never calculated"
    then = datetime.fromisoformat(when.replace("Z", "+00:00"))
    return humanize.naturaltime(datetime.now(timezone.utc) - then)


def social_line(s: dict) -> str:
    icon = ICONS.get(s["source"], "🔗")
    label = s.get("profile_display_name") or s.get("profile_name") or s["source"]
    followers = s.get("follower_count")
    tail = f" ({humanize.intcomma(followers)} followers)" if followers else ""
    url = s.get("profile_url")
    return f"- {icon} [{label}]({url}){tail}" if url else f"- {icon} {label}{tail}"


def card(p: dict) -> str:
    lines = [title(p)]
    if bio := p["passport_profile"].get("bio"):
        lines.append(f"> {bio}")
    lines += [
        "",
        f"score **{p['score']}**, {age(p)}" + (" (being recalculated)" if p["calculating_score"] else ""),
        f"activity {p['activity_score']}, identity {p['identity_score']}, skills {p['skills_score']}",
    ]
    tags = p["passport_profile"].get("tags") or []
    if tags:
        lines.append(" ".join(f"`{t}`" for t in tags[:8]))
    lines += [social_line(s) for s in p.get("passport_socials", [])]
    if p.get("merged"):
        lines.append("*This passport was merged into another one.*")
    return "\n".join(lines)


def hits(result: dict, limit: int = 8) -> str:
    found = result["passports"][:limit]
    if not found:
        return "Nobody of that name."
    rows = [f"{i}. {title(p)}: {p['score']} `who {p['main_wallet']}`" for i, p in enumerate(found, 1)]
    more = result["pagination"]["total"] - len(found)
    if more > 0:
        rows.append(f"… and {more} more")
    return "\n".join(rows)


def proof_table(items: list[dict], category: str | None) -> str:
    by_category = itemgetter("category")
    blocks = []
    for name, group in groupby(sorted(items, key=by_category), key=by_category):
        if category and name.lower() != category.lower():
            continue
        blocks.append(f"**{name}**")
        for c in group:
            got, most = c["score"], c["max_score"]
            blocks.append(f"- `{bar(got, most)}` {c['name']} {got}/{most} {c.get('value') or ''}")
    return "\n".join(blocks) or "No proofs."
