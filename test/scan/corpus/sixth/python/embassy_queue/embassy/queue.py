import heapq
from dataclasses import dataclass, field

from .documents import holder_name, list_booklets, risk


@dataclass(order=True)
class Ticket:
    priority: float
    number: str = field(compare=False)
    name: str = field(compare=False)


class Queue:
    def __init__(self):
        self._heap = []

    def push(self, number):
        heapq.heappush(self._heap, Ticket(-risk(number), number, holder_name(number)))

    def fill(self, keyword):
        booklets, total = list_booklets(keyword)
        for booklet in booklets:
            if booklet["category"] == "diplomatic" or booklet["score"] > 50:
                self.push(booklet["passport_id"])
        return total

    def pop(self):
        return heapq.heappop(self._heap)
