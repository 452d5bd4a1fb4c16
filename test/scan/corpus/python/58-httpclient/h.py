import http.client
import json


def load(ident):
    conn = http.client.HTTPSConnection("rep.example.org")
    conn.request("GET", f"/api/v1/passports/{ident}")  # call: passport
    res = conn.getresponse()
    data = json.loads(res.read())
    conn.close()
    return data["passport"]["score"]  # read: passport.score
