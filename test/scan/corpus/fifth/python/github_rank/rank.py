import httpx

gh = httpx.Client(base_url="https://api.github.com")


def search(keyword):
    items = gh.get("/search/users", params={"q": keyword}).json()["items"]
    return sorted(items, key=lambda i: i["score"], reverse=True)


def fans(login):
    user = gh.get(f"/users/{login}").json()
    return {
        "follower_count": user.get("followers", 0),
        "profile_bio": user["bio"],
        "location": user["location"],
        "profile_name": user["login"],
    }


def test_api_v1_passports_is_not_used():
    assert all(int(fans(u["login"])["follower_count"]) >= 0 for u in search("x"))
