// ARNs with a typo, or of another kind: reported by `v1watch config`, in one line each, before anything is sent.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig, mistakesText } from "../../lib/config/config.ts";
import { run } from "../commands/terminal.ts";
import { makeFolder } from "../local/temporary-folder.ts";

const baseUrl = "https://api.example.com";
const topic = "arn:aws:sns:eu-west-1:123456789012:alerts";

function mistakesOf(settings: object): string {
  const loaded = loadConfig({ fileText: JSON.stringify({ baseUrl, ...settings }), env: {}, flags: {} });
  return loaded.ok ? "" : mistakesText(loaded.mistakes);
}

/** The heading, and one line for one mistake. */
const oneMistake = /^the configuration has 1 mistake\n {2}[^\n]+$/;

const badTopics = [
  ["a FIFO topic", `${topic}.fifo`],
  ["a subscription", `${topic}:0123-abcd`],
  ["a queue", "arn:aws:sqs:eu-west-1:123456789012:q"],
  ["an account of eleven digits", topic.replace("123456789012", "12345678901")],
  ["no ARN", "alerts"],
] as const;

describe("channels[].topicArn", () => {
  test.each(badTopics)("channels[].topicArn refuses %s in one line with the remedy", (_name, topicArn) => {
    const text = mistakesOf({ channels: [{ type: "sns", name: "topic", topicArn }] });
    expect(text).toMatch(oneMistake);
    expect(text).toMatch(/channels\[0\]\.topicArn: .*the ARN of a standard SNS topic, such as "arn:aws:sns:/);
  });

  test.each([
    topic,
    "arn:aws-cn:sns:cn-north-1:123456789012:alerts",
    "arn:aws-us-gov:sns:us-gov-west-1:123456789012:v1_alerts-2",
  ])("channels[].topicArn accepts %s", (topicArn) => {
    expect(mistakesOf({ channels: [{ type: "sns", name: "topic", topicArn }] })).toBe("");
  });
});

describe("aws.selfAlarmActions", () => {
  test.each(badTopics.filter(([, arn]) => arn.includes(":sns:")))(
    "aws.selfAlarmActions refuses %s",
    (_name, arn) => {
      const text = mistakesOf({ aws: { selfAlarmActions: [topic, arn] } });
      expect(text).toMatch(oneMistake);
      expect(text).toMatch(/aws\.selfAlarmActions\[1\]: .*the ARN of what an alarm can call/);
    },
  );

  test("aws.selfAlarmActions refuses what a composite alarm cannot call, and topics of another region", () => {
    const queue = "arn:aws:sqs:eu-west-1:123456789012:q";
    expect(mistakesOf({ aws: { selfAlarmActions: [queue] } })).toMatch(/what an alarm can call/);
    expect(mistakesOf({ aws: { region: "us-east-1", selfAlarmActions: [topic] } })).toMatch(
      /is in eu-west-1; the watch is in us-east-1\. Use one in us-east-1\./,
    );
    expect(mistakesOf({ aws: { region: "eu-west-1", selfAlarmActions: [topic] } })).toBe("");
  });

  test("aws.selfAlarmActions accepts the other actions that an alarm has", () => {
    const selfAlarmActions = [
      "arn:aws:lambda:eu-west-1:123456789012:function:page",
      "arn:aws:ssm-incidents::123456789012:response-plan/v1",
      "arn:aws:ssm:eu-west-1:123456789012:opsitem:1",
    ];
    expect(mistakesOf({ aws: { selfAlarmActions } })).toBe("");
  });
});

describe("aws.subscriptions", () => {
  test.each([
    ["a FIFO queue", { sqs: "arn:aws:sqs:eu-west-1:123456789012:q.fifo" }, /the ARN of a standard queue/],
    [
      "a function of another region",
      { lambda: "arn:aws:lambda:us-east-1:123456789012:function:f" },
      /is in us-east-1; the watch is in eu-west-1/,
    ],
  ])("aws.subscriptions refuses %s in one line with the remedy", (_name, target, expected) => {
    const text = mistakesOf({ aws: { region: "eu-west-1", subscriptions: [target] } });
    expect(text).toMatch(oneMistake);
    expect(text).toMatch(expected);
  });
});

test("v1watch config prints the mistake and exits with 2", async () => {
  const file = join(makeFolder(), "v1watch.config.json");
  writeFileSync(
    file,
    JSON.stringify({ baseUrl, channels: [{ type: "sns", name: "topic", topicArn: `${topic}.fifo` }] }),
  );
  const { code, out, err } = await run(["config", "--config", file]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^v1watch: the configuration has 1 mistake\n {2}[^\n]+\n$/);
});

test("v1watch config shows tags and a VPC", async () => {
  const file = join(makeFolder(), "v1watch.config.json");
  const aws = { tags: { team: "identity" }, vpc: { vpcId: "vpc-0123abcd", subnetIds: ["subnet-0123abcd"] } };
  writeFileSync(file, JSON.stringify({ baseUrl, aws }));
  const { code, out } = await run(["config", "--config", file]);
  expect(code).toBe(0);
  expect(out).toMatch(/aws\.tags +file +team identity/);
  expect(out).toMatch(/aws\.vpc\.subnetIds +file +subnet-0123abcd/);
});
