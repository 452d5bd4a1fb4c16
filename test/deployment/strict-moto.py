"""moto's server, with the resource of each call.

Once it is asked to, moto verifies each signature and holds each call to its caller's policies. But for most services
it compares a statement's resource with "*", so that a statement with an ARN allows nothing; a class that says the
resource is held to it. Conditions are not looked at, and of the wildcards moto knows the star alone.
"""

import json
import sys
import threading

from moto.dynamodb.responses import DynamoHandler
from moto.events.responses import EventsHandler
from moto.iam.access_control import IAMRequest
from moto.iam.models import Role
from moto.server import main
from moto.sns.responses import SNSResponse
from moto.ssm.responses import SimpleSystemManagerResponse


def arn(call, service, resource):
    return f"arn:aws:{service}:{call.region}:{call.current_account}:{resource}"


def find_table(call):
    asked = json.loads(call.raw_body or "{}")
    name = next(iter(asked.get("RequestItems", [])), asked.get("TableName", "*"))
    index = f"/index/{asked['IndexName']}" if "IndexName" in asked else ""
    return arn(call, "dynamodb", f"table/{name}{index}")


def find_parameter(call):
    name = json.loads(call.raw_body or "{}").get("Name", "*")
    return arn(call, "ssm", f"parameter/{name.lstrip('/')}")


def find_bus(call):
    entries = json.loads(call.raw_body or "{}").get("Entries", [])
    return next((entry["EventBusName"] for entry in entries), "*")


DynamoHandler._determine_resource = find_table
EventsHandler._determine_resource = find_bus
SimpleSystemManagerResponse._determine_resource = find_parameter
SNSResponse._determine_resource = lambda call: call._get_param("TopicArn") or "*"

lock = threading.Lock()


def one_at_a_time(write):
    # DynamoDB's writes are atomic; moto reads and writes an item in steps, in one thread for each request.
    def call(handler):
        with lock:
            return write(handler)

    return call


DynamoHandler.put_item = one_at_a_time(DynamoHandler.put_item)
DynamoHandler.update_item = one_at_a_time(DynamoHandler.update_item)

check = IAMRequest.check_action_permitted


def check_by_policy_name(request, resource):
    # CloudWatch signs as "monitoring", and policies call it by its name.
    request._action = request._action.replace("monitoring:", "cloudwatch:")
    check(request, resource)


IAMRequest.check_action_permitted = check_by_policy_name

put = Role.put_policy


def put_as_text(role, name, document):
    # CloudFormation's part of moto leaves an object, and the rest of it reads text.
    put(role, name, document if isinstance(document, str) else json.dumps(document))


Role.put_policy = put_as_text

main(sys.argv[1:])
