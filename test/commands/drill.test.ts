// A drill to a topic from a person's machine: it arrives, or says what to do.
import { afterEach, describe, expect, test, vi } from "vitest";
import { refusal, startAccount } from "../aws/account-server.ts";
import { bareEnvironment } from "../aws/bare-environment.ts";
import { credentials } from "../aws/dynamo-server.ts";
import { readAlert, startQueues } from "../aws/queue-server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { isOneClearLine, run } from "./terminal.ts";

const folder = makeFolder();
const { topicArn, endpoint, subscribe } = await startQueues();
let name = "";
const account = await startAccount((asked) => refusal(asked, name));

const nobody = bareEnvironment(folder, endpoint);
const person = {
  ...nobody,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

function drill(env: Record<string, string | undefined>, topic = topicArn) {
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  return run(["drill", "--aws", topic], { env });
}
afterEach(() => void vi.unstubAllEnvs());

describe("a drill to a topic", () => {
  test("arrives without a region set: the topic's is in its ARN", async () => {
    const receive = await subscribe("on-call", undefined);
    expect(await drill(person)).toMatchObject({ code: 0, err: "" });
    expect((await receive()).map(({ Body }) => readAlert(Body).event)).toEqual(["drill"]);
  });

  test("is signed for the topic's region, whichever is set", async () => {
    name = "NotFound";
    await drill({ ...person, AWS_ENDPOINT_URL: account.endpoint, AWS_REGION: "us-west-2" });
    expect(account.asked.map(({ region }) => region)).toEqual(["eu-west-1"]);
  });

  test.each([
    ["NotFound", /the topic is not there. Its ARN is the output TopicArn of the stack/],
    ["AuthorizationError", /AWS does not allow it. Ask for sns:Publish/],
    ["KMSAccessDenied", /AWS does not allow it. Ask for .*kms:GenerateDataKey/],
    ["ExpiredToken", /AWS refuses the credentials \(ExpiredToken\). Log in again/],
    ["InvalidClientTokenId", /AWS refuses the credentials .* set AWS_PROFILE/],
    ["SignatureDoesNotMatch", /AWS refuses the credentials .* set AWS_PROFILE/],
    ["InvalidParameter", /InvalidParameterException. Look at the network, the region and the profile/],
  ])("that SNS refuses with %s says what to do", async (code, expected) => {
    name = code;
    const printed = await drill({ ...person, AWS_ENDPOINT_URL: account.endpoint });
    expect(printed.err).toMatch(/^v1watch: SNS did not take the drill: /);
    expect(printed.err).toMatch(expected);
    expect(printed.code).toBe(2);
    expect(isOneClearLine(printed)).toBe(true);
  });

  test.each([
    ["no credentials", nobody, /no AWS credentials here.*aws sso login/],
    [
      "nobody who answers",
      { ...person, AWS_ENDPOINT_URL: "http://127.0.0.1:9" },
      /ECONNREFUSED. Look at the network/,
    ],
    [
      "nobody at either address of a name",
      { ...person, AWS_ENDPOINT_URL: "http://localhost:9" },
      /ECONNREFUSED. Look at the network/,
    ],
  ])("says what to do where there is %s", async (_name, env, expected) => {
    const printed = await drill(env);
    expect(printed.err).toMatch(expected);
    expect(printed.code).toBe(2);
    expect(isOneClearLine(printed)).toBe(true);
  });

  test.each(["", "alerts", "arn:aws:sqs:eu-west-1:123456789012:alerts"])(
    "to %j is refused",
    async (topic) => {
      const printed = await drill(person, topic);
      expect(printed.err).toMatch(/--aws takes the ARN of an SNS topic/);
      expect(printed.code).toBe(2);
    },
  );
});
