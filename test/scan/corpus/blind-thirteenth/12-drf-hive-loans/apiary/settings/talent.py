from decouple import config

TALENT = {
    "BASE_URL": config("TALENT_BASE_URL", default="https://api.talentprotocol.com/api/v1/"),
    "API_KEY": config("TALENT_API_KEY", default=""),
    "TIMEOUT": config("TALENT_TIMEOUT", default=8, cast=int),
}
HIVE_LOAN_MIN_SCORE = config("HIVE_LOAN_MIN_SCORE", default=30, cast=int)
WEATHER_URL = "https://api.open-meteo.com/v1/forecast"
