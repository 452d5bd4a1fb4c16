from fastapi import FastAPI, HTTPException

from checker import TravelDocs, may_fly

app = FastAPI()


@app.get("/v1/passport/{number}")
def passport(number: str):
    doc = TravelDocs().passport(number)
    if doc is None:
        raise HTTPException(404)
    return {"passport_id": doc["passport_id"], "location": doc["location"], "score": doc["score"]}


@app.get("/v1/passport/{number}/flights/{country}")
def flights(number: str, country: str):
    return {"ok": may_fly(number, country)}
