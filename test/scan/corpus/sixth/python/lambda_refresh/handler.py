"""AWS Lambda: copies the scores of watched wallets to DynamoDB."""
import json
import os
import urllib.error
import urllib.request
from decimal import Decimal

import boto3

TABLE = boto3.resource("dynamodb").Table(os.environ["TABLE_NAME"])
HOST = os.environ["PASSPORT_HOST"]


def fetch_passport(wallet):
    req = urllib.request.Request(  # call: passport
        "https://%s/api/v1/passports/%s" % (HOST, wallet),
        headers={"X-API-KEY": os.environ["PASSPORT_KEY"]},
    )
    try:
        with urllib.request.urlopen(req, timeout=8) as resp:
            return json.loads(resp.read())["passport"]
    except urllib.error.HTTPError as err:  # hazard: catch-default
        print("skipped", wallet, err.code)
        return None


def store(wallet, passport):
    socials = {s["source"]: s["profile_name"] for s in passport["passport_socials"]}  # read: passport.passport_socials, passport.passport_socials[].profile_name, passport.passport_socials[].source
    TABLE.put_item(
        Item={
            "pk": wallet,
            "score": Decimal(str(passport["score"])),  # read: passport.score
            "merged": passport["merged"],  # read: passport.merged
            "wallets": passport["verified_wallets"],  # read: passport.verified_wallets[]
            "socials": socials,
        }
    )


def changed(wallet, passport):
    item = TABLE.get_item(Key={"pk": wallet}).get("Item") or {}
    return item.get("score", 0) != passport["score"] or item.get("merged") != passport["merged"]  # read: passport.score, passport.merged


def lambda_handler(event, context):
    done = 0
    for record in event["Records"]:
        wallet = json.loads(record["body"])["main_wallet"]
        passport = fetch_passport(wallet)
        if passport is None or passport["calculating_score"]:  # read: passport.calculating_score
            continue
        if changed(wallet, passport):
            store(wallet, passport)
            done += 1
    return {"statusCode": 200, "body": json.dumps({"score_updates": done})}
