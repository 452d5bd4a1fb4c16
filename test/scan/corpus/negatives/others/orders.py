import httpx
BASE = "https://shop.example.net/api/v1"
def orders():
    try:
        return [o["score"] for o in httpx.get(f"{BASE}/orders").json()["orders"]]
    except Exception:
        return []
