from html import escape

BADGES = {"github": "🐙", "farcaster": "🟪", "lens": "🌿", "linkedin": "💼", "twitter": "🐦"}


def headline(p: dict) -> str:
    profile = p["passport_profile"]
    name = escape(profile.get("display_name") or "somebody")
    mark = " ✅" if p.get("human_checkmark") else ""
    return f"<b>{name}</b>{mark} · {p['score']}"


def full(p: dict) -> str:
    lines = [headline(p)]
    if bio := p["passport_profile"].get("bio"):
        lines.append(f"<i>{escape(bio)}</i>")
    if p.get("calculating_score"):
        lines.append("⏳ the score is being calculated")
    lines.append("")
    lines.append(f"🏃 {p.get('activity_score', 0)}  🪪 {p.get('identity_score', 0)}  🛠 {p.get('skills_score', 0)}")
    lines.append(f"👛 {len(p['verified_wallets'])} wallets, 🤝 {p.get('connections_count', '–')} connections")
    for social in p.get("passport_socials", ()):
        lines.append(social_line(social))
    return "\n".join(lines)


def social_line(social: dict) -> str:
    source = social["source"]
    label = escape(social.get("profile_display_name") or social.get("profile_name") or source)
    url = social.get("profile_url")
    text = f'<a href="{url}">{label}</a>' if url else label
    followers = int(social.get("follower_count") or 0)
    return f"{BADGES.get(source, '🔗')} {text}" + (f" ({followers} followers)" if followers else "")


def credential_line(c: dict) -> str:
    name, score, best = c["name"], c["score"], c["max_score"]
    return f"• {escape(name)}: {score}/{best}" + (f" – {escape(c['value'])}" if c.get("value") else "")
