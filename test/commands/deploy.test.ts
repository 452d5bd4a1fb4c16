// deploy and destroy up to where the CDK begins: what they ask of the account first, and what they say of it.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Answer, type Asked, refusal, startAccount } from "../aws/account-server.ts";
import { bareEnvironment } from "../aws/bare-environment.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { isOneClearLine, run } from "./terminal.ts";

const folder = makeFolder();
const at = (name: string) => join(folder, name);
let answer: (asked: Asked, body: string) => Answer;
const account = await startAccount((asked, body) => answer(asked, body));

// The CDK's command line starts whatever is called node: this one only writes down what it was to do.
// Where it is given a file for the stack's outputs, it writes the topic into it.
const topicArn = "arn:aws:sns:eu-west-1:123456789012:v1watch-Alerts";
const outputs = JSON.stringify({ v1watch: { TopicArn: topicArn } });
writeFileSync(
  at("node"),
  `#!/bin/sh\nshift\necho "$1 $2 $3" > '${at("cdk")}'\n[ "$4" = --outputs-file ] && echo '${outputs}' > "$5"\nexit 0\n`,
);
chmodSync(at("node"), 0o755);
const cdkAsked = () => (existsSync(at("cdk")) ? readFileSync(at("cdk"), "utf8").trim() : undefined);

const nobody = {
  ...bareEnvironment(folder, account.endpoint),
  PATH: folder,
  V1WATCH_CONFIG: at("v1watch.config.json"),
};
const person = { ...nobody, AWS_ACCESS_KEY_ID: "AKIATEST", AWS_SECRET_ACCESS_KEY: "secret" };

function start(args: string[], env: Record<string, string | undefined> = person, aws: object = {}) {
  const settings = { region: "eu-west-1", ...aws };
  writeFileSync(
    at("v1watch.config.json"),
    JSON.stringify({ baseUrl: "https://api.example.com", samples: { passports: [1] }, aws: settings }),
  );
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return run(args, { env });
}

const parameter = (value: string): Answer => ({
  status: 200,
  body: JSON.stringify({ Parameter: { Value: value } }),
});

/** SNS's response, in its XML. */
const subscriptions = (rows: [protocol: string, endpoint: string, arn: string][]): Answer => {
  const members = rows.map(
    ([protocol, endpoint, arn]) =>
      `<member><Protocol>${protocol}</Protocol><Endpoint>${endpoint}</Endpoint><SubscriptionArn>${arn}</SubscriptionArn></member>`,
  );
  const body = `<Subscriptions>${members.join("")}</Subscriptions>`;
  return {
    status: 200,
    body: `<ListSubscriptionsByTopicResponse><ListSubscriptionsByTopicResult>${body}</ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>`,
  };
};

beforeEach(() => {
  account.asked.length = 0;
  rmSync(at("cdk"), { force: true });
  answer = () => parameter("21");
});
afterEach(() => void vi.unstubAllEnvs());

