"""Second function of the stack: keeps the newest credential of each type."""
import json
import logging
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import boto3

logger = logging.getLogger()
queue = boto3.resource("sqs").Queue(os.environ.get("QUEUE_URL", ""))


def fetch_credentials(passport_id):
    query = urlencode({"passport_id": passport_id})
    req = Request(f"https://{os.environ['PASSPORT_HOST']}/api/v1/passport_credentials?{query}")  # call: passport-credentials
    req.add_header("X-API-KEY", os.environ["PASSPORT_KEY"])
    with urlopen(req) as resp:
        return json.load(resp)["passport_credentials"]


def newest(credentials):
    latest = {}
    for cred in credentials:
        kind = cred["type"]  # read: passport_credentials[].type
        stamp = cred.get("last_calculated_at") or ""  # read: passport_credentials[].last_calculated_at
        if kind not in latest or stamp > latest[kind]["stamp"]:
            latest[kind] = {"stamp": stamp, "score": cred.get("score") or 0, "id": cred["id"]}  # read: passport_credentials[].score, passport_credentials[].id; hazard: fallback-default
    return latest


def lambda_handler(event, context):
    try:
        credentials = fetch_credentials(event["passport_id"])
    except Exception:  # hazard: catch-default
        logger.exception("credentials failed")
        credentials = []
    found = newest(credentials)
    for kind, entry in found.items():
        queue.send_message(MessageBody=json.dumps({"type": kind, "score": entry["score"], "id": entry["id"]}))
    return len(found)
