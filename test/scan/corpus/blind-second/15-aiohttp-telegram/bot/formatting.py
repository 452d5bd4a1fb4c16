from collections import defaultdict
from typing import Iterable


def credential_lines(items: Iterable[dict], limit: int = 20) -> list[str]:
    groups = defaultdict(list)
    for item in items:
        if item["score"] == 0:
            continue
        groups[item["category"]].append(item)

    lines: list[str] = []
    for category, members in sorted(groups.items()):
        lines.append(f"— {category} —")
        for m in sorted(members, key=lambda m: -m["score"]):
            value = m.get("value")
            lines.append(f"{m['name']}: {m['score']}/{m['max_score']}" + (f" ({value})" if value else ""))
    return lines[:limit]
