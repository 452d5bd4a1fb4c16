import requests

LIST = "https://rep.example.org/api/v1/passports"
# LIST = "https://rep.example.org/api/v2/passports"


def pages(keyword=""):
    page = 1
    while True:
        data = requests.get(LIST, params={"keyword": keyword, "page": page}).json()  # call: passport-list
        yield data
        info = data["pagination"]  # read: pagination
        if info["current_page"] == info["last_page"]:  # read: pagination.current_page, pagination.last_page
            return
        page += 1


def passports(keyword=""):
    for data in pages(keyword):
        yield from data["passports"]


def locations(keyword=""):
    counts = {}
    for p in passports(keyword):
        place = p["passport_profile"].get("location") or "unknown"  # read: passports[].passport_profile.location
        counts[place] = counts.get(place, 0) + 1
    return counts


def top(keyword, n=3):
    return sorted(passports(keyword), key=lambda p: p["score"], reverse=True)[:n]  # read: passports[].score


def shop_pages():
    data = requests.get("https://shop.example.com/api/v1/products").json()
    for item in data["products"]:
        yield item["score"], item["location"], data["pagination"]["total"]
