LEVELS = [(100, "Legend"), (60, "Builder"), (20, "Rookie")]


def role_for(score: int) -> str | None:
    for minimum, name in LEVELS:
        if score >= minimum:
            return name
    return None
