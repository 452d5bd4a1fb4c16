import logging
import shlex

import httpx

from . import cards, talent

log = logging.getLogger("introbot")
COMMANDS = {}


def command(name, usage):
    def register(fn):
        COMMANDS[name] = (fn, usage)
        return fn

    return register


@command("who", "who <wallet or id>")
def who(ref):
    return cards.card(talent.one(ref))


@command("find", "find <name>")
def find(*words):
    return cards.hits(talent.find(" ".join(words)))


@command("proof", "proof <wallet or id> [category]")
def proof(ref, category=None):
    return cards.proof_table(talent.proofs(ref), category)


def score_or_zero(ref):
    try:
        return talent.one(ref)["score"]
    except (talent.TalentError, httpx.HTTPError):
        return 0


@command("compare", "compare <a> <b>")
def compare(left, right):
    a, b = score_or_zero(left), score_or_zero(right)
    if a == b:
        return f"A draw at {a}."
    return f"`{left if a > b else right}` leads by {abs(a - b)}."


def answer(text: str) -> str:
    try:
        name, *args = shlex.split(text)
    except ValueError:
        name, args = "help", []
    if name not in COMMANDS:
        return "\n".join(f"- `{usage}`" for _, usage in COMMANDS.values())
    fn, usage = COMMANDS[name]
    try:
        return fn(*args)
    except TypeError:
        return f"Usage: `{usage}`"
    except talent.TalentError as exc:
        if exc.status == 404:
            return "I know nobody there."
        log.error("%s %s: %s", name, args, exc)
        return "The passport service refused me. Ask an admin."
    except httpx.HTTPError:
        log.exception("transport")
        return "The passport service does not answer."
