"""AWS's own library signs the requests that come as JSON, and answers with their Authorization headers."""

import datetime
import hashlib
import json
import sys
from urllib.parse import quote

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def sign(asked):
    at = datetime.datetime.fromtimestamp(asked["atMs"] // 1000, datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda: at
    body = asked["body"].encode("utf-8")
    request = AWSRequest(
        method=asked["method"],
        url=asked["origin"] + quote(asked["path"], safe="/~"),
        params=[tuple(pair) for pair in asked["query"]],
        headers={**asked["headers"], "x-amz-content-sha256": hashlib.sha256(body).hexdigest()},
        data=body,
    )
    access = asked["credentials"]
    credentials = Credentials(access["accessKeyId"], access["secretAccessKey"], access.get("sessionToken"))
    kind = botocore.auth.S3SigV4Auth if asked["service"] == "s3" else botocore.auth.SigV4Auth
    kind(credentials, asked["service"], asked["region"]).add_auth(request)
    return request.headers["Authorization"]


json.dump([sign(asked) for asked in json.load(sys.stdin)], sys.stdout)