describe("deploy", () => {
  test("asks for the bootstrap in the configured region, then leaves the rest to the CDK", async () => {
    expect(await start(["deploy", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(account.asked[0]).toEqual({ region: "eu-west-1", service: "ssm", what: "AmazonSSM.GetParameter" });
    expect(cdkAsked()).toBe("deploy --require-approval never");
  });

  test("ends with the subscriptions that still have to be confirmed", async () => {
    answer = ({ service }) =>
      service === "ssm"
        ? parameter("21")
        : subscriptions([
            ["email", "team@example.com", "PendingConfirmation"],
            ["sqs", "arn:aws:sqs:eu-west-1:123456789012:alerts", `${topicArn}:1`],
          ]);
    const { code, out } = await start(["deploy", "--yes"]);
    expect(out).toBe(
      "Still to be confirmed, with the link in the message from AWS Notifications:\n  email  team@example.com\n",
    );
    expect(code).toBe(0);
    expect(account.asked.at(-1)).toMatchObject({ region: "eu-west-1", service: "sns" });
  });

  test("says where all subscriptions are confirmed, where there is none, and where they cannot be listed", async () => {
    const listed = async (reply: (asked: Asked) => Answer) => {
      answer = (asked) => (asked.service === "ssm" ? parameter("21") : reply(asked));
      const { code, out } = await start(["deploy", "--yes"]);
      expect(code).toBe(0);
      return out;
    };
    expect(await listed(() => subscriptions([["email", "team@example.com", `${topicArn}:1`]]))).toBe(
      "All subscriptions are confirmed.\n",
    );
    expect(await listed(() => subscriptions([]))).toBe(
      "The topic has no subscriptions: alerts reach nobody.\n",
    );
    expect(await listed((asked) => refusal(asked, "AuthorizationError"))).toMatch(
      /^The subscriptions were not checked: AuthorizationError\w*\. Ask for sns:ListSubscriptionsByTopic on arn:/,
    );
  });

  test("with --diff shows what would change, bootstrapped or not, and deploys nothing", async () => {
    answer = (asked) => refusal(asked, "ParameterNotFound");
    expect(await start(["deploy", "--diff"])).toMatchObject({ code: 0, err: "" });
    expect(cdkAsked()).toBe("diff");
  });

  test.each([
    ["an account without a bootstrap", "ParameterNotFound", /not bootstrapped.* npx cdk bootstrap/],
    ["a token that has expired", "ExpiredTokenException", /refuses the credentials \(Exp.*Log in again/],
    ["a key that AWS does not know", "UnrecognizedClientException", /refuses the credentials .*AWS_PROFILE/],
    ["a wrong signature", "InvalidSignatureException", /refuses the credentials .*AWS_PROFILE/],
    ["another refusal", "ThrottlingException", /Throttl.*Look at the network, the region and the profile/],
  ])("stops before the CDK at %s, with the remedy", async (_name, code, expected) => {
    answer = (asked) => refusal(asked, code);
    const printed = await start(["deploy"]);
    expect(printed.err).toMatch(expected);
    expect(printed.code).toBe(2);
    expect(isOneClearLine(printed)).toBe(true);
    expect(cdkAsked()).toBeUndefined();
  });

  test.each([
    ["no credentials", nobody, {}, /no AWS credentials here.*aws sso login/],
    ["no region", person, { region: undefined }, /no region is set. Set aws.region/],
    [
      "nobody who answers",
      { ...person, AWS_ENDPOINT_URL: "http://127.0.0.1:9" },
      {},
      /cannot be used: ECONNREFUSED. Look at the network/,
    ],
  ])(
    "stops before the CDK where there is %s, and does not blame the credentials",
    async (_name, env, aws, expected) => {
      const printed = await start(["deploy"], env, aws);
      expect(printed.err).toMatch(expected);
      expect(printed.err).not.toMatch(/refuse/);
      expect(printed.code).toBe(2);
      expect(isOneClearLine(printed)).toBe(true);
      expect(cdkAsked()).toBeUndefined();
    },
  );

  test("goes on where only the CDK's roles may look, and says what it could not check", async () => {
    answer = (asked) => refusal(asked, "AccessDeniedException");
    const printed = await start(["deploy"]);
    expect(printed.err).toMatch(/^v1watch: could not check .*bootstrapped: AWS denied ssm:GetParameter.*\n$/);
    expect(cdkAsked()).toBe("deploy --require-approval broadening");
    expect(printed.code).toBe(0);
  });
});

describe("destroy, where nothing is to stay", () => {
  const removal = { removal: "destroy" };
  const version = "<Version><Key>reports/1.html</Key><VersionId>v1</VersionId></Version>";
  const isEmptied = () => account.asked.some(({ what }) => /^POST .*delete/.test(what));

  /** A bucket with one report in it, until it is removed. */
  const holdReports = (asked: Asked): Answer => {
    if (asked.service === "ssm") return parameter("v1watch-reports");
    if (asked.what.startsWith("POST")) return { status: 200, body: "<DeleteResult/>" };
    const body = `<ListVersionsResult>${isEmptied() ? "" : version}</ListVersionsResult>`;
    return { status: 200, body };
  };

  test.each([
    ["no other is set", undefined],
    ["the environment has another", "us-west-2"],
  ])("empties the bucket in the configured region, where %s", async (_name, AWS_REGION) => {
    answer = holdReports;
    const printed = await start(["destroy", "--yes"], { ...person, AWS_REGION }, removal);
    expect(printed).toEqual({ code: 0, out: "", err: "" });
    expect(isEmptied()).toBe(true);
    expect(new Set(account.asked.map(({ region }) => region))).toEqual(new Set(["eu-west-1"]));
    expect(cdkAsked()).toBe("destroy --force");
  });

  test.each([
    ["S3 forbids it", "AccessDenied", /v1watch-reports cannot be emptied: .*Ask for s3:ListBucketVersions/],
    ["the token ends meanwhile", "ExpiredToken", /cannot be emptied: AWS refuses the credentials .*Log in/],
  ])("leaves the stack whole where %s, with the remedy", async (_name, code, expected) => {
    answer = (asked) => (asked.service === "s3" ? refusal(asked, code) : holdReports(asked));
    const printed = await start(["destroy", "--yes"], person, removal);
    expect(printed.err).toMatch(expected);
    expect(isOneClearLine(printed)).toBe(true);
    expect(printed.code).toBe(2);
    expect(cdkAsked()).toBeUndefined();
  });

  test("leaves the stack whole where S3 keeps a report, with the remedy", async () => {
    const kept = "<DeleteResult><Error><Key>x</Key><Code>AccessDenied</Code></Error></DeleteResult>";
    answer = (asked) =>
      asked.what.startsWith("POST") && asked.service === "s3"
        ? { status: 200, body: kept }
        : holdReports(asked);
    const printed = await start(["destroy", "--yes"], person, removal);
    expect(printed.err).toMatch(/cannot be emptied: AWS does not allow it. Ask for .*s3:DeleteObjectVersion/);
    expect(printed.code).toBe(2);
    expect(cdkAsked()).toBeUndefined();
  });

  test("leaves the stack whole where the bucket's name may not be read", async () => {
    answer = (asked) => refusal(asked, "AccessDeniedException");
    const printed = await start(["destroy", "--yes"], person, removal);
    expect(printed.err).toMatch(/cannot be emptied: AWS does not allow it. Ask for ssm:GetParameter/);
    expect(printed.code).toBe(2);
    expect(cdkAsked()).toBeUndefined();
  });

  test("has nothing to empty where the bucket is gone, or was never there", async () => {
    answer = (asked) => (asked.service === "s3" ? refusal(asked, "NoSuchBucket") : holdReports(asked));
    expect(await start(["destroy", "--yes"], person, removal)).toMatchObject({ code: 0, err: "" });
    answer = (asked, body) =>
      body.includes("reports-bucket") ? refusal(asked, "ParameterNotFound") : parameter("21");
    expect(await start(["destroy", "--yes"], person, removal)).toMatchObject({ code: 0, err: "" });
  });
});
