// v1watch notify --drill --topic: publishes a test alert to an SNS topic, or prints a remedy.
import { afterEach, describe, expect, test, vi } from "vitest";
import { refusal, startAccount } from "../aws/account-server.ts";
import { bareEnvironment } from "../aws/bare-environment.ts";
import { credentials } from "../aws/dynamo-server.ts";
import { readAlert, startQueues } from "../aws/queue-server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { isSingleErrorLine, run } from "./terminal.ts";

const folder = makeFolder();
const { topicArn, endpoint, subscribe } = await startQueues();
let errorName = "";
const account = await startAccount((request) => refusal(request, errorName));

const withoutCredentials = bareEnvironment(folder, endpoint);
const withCredentials = {
  ...withoutCredentials,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

function drill(env: Record<string, string | undefined>, topic = topicArn) {
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  return run(["notify", "--drill", "--topic", topic], { env });
}
afterEach(() => void vi.unstubAllEnvs());

describe("notify --drill --topic", () => {
  test("v1watch notify --drill --topic delivers the alert without AWS_REGION, because the ARN contains the region", async () => {
    const receive = await subscribe("on-call", undefined);
    expect(await drill(withCredentials)).toMatchObject({ code: 0, err: "" });
    expect((await receive()).map(({ Body }) => readAlert(Body).event)).toEqual(["drill"]);
  });

  test("v1watch notify --drill --topic signs the request for the region of the topic, not for AWS_REGION", async () => {
    errorName = "NotFound";
    await drill({ ...withCredentials, AWS_ENDPOINT_URL: account.endpoint, AWS_REGION: "us-west-2" });
    expect(account.asked.map(({ region }) => region)).toEqual(["eu-west-1"]);
  });

  test.each([
    ["NotFound", /the topic does not exist. Its ARN is the stack output TopicArn/],
    ["AuthorizationError", /AWS denied access. Request sns:Publish/],
    ["KMSAccessDenied", /AWS denied access. Request .*kms:GenerateDataKey/],
    ["ExpiredToken", /AWS rejected the credentials \(ExpiredToken\). Log in again/],
    ["InvalidClientTokenId", /AWS rejected the credentials .* set AWS_PROFILE/],
    ["SignatureDoesNotMatch", /AWS rejected the credentials .* set AWS_PROFILE/],
    ["InvalidParameter", /InvalidParameterException. Check the network, the region and the profile/],
  ])("v1watch notify --drill --topic prints a remedy if SNS returns %s", async (code, expected) => {
    errorName = code;
    const printed = await drill({ ...withCredentials, AWS_ENDPOINT_URL: account.endpoint });
    expect(printed.err).toMatch(/^v1watch: SNS did not accept the drill: /);
    expect(printed.err).toMatch(expected);
    expect(printed.code).toBe(2);
    expect(isSingleErrorLine(printed)).toBe(true);
  });

  test.each([
    ["without credentials", withoutCredentials, /no AWS credentials were found.*aws sso login/],
    [
      "without a server at the endpoint",
      { ...withCredentials, AWS_ENDPOINT_URL: "http://127.0.0.1:9" },
      /ECONNREFUSED. Check the network/,
    ],
    [
      "without a server at any address of a host name",
      { ...withCredentials, AWS_ENDPOINT_URL: "http://localhost:9" },
      /ECONNREFUSED. Check the network/,
    ],
  ])("v1watch notify --drill --topic prints a remedy %s", async (_name, env, expected) => {
    const printed = await drill(env);
    expect(printed.err).toMatch(expected);
    expect(printed.code).toBe(2);
    expect(isSingleErrorLine(printed)).toBe(true);
  });

  test.each(["", "alerts", "arn:aws:sqs:eu-west-1:123456789012:alerts"])(
    "v1watch notify --drill --topic rejects %j, which is not the ARN of an SNS topic",
    async (topic) => {
      const printed = await drill(withCredentials, topic);
      expect(printed.err).toMatch(/--topic must be the ARN of a standard SNS topic/);
      expect(printed.code).toBe(2);
    },
  );
});
