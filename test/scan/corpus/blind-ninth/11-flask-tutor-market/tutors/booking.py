import requests
from flask import current_app


def free_slots(username: str) -> list[str]:
    resp = requests.get(
        f"{current_app.config['CALCOM_URL']}/slots/available",
        params={"usernameList": username, "duration": 45},
        headers={"Authorization": f"Bearer {current_app.config['CALCOM_KEY']}"},
        timeout=5,
    )
    resp.raise_for_status()
    days = resp.json()["data"]["slots"]
    return [slot["time"] for slots in days.values() for slot in slots][:8]
