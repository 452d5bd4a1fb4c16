"""Token prices; an unrelated service whose answers have a score too."""
import requests


def get_token(symbol):
    response = requests.get(f"https://prices.example/api/v1/tokens/{symbol}", timeout=5)
    response.raise_for_status()
    return response.json()


def trust_score(symbol):
    token = get_token(symbol)
    return token.get("score", 0) + token.get("activity_score", 0)


def describe(symbol):
    token = get_token(symbol)
    return f"{token['name']} ({token['category']}): {token['value']}"
