import os

from huey import SqliteHuey

huey = SqliteHuey("leads", filename=os.environ.get("HUEY_DB", "huey.db"))

TALENT_API_URL = os.environ.get("TALENT_API_URL", "https://api.talentprotocol.com")
TALENT_API_KEY = os.environ.get("TALENT_API_KEY")
HUBSPOT_TOKEN = os.environ.get("HUBSPOT_TOKEN", "")
HUBSPOT_URL = "https://api.hubapi.com"
