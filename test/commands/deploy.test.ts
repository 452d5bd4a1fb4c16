// deploy and destroy up to the start of the CDK: the checks of the account, and the errors they report.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Answer, type Asked, refusal, startAccount } from "../aws/account-server.ts";
import { bareEnvironment } from "../aws/bare-environment.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { isSingleErrorLine, run } from "./terminal.ts";

const folder = makeFolder();
const at = (name: string) => join(folder, name);
let respond: (request: Asked, body: string) => Answer;
const account = await startAccount((request, body) => respond(request, body));

// The CDK CLI starts the first `node` in PATH. This script replaces it, records the arguments, and writes the stack's
// outputs into the file that it is given.
const topicArn = "arn:aws:sns:eu-west-1:123456789012:v1watch-Alerts";
const watchTopicArn = "arn:aws:sns:eu-west-1:123456789012:v1watch-Watch";
const outputs = JSON.stringify({ v1watch: { TopicArn: topicArn, WatchTopicArn: watchTopicArn } });
writeFileSync(
  at("node"),
  `#!/bin/sh\nshift\necho "$1 $2 $3" > '${at("cdk")}'\n[ "$4" = --outputs-file ] && read -r line < '${at("outputs")}' && echo "$line" > "$5"\nexit 0\n`,
);
chmodSync(at("node"), 0o755);
const cdkArguments = () => (existsSync(at("cdk")) ? readFileSync(at("cdk"), "utf8").trim() : undefined);

const withoutCredentials = {
  ...bareEnvironment(folder, account.endpoint),
  PATH: folder,
  V1WATCH_CONFIG: at("v1watch.config.json"),
};
const withCredentials = {
  ...withoutCredentials,
  AWS_ACCESS_KEY_ID: "AKIATEST",
  AWS_SECRET_ACCESS_KEY: "secret",
};

function start(args: string[], env: Record<string, string | undefined> = withCredentials, aws: object = {}) {
  const settings = { region: "eu-west-1", ...aws };
  writeFileSync(
    at("v1watch.config.json"),
    JSON.stringify({ baseUrl: "https://v1.acme.test", samples: { ids: [1] }, aws: settings }),
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
  writeFileSync(at("outputs"), `${outputs}\n`);
  respond = () => parameter("21");
});
afterEach(() => void vi.unstubAllEnvs());

