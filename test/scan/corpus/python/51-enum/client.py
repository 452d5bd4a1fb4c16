import requests
from paths import ENDPOINTS, Path, Settings


class Client:
    def __init__(self, settings: Settings):
        self.settings = settings
        self.session = requests.Session()

    def _url(self, path: Path, **kw) -> str:
        return self.settings.base + path.value.format(**kw)

    def _get(self, path, params=None, **kw):
        return self.session.get(self._url(path, **kw), params=params).json()

    def listing(self):
        return self._get(Path.LIST)  # call: passport-list

    def one(self, ident):
        return self._get(ENDPOINTS["passport"], id=ident)  # call: passport

    def creds(self, ident):
        return self._get(Path.CREDS, {"passport_id": ident})  # call: passport-credentials

    def news(self):
        return self._get(Path.NEWS)
