from .types import Player

LADDER = ((120, "Archmage"), (80, "Knight"), (40, "Squire"), (0, "Peasant"))


def rank_of(player: Player) -> str:
    points = player.score + player.activity_score / 2
    if not player.human_checkmark:
        points /= 2
    return next(title for bar, title in LADDER if points >= bar)


def party_score(players: list[Player]) -> float:
    return sum(p.score for p in players) / max(len(players), 1)
