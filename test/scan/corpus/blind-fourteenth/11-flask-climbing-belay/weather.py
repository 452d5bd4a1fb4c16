import requests

from config import Config

CRAGS = {
    "El Potrero": (25.95, -100.48),
    "Margalef": (41.28, 0.75),
}


def crag_forecast(name):
    lat, lon = CRAGS[name]
    r = requests.get(
        Config.OPEN_METEO,
        params={"latitude": lat, "longitude": lon, "daily": "temperature_2m_max", "forecast_days": 3},
        timeout=5,
    )
    if not r.ok:
        return []
    daily = r.json()["daily"]
    return list(zip(daily["time"], daily["temperature_2m_max"]))
