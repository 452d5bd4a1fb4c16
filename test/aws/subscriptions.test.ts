import { SNSClient } from "@aws-sdk/client-sns";
import { describe, expect, test, vi } from "vitest";
import {
  createSubscriptionReader,
  listSubscriptions,
  maskEndpoint,
  rememberListing,
} from "../../lib/aws/sns.ts";
import { type Answer, startAccount } from "./account-server.ts";
import { credentials } from "./dynamo-server.ts";
import { startQueues } from "./queue-server.ts";

const queues = await startQueues();

type Row = [protocol: string, endpoint: string, arn: string];
let pages: Row[][] = [];
let failure: Answer | undefined;
const bodies: string[] = [];
const account = await startAccount((_asked, body): Answer => {
  bodies.push(body);
  if (failure) return failure;
  const rows = pages.shift() ?? [];
  const members = rows.map(
    ([protocol, endpoint, arn]) =>
      `<member><Protocol>${protocol}</Protocol><Endpoint>${endpoint}</Endpoint><SubscriptionArn>${arn}</SubscriptionArn></member>`,
  );
  const next = pages.length > 0 ? "<NextToken>more</NextToken>" : "";
  const result = `<Subscriptions>${members.join("")}</Subscriptions>${next}`;
  return {
    status: 200,
    body: `<ListSubscriptionsByTopicResponse><ListSubscriptionsByTopicResult>${result}</ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>`,
  };
});
const topicArn = "arn:aws:sns:eu-west-1:123456789012:v1watch";
const client = new SNSClient({ endpoint: account.endpoint, region: "eu-west-1", credentials });

describe("the subscriptions of a topic", () => {
  test("The subscriptions of a topic are listed as a server that speaks SNS has them", async () => {
    await queues.subscribe("alerts", undefined);
    expect(await listSubscriptions(queues.topicArn, queues.sns)).toMatchObject([
      { protocol: "sqs", isConfirmed: true },
    ]);
  });

  test("The subscriptions of a topic are read page by page; pending and deleted ones are not confirmed", async () => {
    pages = [
      [["email", "team@example.com", "PendingConfirmation"]],
      [
        ["sqs", "arn:aws:sqs:eu-west-1:123456789012:alerts", `${topicArn}:1`],
        ["https", "https://hooks.example.com/a-secret-path", "Deleted"],
      ],
    ];
    const read = createSubscriptionReader({ topicArn, expected: 4, client });
    expect(await read()).toEqual({
      at: expect.any(String),
      expected: 4,
      confirmed: 1,
      unconfirmed: ["email t***@example.com", "https hooks.example.com"],
    });
    expect(bodies.map((body) => new URLSearchParams(body).get("TopicArn"))).toEqual([topicArn, topicArn]);
    expect(bodies.map((body) => new URLSearchParams(body).get("NextToken"))).toEqual([null, "more"]);
  });
});

test("That SNS refuses to list the subscriptions is remembered until it lists them, and a fault of SNS is no refusal", async () => {
  const { read, listing } = rememberListing(createSubscriptionReader({ topicArn, expected: 1, client }));
  const fail = (status: number, code: string): Answer => ({
    status,
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>-</Message></Error></ErrorResponse>`,
  });
  expect(listing()).toEqual({ kind: "unknown" });
  failure = fail(403, "AuthorizationError");
  await expect(read()).rejects.toThrow();
  expect(listing()).toMatchObject({ kind: "refused", cause: expect.stringMatching(/^AuthorizationError/) });
  failure = fail(500, "InternalError");
  await expect(read()).rejects.toThrow();
  expect(listing()).toMatchObject({ kind: "refused" });
  failure = undefined;
  pages = [[["sqs", "arn:aws:sqs:eu-west-1:123456789012:alerts", `${topicArn}:1`]]];
  await read();
  expect(listing()).toEqual({ kind: "listed" });
});

test("The subscriptions of a topic are read in its region, and there may be none", async () => {
  vi.stubEnv("AWS_ENDPOINT_URL", account.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  const read = createSubscriptionReader({
    topicArn: topicArn.replace("eu-west-1", "ap-south-1"),
    expected: 1,
  });
  expect(await read()).toMatchObject({ expected: 1, confirmed: 0, unconfirmed: [] });
  expect(account.asked.at(-1)?.region).toBe("ap-south-1");
  vi.unstubAllEnvs();
});

test.each([
  ["team@example.com", "t***@example.com"],
  ["https://hooks.example.com/a-secret-path", "hooks.example.com"],
  ["arn:aws:lambda:eu-west-1:123456789012:function:alerts", "alerts"],
  ["+1 555 0100", "***"],
  ["arn:aws:sqs:eu-west-1:123456789012:", ""],
  ["@example.com", "***"],
  ["a@b@example.com", "***"],
  ["to arn:aws:sqs:eu-west-1:123456789012:alerts", "***"],
])("maskEndpoint(%s) is %s", (endpoint, masked) => {
  expect(maskEndpoint(endpoint)).toBe(masked);
});
