from dataclasses import dataclass
from threading import Lock


@dataclass
class Application:
    wallet: str
    name: str
    city: str | None
    score: float
    statement: str


class Applications:
    def __init__(self):
        self._items = {}
        self._lock = Lock()

    def add(self, application):
        with self._lock:
            self._items[application.wallet] = application

    def all(self):
        return sorted(self._items.values(), key=lambda a: a.score, reverse=True)


applications = Applications()
