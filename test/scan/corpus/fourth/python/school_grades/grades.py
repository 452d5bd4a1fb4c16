import csv
from dataclasses import dataclass


@dataclass
class Grade:
    name: str
    category: str
    score: float
    max_score: float

    @classmethod
    def from_dict(cls, d):
        return cls(d["name"], d["category"], float(d.get("score", 0)), float(d["max_score"]))


def load(path):
    with open(path) as fh:
        return [Grade.from_dict(row) for row in csv.DictReader(fh)]


def percent(grades):
    return sum(g.score for g in grades) / sum(g.max_score for g in grades)


def best(grades):
    return max(grades, key=lambda g: g.score / g.max_score).name
