import glob
import os

import boto3
import httpx

s3 = boto3.client("s3")


def ship():
    shipped = 0
    for path in sorted(glob.glob("people-*.csv")):
        s3.upload_file(path, os.environ["BUCKET"], f"exports/{path}")
        shipped += 1
    return shipped


def ping(total):
    reply = httpx.post(os.environ["MONITOR"] + "/api/v1/checkins", json={"total": total})
    if not reply.is_success:
        return 0
    return reply.json().get("score", 0)


if __name__ == "__main__":
    print(ping(ship()))
