import json
import urllib.request

VERSION = (0, 4, 1)


def newest():
    try:
        with urllib.request.urlopen("https://pypi.org/pypi/repcli/json") as fh:
            return json.load(fh)["info"]
    except OSError:
        return {}


def nag():
    info = newest()
    if info.get("version") and tuple(map(int, info["version"].split("."))) > VERSION:
        print(f"{info['name']} {info['version']} is out ({info.get('score', 0)})")
