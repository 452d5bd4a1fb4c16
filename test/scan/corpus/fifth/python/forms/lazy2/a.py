import requests, functools
BASE = "https://r.example.org"


class Lazy:
    def __init__(self, ident):
        self.ident = ident
        self._raw = None

    @property
    def raw(self):
        if self._raw is None:
            self._raw = requests.get(BASE + "/api/v1/passports/" + self.ident).json()  # call: passport
        return self._raw

    @functools.cached_property
    def passport(self):
        return self.raw["passport"]

    @property
    def score(self):
        return self.passport["score"]  # read: passport.score

    def __getitem__(self, key):
        return self.passport[key]

    def __repr__(self):
        return f"<{self['main_wallet']}>"  # read: passport.main_wallet
