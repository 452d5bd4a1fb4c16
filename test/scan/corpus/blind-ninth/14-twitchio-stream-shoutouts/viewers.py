import json
from pathlib import Path


class Viewers:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.links: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}

    def wallet(self, name: str) -> str | None:
        return self.links.get(name.lower())

    def link(self, name: str, wallet: str) -> None:
        self.links[name.lower()] = wallet
        self.path.write_text(json.dumps(self.links, indent=2))
