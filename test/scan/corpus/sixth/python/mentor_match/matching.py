from __future__ import annotations

from dataclasses import dataclass, field

from .passport_client import PassportClient, PassportClientError


@dataclass
class Mentor:
    passport_id: int
    display_name: str
    score: float
    tags: set[str] = field(default_factory=set)
    reach: int = 0


def find_mentors(client: PassportClient, topic: str) -> list[Mentor]:
    mentors = []
    for item in client.iter_passports(topic):
        profile = item["passport_profile"]  # read: passports[].passport_profile
        if topic not in profile["tags"]:  # read: passports[].passport_profile.tags[]
            continue
        mentors.append(
            Mentor(
                passport_id=item["passport_id"],  # read: passports[].passport_id
                display_name=profile.get("display_name") or "unknown",  # read: passports[].passport_profile.display_name
                score=item["skills_score"],  # read: passports[].skills_score
                tags=set(profile["tags"]),  # read: passports[].passport_profile.tags[]
            )
        )
    return sorted(mentors, key=lambda m: m.score, reverse=True)


def enrich(client: PassportClient, mentor: Mentor) -> Mentor:
    try:
        passport = client.passport(mentor.passport_id)
    except PassportClientError:
        return mentor
    for social in passport["passport_socials"]:  # read: passport.passport_socials
        mentor.reach += int(social["follower_count"] or 0)  # read: passport.passport_socials[].follower_count; hazard: fallback-default
    return mentor


def badges(client: PassportClient, mentor: Mentor) -> list[str]:
    return [f"{c['name']} ({c['category']})" for c in client.credentials(mentor.passport_id)]  # read: passport_credentials[].name, passport_credentials[].category


def report(mentors: list[Mentor]) -> str:
    lines = [f"{m.display_name:<30}{m.score:>8.1f} {m.reach}" for m in mentors]
    return "\n".join(lines)
