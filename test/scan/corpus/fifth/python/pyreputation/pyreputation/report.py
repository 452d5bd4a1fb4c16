from .client import Client, Person


def line(person: Person) -> str:
    return f"{person.passport_id:>8}  {person.name:<24} {person.score:>6} L{person.level}"


def report(client: Client, idents) -> str:
    people = [client.person(i) for i in idents]
    people.sort(key=lambda p: p.score, reverse=True)
    return "\n".join(line(p) for p in people)


def mean_score(people) -> float:
    people = list(people)
    if not people:
        return 0.0
    return sum(p.score for p in people) / len(people)
