import os

from dotenv import load_dotenv

load_dotenv()


class Config:
    SECRET_KEY = os.environ.get("SECRET_KEY", "dev")
    DATABASE = os.environ.get("DATABASE", "marina.db")
    TALENT_API_URL = os.environ.get("TALENT_API_URL", "https://api.talentprotocol.com/api/v1")
    TALENT_API_KEY = os.environ.get("TALENT_API_KEY")
    WEATHER_URL = "https://api.open-meteo.com/v1/forecast"
    SKIPPER_MIN_SCORE = int(os.environ.get("SKIPPER_MIN_SCORE", 60))
    CACHE_TYPE = "SimpleCache"
    CACHE_DEFAULT_TIMEOUT = 600
