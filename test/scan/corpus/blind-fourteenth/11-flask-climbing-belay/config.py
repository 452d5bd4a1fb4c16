import os

from dotenv import load_dotenv

load_dotenv()


class Config:
    SECRET_KEY = os.environ.get("SECRET_KEY", "dev")
    TALENT_API = os.environ.get("TALENT_API", "https://api.talentprotocol.com/api/v1")
    TALENT_KEY = os.environ.get("TALENT_KEY", "")
    OPEN_METEO = "https://api.open-meteo.com/v1/forecast"
    LEAD_SCORE = int(os.environ.get("LEAD_SCORE", 60))