describe("aws deploy", () => {
  test("v1watch aws deploy checks the bootstrap in the configured region, then runs cdk deploy", async () => {
    expect(await start(["aws", "deploy", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(account.asked[0]).toEqual({ region: "eu-west-1", service: "ssm", what: "AmazonSSM.GetParameter" });
    expect(cdkArguments()).toBe("deploy --require-approval never");
  });

  test("v1watch aws deploy ends with the subscriptions that still have to be confirmed", async () => {
    // The first topic has both, the second one a queue.
    respond = ({ service }, body) =>
      service === "ssm"
        ? parameter("21")
        : subscriptions([
            ...(body.includes("v1watch-Alerts")
              ? ([["email", "team@example.com", "PendingConfirmation"]] as [string, string, string][])
              : []),
            ["sqs", "arn:aws:sqs:eu-west-1:123456789012:alerts", `${topicArn}:1`],
          ]);
    const { code, out } = await start(["aws", "deploy", "--yes"]);
    expect(out).toBe(
      "Still to be confirmed, with the link in each message from AWS Notifications:\n  email  team@example.com\n",
    );
    expect(code).toBe(0);
    expect(account.asked.at(-1)).toMatchObject({ region: "eu-west-1", service: "sns" });
  });

  test("v1watch aws deploy says where all subscriptions are confirmed, where there is none, and where they cannot be listed", async () => {
    const listed = async (reply: (asked: Asked) => Answer) => {
      respond = (asked) => (asked.service === "ssm" ? parameter("21") : reply(asked));
      const { code, out } = await start(["aws", "deploy", "--yes"]);
      expect(code).toBe(0);
      return out;
    };
    expect(await listed(() => subscriptions([["email", "team@example.com", `${topicArn}:1`]]))).toBe(
      "All subscriptions are confirmed.\n",
    );
    expect(await listed(() => subscriptions([]))).toBe(
      "The topics have no subscriptions: alerts reach nobody.\n",
    );
    expect(await listed((asked) => refusal(asked, "AuthorizationError"))).toMatch(
      /^The subscriptions were not checked: AuthorizationError\w*\. Ask for sns:ListSubscriptionsByTopic on arn:/,
    );
  });

  describe("with a table", () => {
    const table = "v1watch-Table";
    const withTable = JSON.stringify({
      v1watch: { TopicArn: topicArn, WatchTopicArn: watchTopicArn, TableName: table },
    });
    const item = (more: object) =>
      JSON.stringify({ Item: { pk: { S: "x" }, sk: { S: "message" }, toDo: { S: "alert" }, ...more } });
    /** DynamoDB has the message in its queue, or has it no more. */
    const play = (waiting: object | undefined, rows: [string, string, string][]) => {
      let drill: Record<string, unknown> | undefined;
      return ({ service, what }: Asked, body: string): Answer => {
        if (service === "ssm") return parameter("21");
        if (service === "sns") return subscriptions(rows);
        if (what.endsWith("PutItem")) {
          const { Item } = JSON.parse(body);
          if (String(Item.pk?.S).startsWith("message#")) drill = Item;
        }
        if (!what.endsWith("GetItem")) return { status: 200, body: '{"Items":[]}' };
        const isOwn = drill && body.includes(String((drill as { pk: { S: string } }).pk.S));
        return { status: 200, body: isOwn && waiting ? item({ ...drill, ...waiting }) : "{}" };
      };
    };
    const deploy = (...more: string[]) => {
      writeFileSync(at("outputs"), `${withTable}\n`);
      return start(["aws", "deploy", "--yes", ...more]);
    };
    const confirmed: [string, string, string] = ["email", "team@example.com", `${topicArn}:1`];

    test("v1watch aws deploy sends one test alert, and says how many subscriptions had it accepted", async () => {
      respond = play(undefined, [confirmed]);
      const { code, out } = await deploy();
      expect(out).toBe(
        "SNS accepted the test alert for 1 confirmed subscription. Ask whoever is on call whether it arrived.\nAll subscriptions are confirmed.\n",
      );
      expect(code).toBe(0);
      const puts = account.asked.filter(({ what }) => what.endsWith("PutItem"));
      expect(puts.length).toBeGreaterThan(0);
    });

    test("v1watch aws deploy says when nobody accepted the test alert", async () => {
      respond = play(undefined, [["email", "team@example.com", "PendingConfirmation"]]);
      expect((await deploy()).out).toMatch(
        /^Nobody accepted the test alert: the topic of alerts has no confirmed subscription\..*notify --drill --table v1watch-Table/,
      );
      respond = (asked, body) =>
        asked.service === "dynamodb"
          ? refusal(asked, "AccessDeniedException")
          : play(undefined, [])(asked, body);
      expect((await deploy()).out).toMatch(/^The test alert was not sent: AccessDenied.*--quiet/);
    });

    test("v1watch aws deploy --quiet sends none", async () => {
      respond = play(undefined, [confirmed]);
      expect((await deploy("--quiet")).out).toBe("All subscriptions are confirmed.\n");
      expect(account.asked.filter(({ service }) => service === "dynamodb")).toEqual([]);
    });
  });

  test("v1watch aws deploy refuses the example that nobody edited, and names what to set", async () => {
    const file = at("example.config.json");
    writeFileSync(file, readFileSync(new URL("../../docs/aws/deploy.example.json", import.meta.url), "utf8"));
    const { code, err } = await start(["aws", "deploy", "--yes", "--config", file]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /baseUrl: "https:\/\/api\.example\.com" is the address of the example.* Set V1's address\./,
    );
    expect(err).toMatch(/aws\.subscriptions\[0\]\.email: .* Set your team's address\./);
    expect(cdkArguments()).toBeUndefined();
    expect(account.asked).toEqual([]);
  });

  test("v1watch aws deploy --diff runs cdk diff without deploying, even if the account is not bootstrapped", async () => {
    respond = (request) => refusal(request, "ParameterNotFound");
    expect(await start(["aws", "deploy", "--diff"])).toMatchObject({ code: 0, err: "" });
    expect(cdkArguments()).toBe("diff");
  });

  test.each([
    ["an account without a bootstrap", "ParameterNotFound", /not bootstrapped.* npx cdk bootstrap/],
    ["an expired token", "ExpiredTokenException", /rejected the credentials \(Exp.*Log in again/],
    ["an unknown access key", "UnrecognizedClientException", /rejected the credentials .*AWS_PROFILE/],
    ["a wrong signature", "InvalidSignatureException", /rejected the credentials .*AWS_PROFILE/],
    ["another AWS error", "ThrottlingException", /Throttl.*Check the network, the region and the profile/],
  ])("v1watch aws deploy prints a remedy and does not run the CDK for %s", async (_name, code, expected) => {
    respond = (request) => refusal(request, code);
    const printed = await start(["aws", "deploy"]);
    expect(printed.err).toMatch(expected);
    expect(printed.code).toBe(2);
    expect(isSingleErrorLine(printed)).toBe(true);
    expect(cdkArguments()).toBeUndefined();
  });

  test.each([
    ["no credentials", withoutCredentials, {}, /no AWS credentials were found.*aws sso login/],
    ["no region", withCredentials, { region: undefined }, /no region is set. Set aws.region/],
    [
      "no server at the endpoint",
      { ...withCredentials, AWS_ENDPOINT_URL: "http://127.0.0.1:9" },
      {},
      /cannot be used: ECONNREFUSED. Check the network/,
    ],
  ])(
    "v1watch aws deploy with %s, prints a remedy that does not mention rejected credentials, and does not run the CDK",
    async (_name, env, aws, expected) => {
      const printed = await start(["aws", "deploy"], env, aws);
      expect(printed.err).toMatch(expected);
      expect(printed.err).not.toMatch(/reject/);
      expect(printed.code).toBe(2);
      expect(isSingleErrorLine(printed)).toBe(true);
      expect(cdkArguments()).toBeUndefined();
    },
  );

  test("v1watch aws deploy continues if ssm:GetParameter is denied, and prints that the bootstrap was not checked", async () => {
    respond = (request) => refusal(request, "AccessDeniedException");
    const printed = await start(["aws", "deploy"]);
    expect(printed.err).toMatch(/^v1watch: could not check .*bootstrapped: AWS denied ssm:GetParameter.*\n$/);
    expect(cdkArguments()).toBe("deploy --require-approval broadening");
    expect(printed.code).toBe(0);
  });
});

describe('destroy with aws.removal "destroy"', () => {
  const removal = { removal: "destroy" };
  const version = "<Version><Key>reports/1.html</Key><VersionId>v1</VersionId></Version>";
  const isEmptied = () => account.asked.some(({ what }) => /^POST .*delete/.test(what));

  /** Simulates a bucket with one report, until that is deleted. */
  const serveBucket = (request: Asked): Answer => {
    if (request.service === "ssm") return parameter("v1watch-reports");
    if (request.what.startsWith("POST")) return { status: 200, body: "<DeleteResult/>" };
    const body = `<ListVersionsResult>${isEmptied() ? "" : version}</ListVersionsResult>`;
    return { status: 200, body };
  };

  test.each([
    ["without AWS_REGION", undefined],
    ["with another AWS_REGION", "us-west-2"],
  ])(
    "v1watch aws destroy with removal 'destroy' empties the bucket in the configured region %s",
    async (_name, AWS_REGION) => {
      respond = serveBucket;
      const printed = await start(["aws", "destroy", "--yes"], { ...withCredentials, AWS_REGION }, removal);
      expect(printed).toEqual({ code: 0, out: "", err: "" });
      expect(isEmptied()).toBe(true);
      expect(new Set(account.asked.map(({ region }) => region))).toEqual(new Set(["eu-west-1"]));
      expect(cdkArguments()).toBe("destroy --force");
    },
  );

  test.each([
    [
      "S3 denies access",
      "AccessDenied",
      /v1watch-reports cannot be emptied: .*Request s3:ListBucketVersions/,
    ],
    ["the token expires", "ExpiredToken", /cannot be emptied: AWS rejected the credentials .*Log in/],
  ])(
    "v1watch aws destroy with removal 'destroy' prints a remedy and keeps the stack if %s",
    async (_name, code, expected) => {
      respond = (request) => (request.service === "s3" ? refusal(request, code) : serveBucket(request));
      const printed = await start(["aws", "destroy", "--yes"], withCredentials, removal);
      expect(printed.err).toMatch(expected);
      expect(isSingleErrorLine(printed)).toBe(true);
      expect(printed.code).toBe(2);
      expect(cdkArguments()).toBeUndefined();
    },
  );

  test("v1watch aws destroy with removal 'destroy' prints a remedy and keeps the stack if S3 does not delete a report", async () => {
    const failure = "<DeleteResult><Error><Key>x</Key><Code>AccessDenied</Code></Error></DeleteResult>";
    respond = (request) =>
      request.what.startsWith("POST") && request.service === "s3"
        ? { status: 200, body: failure }
        : serveBucket(request);
    const printed = await start(["aws", "destroy", "--yes"], withCredentials, removal);
    expect(printed.err).toMatch(/cannot be emptied: AWS denied access. Request .*s3:DeleteObjectVersion/);
    expect(printed.code).toBe(2);
    expect(cdkArguments()).toBeUndefined();
  });

  test("v1watch aws destroy with removal 'destroy' prints a remedy and keeps the stack if the name of the bucket cannot be read", async () => {
    respond = (request) => refusal(request, "AccessDeniedException");
    const printed = await start(["aws", "destroy", "--yes"], withCredentials, removal);
    expect(printed.err).toMatch(/cannot be emptied: AWS denied access. Request ssm:GetParameter/);
    expect(printed.code).toBe(2);
    expect(cdkArguments()).toBeUndefined();
  });

  test("v1watch aws destroy with removal 'destroy' deletes the stack if the bucket or its parameter does not exist", async () => {
    respond = (request) =>
      request.service === "s3" ? refusal(request, "NoSuchBucket") : serveBucket(request);
    expect(await start(["aws", "destroy", "--yes"], withCredentials, removal)).toMatchObject({
      code: 0,
      err: "",
    });
    respond = (request, body) =>
      body.includes("reports-bucket") ? refusal(request, "ParameterNotFound") : parameter("21");
    expect(await start(["aws", "destroy", "--yes"], withCredentials, removal)).toMatchObject({
      code: 0,
      err: "",
    });
  });
});
