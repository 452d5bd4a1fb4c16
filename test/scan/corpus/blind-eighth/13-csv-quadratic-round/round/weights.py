import math
from collections import defaultdict

HUMAN_BONUS = 0.5
SYBIL_FLOOR = 0.1
UNIQUE_TYPES = {"world_id", "coinbase_verified", "human_passport", "binance_babt"}


def identity_weight(passport, credentials):
    """Between 0.1 (unknown) and 2."""
    if passport is None:
        return SYBIL_FLOOR
    weight = SYBIL_FLOOR
    weight += min(passport["identity_score"], 40) / 80
    weight += min(passport.get("activity_score") or 0, 40) / 160
    if passport["human_checkmark"]:
        weight += HUMAN_BONUS
    held = {c["type"] for c in credentials if c["score"] > 0}
    weight += 0.2 * len(held & UNIQUE_TYPES)
    if len(passport["verified_wallets"]) > 5:
        weight *= 0.9
    return round(min(weight, 2.0), 3)


def quadratic(donations, weights):
    roots = defaultdict(float)
    plain = defaultdict(float)
    for row in donations:
        amount = float(row["amount"])
        roots[row["project"]] += weights[row["donor"]] * math.sqrt(amount)
        plain[row["project"]] += amount
    return {project: root ** 2 - plain[project] for project, root in roots.items()}


def merge_wallets(donations, owners):
    """Two wallets of one passport are one donor."""
    merged = defaultdict(float)
    for row in donations:
        merged[owners.get(row["donor"], row["donor"]), row["project"]] += float(row["amount"])
    return [{"donor": donor, "project": project, "amount": amount} for (donor, project), amount in merged.items()]
