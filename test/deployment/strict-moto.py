"""moto's server, with the resource of each call.

Once it is asked to, moto verifies each signature and holds each call to its caller's policies. But for most services
it compares a statement's resource with "*", so that a statement with an ARN allows nothing; a class that says the
resource is held to it. Conditions are not looked at, and of the wildcards moto knows the star alone.

With INVOKE_URL it interprets state machines. Their calls are made with the credentials of the state machine's role, and
their functions are invoked at that URL.
"""

import json
import os
import re
import sys
import threading
import urllib.request
from html import unescape

import boto3
from botocore.exceptions import ClientError
from moto import settings
from moto.core.authorization import ActionAuthenticatorMixin
from moto.dynamodb.responses import DynamoHandler
from moto.events.responses import EventsHandler
from moto.iam.access_control import IAMPolicy, IAMRequest, PermissionResult
from moto.iam.models import Role, iam_backends
from moto.s3.responses import S3Response
from moto.server import main
from moto.sns.responses import SNSResponse
from moto.ssm.responses import SimpleSystemManagerResponse
from moto.stepfunctions.parser.asl.component.state.exec.state_task import (
    lambda_eval_utils,
)
from moto.stepfunctions.parser.asl.utils import boto_client
from moto.stepfunctions.responses import StepFunctionResponse
from moto.sts.models import sts_backends


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
StepFunctionResponse._determine_resource = (
    lambda call: call._get_param("stateMachineArn") or call._get_param("executionArn") or "*"
)

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


authorize = S3Response._authenticate_and_authorize_s3_action


def authorize_each(call, bucket_name=None, key_name=None):
    # A request that deletes many objects needs the permission for each of them, not for the bucket.
    is_deletion = key_name is None and call.method == "POST" and call.is_delete_keys()
    keys = re.findall(r"<Key>(.*?)</Key>", call.raw_body.decode()) if is_deletion else [key_name]
    for key in keys:
        authorize(call, bucket_name=bucket_name, key_name=key and unescape(key))


S3Response._authenticate_and_authorize_s3_action = authorize_each

sessions = {}


def create_client(region, service, state_credentials):
    """A client with the credentials of the state machine's role, which the interpreter has no use for by itself."""
    role = state_credentials.role_arn
    if role not in sessions:
        backend = sts_backends[role.split(":")[4]]["aws"]
        sessions[role] = backend.assume_role(region, "states", role, None, 86_400, None)
    session = sessions[role]
    return boto3.client(
        service,
        region_name=region,
        endpoint_url=f"http://127.0.0.1:{os.environ['MOTO_PORT']}",
        aws_access_key_id=session.access_key_id,
        aws_secret_access_key=session.secret_access_key,
        aws_session_token=session.session_token,
    )


def check_invocation(role, function):
    if ActionAuthenticatorMixin.request_count < settings.INITIAL_NO_AUTH_ACTION_COUNT:
        return
    iam = iam_backends[role.split(":")[4]]["aws"]
    name = role.split("/")[-1]
    policies = [iam.get_role_policy(name, policy)[1] for policy in iam.list_role_policies(name)]
    results = [IAMPolicy(policy).is_action_permitted("lambda:InvokeFunction", function) for policy in policies]
    if PermissionResult.PERMITTED in results and PermissionResult.DENIED not in results:
        return
    error = {"Code": "AccessDeniedException", "Message": f"{name} is not authorized to invoke {function}"}
    metadata = {"HTTPStatusCode": 403, "RequestId": "none"}
    raise ClientError({"Error": error, "ResponseMetadata": metadata}, "Invoke")


def invoke(parameters, region, state_credentials):
    # A state machine's functions run outside of moto, which needs Docker for its own.
    function = parameters["FunctionName"]
    check_invocation(state_credentials.role_arn, function)
    url = f"{os.environ['INVOKE_URL']}/{function.rpartition(':')[2]}"
    request = urllib.request.Request(url, data=parameters["Payload"])
    with urllib.request.urlopen(request, timeout=1_000) as response:
        answer = {"StatusCode": 200, "Payload": json.load(response)}
        failed = response.headers.get("X-Function-Error")
        return {**answer, "FunctionError": failed} if failed else answer


if "INVOKE_URL" in os.environ:
    lambda_eval_utils._invoke_lambda_function = invoke
    # The interpreter is loaded with the first execution.
    boto_client.boto_client_for = create_client

main(sys.argv[1:])
