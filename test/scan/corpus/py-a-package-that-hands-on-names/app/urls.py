import os

ROOT = os.environ.get("V1_ROOT", "https://api.example.com/api/v1")


def url_for(name, **kwargs):
    return f"{ROOT}/{name}"
