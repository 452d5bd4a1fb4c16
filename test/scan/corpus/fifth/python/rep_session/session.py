import requests


class RepSession(requests.Session):
    def __init__(self, base_url, api_key=None):
        super().__init__()
        self.base_url = base_url.rstrip("/")
        if api_key:
            self.headers["X-API-KEY"] = api_key

    def request(self, method, path, **kwargs):
        kwargs.setdefault("timeout", 12)
        response = super().request(method, self.base_url + path, **kwargs)
        response.raise_for_status()
        return response


def default_session(key=None):
    return RepSession("https://rep.example.org/api/v1", key)
