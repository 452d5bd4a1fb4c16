import requests

REGISTRY = {}


def register(name):
    def wrap(cls):
        REGISTRY[name] = cls
        return cls
    return wrap


class Source:
    path = None

    def load(self, ident):
        raise NotImplementedError

    def run(self, ident):
        return self.parse(self.load(ident))


@register("rep")
class RepSource(Source):
    def load(self, ident):
        return requests.get(f"https://rep.example.org/api/v1/passports/{ident}").json()  # call: passport

    def parse(self, body):
        p = body["passport"]
        return {"name": p["passport_profile"]["display_name"], "score": p["score"]}  # read: passport.passport_profile.display_name, passport.score


@register("git")
class GitSource(Source):
    def load(self, ident):
        return requests.get(f"https://api.github.com/users/{ident}").json()

    def parse(self, body):
        return {"name": body["name"], "score": body["score"], "bio": body["passport_profile"]["bio"]}


def everything(ident):
    return [cls().run(ident)["score"] for cls in REGISTRY.values()]
