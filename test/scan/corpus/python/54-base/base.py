import abc
import requests


class BaseApi(abc.ABC):
    host = ""
    prefix = "/api/v1"
    resource = ""

    def url(self, *parts):
        return "/".join([self.host + self.prefix, self.resource, *map(str, parts)])

    def fetch(self, *parts, **params):
        res = requests.get(self.url(*parts), params=params)  # call: passport-list, passport
        res.raise_for_status()
        return res.json()
