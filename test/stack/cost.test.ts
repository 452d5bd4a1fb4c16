// The cost estimate and the mistakes that are reported before anything is built.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type Config, loadConfig, mistakesText } from "../../lib/config/config.ts";
import { tickMs } from "../../lib/config/tick.ts";
import { estimateCost } from "../../lib/stack/cost.ts";
import { costText } from "../../lib/stack/cost-text.ts";
import { firstMessagesText } from "../../lib/stack/first-messages.ts";
import { findBudgetMistakes, findSettingMistakes, type Where } from "../../lib/stack/mistakes.ts";
import { configure, deployable } from "./configuration.ts";
import { ofType, synthesise } from "./synthesis.ts";

const findMistakes = (config: Config, where: Partial<Where> = {}) => [
  ...findSettingMistakes(config, { region: undefined, isPlayed: false, hasVpc: false, ...where }),
  ...findBudgetMistakes(config),
];

const config = configure();

describe("the estimate", () => {
  test("The estimate has a line for all that AWS bills, and the free tier never costs more than the list", () => {
    const { lines, usd, freeTierUsd } = estimateCost(config);
    expect(lines.length).toBeGreaterThanOrEqual(10);
    for (const line of lines) {
      expect(line.usd, line.line).toBeGreaterThanOrEqual(line.freeTierUsd);
      expect(line.freeTierUsd, line.line).toBeGreaterThanOrEqual(0);
    }
    expect(lines.reduce((sum, line) => sum + line.usd, 0)).toBeCloseTo(usd);
    expect(freeTierUsd).toBeLessThan(usd);
  });

  test("The estimate is below the default limit of the configuration, with a check every 5 minutes too", () => {
    const fast = configure({ cadence: { calm: "5m" }, budget: { monthlyRequests: 30_000 } });
    for (const one of [config, fast]) expect(estimateCost(one).usd).toBeLessThan(one.aws.maxMonthlyUsd);
  });

  test("A month costs a quarter less than with nine fallbacks and series that nothing reads, and the cheapest one about $10", () => {
    const before = 17.4;
    expect(estimateCost(config).usd).toBeLessThan(0.775 * before);
    const key = estimateCost(config).lines.find(({ line }) => line === "encryption key")?.usd ?? 0;
    expect(estimateCost(configure({ aws: { alarms: { notify: "never" } } })).usd - key).toBeLessThan(11);
  });

  test("The estimate counts as many alarms as the stack has", () => {
    const always = { alarms: { notify: "always" } };
    for (const aws of [deployable.aws, { ...deployable.aws, drill: true }, always]) {
      const { resources } = synthesise(configure({ aws }));
      const usdOf = (name: string) =>
        estimateCost(configure({ aws })).lines.find(({ line }) => line === name)?.usd ?? 0;
      expect(usdOf("metric alarms")).toBeCloseTo(0.1 * ofType(resources, "AWS::CloudWatch::Alarm").length);
      expect(usdOf("composite alarms")).toBeCloseTo(
        0.5 * ofType(resources, "AWS::CloudWatch::CompositeAlarm").length,
      );
    }
  });

  test("The estimate grows with the cadence and with the subscriptions", () => {
    const fast = configure({ cadence: { calm: "5m" }, budget: { monthlyRequests: 30_000 } });
    expect(estimateCost(fast).usd).toBeGreaterThan(estimateCost(config).usd);
    const nobody = configure({ aws: { subscriptions: [] } });
    expect(estimateCost(nobody).usd).toBeLessThan(estimateCost(config).usd);
  });

  test("The estimate is printed with the requests, the date of the prices and both columns", () => {
    const text = costText(config, estimateCost(config));
    expect(text).toMatch(/V1 gets at most 4,968 requests a month, of a budget of 5,000\./);
    expect(text).toMatch(/list prices of \d{4}-\d\d-\d\d/);
    expect(text).toMatch(/in all +\$\d+\.\d\d +\$\d+\.\d\d/);
    expect(text).not.toContain("NAT");
    const inVpc = configure({ aws: { vpc: { vpcId: "vpc-0123abcd", subnetIds: ["subnet-0123abcd"] } } });
    expect(costText(inVpc, estimateCost(inVpc))).toContain("A NAT gateway");
  });
});

describe("a mistake stops the synthesis with its path and a remedy", () => {
  const mistakesOf = (change: object) => findMistakes(configure(change)).map(({ path }) => path);

  test("The default configuration has no mistake that stops the synthesis", () => {
    expect(mistakesOf({})).toEqual([]);
  });

  test("A mistake stops the synthesis: a key or a proxy of this machine, a key sent without TLS, too many samples, a cost limit below the estimate", () => {
    expect(mistakesOf({ key: { env: "V1WATCH_API_KEY" } })).toEqual(["key"]);
    expect(mistakesOf({ key: { file: "key.txt" } })).toEqual(["key"]);
    for (const proxy of [{ env: "HTTPS_PROXY" }, { file: "proxy.txt" }])
      expect(mistakesOf({ proxy })).toEqual(["proxy"]);
    for (const proxy of [{ url: "http://10.0.0.1:3128" }, { ssm: "/v1watch/proxy" }, { secret: "proxy" }])
      expect(mistakesOf({ proxy })).toEqual([]);
    expect(mistakesOf({ baseUrl: "http://api.example.com" })).toEqual(["baseUrl"]);
    const wallets = Array.from({ length: 100 }, (_, n) => `0x${String(n).padStart(40, "0")}`);
    expect(mistakesOf({ samples: { ids: [1], otherIds: wallets } })).toEqual(["samples.otherIds"]);
    expect(mistakesOf({ aws: { maxMonthlyUsd: 2 } })).toEqual(["aws.maxMonthlyUsd"]);
    expect(mistakesText(findMistakes(configure({ aws: { maxMonthlyUsd: 2 } })))).toMatch(
      /aws\.maxMonthlyUsd: \$2\.00 is less than the estimate of \$\d+\.\d\d a month/,
    );
  });

  test("A mistake stops the synthesis: a private or loopback address, unless AWS is emulated on this machine", () => {
    for (const baseUrl of ["http://127.0.0.1:3000", "https://localhost", "https://10.0.0.1"])
      expect(mistakesOf({ baseUrl }), baseUrl).toEqual(["baseUrl"]);
    const played = (baseUrl: string) => findMistakes(configure({ baseUrl }), { isPlayed: true });
    expect(played("http://127.0.0.1:3000")).toEqual([]);
    expect(played("https://10.0.0.1")).toHaveLength(1);
  });

  test("A mistake stops the synthesis: allowPrivateNetworks without a VPC", () => {
    const allowPrivateNetworks = ["10.0.0.0/8"];
    const vpc = { vpcId: "vpc-0123abcd", subnetIds: ["subnet-0123abcd"] };
    const baseUrl = "https://10.0.0.1";
    expect(mistakesOf({ baseUrl, allowPrivateNetworks })).toEqual(["allowPrivateNetworks"]);
    expect(mistakesOf({ baseUrl, allowPrivateNetworks, aws: { vpc } })).toEqual([]);
    expect(findMistakes(configure({ baseUrl, allowPrivateNetworks }), { hasVpc: true })).toEqual([]);
    expect(mistakesOf({ baseUrl: "https://10.0.0.1", aws: { vpc } })).toEqual(["baseUrl"]);
  });

  test("A stack name that begins with aws stops the synthesis, because no parameter's name begins with it", () => {
    expect(mistakesOf({ aws: { stackName: "aws-watch" } })).toEqual([]);
  });

  test("What AWS would refuse at the deploy stops the synthesis: a duplicate subscription, a function or an alarm action in another region", () => {
    const email = { email: "team@example.com" };
    const slack = { slack: { workspaceId: "T0123ABCD", channelId: "C0123ABCD" } };
    expect(mistakesOf({ aws: { subscriptions: [email, slack, email, slack] } })).toEqual([
      ...["aws.subscriptions[2]", "aws.subscriptions[3]"],
    ]);
    const subscriptions = [{ lambda: "arn:aws:lambda:eu-west-1:123456789012:function:alerts" }];
    expect(() => configure({ aws: { subscriptions, region: "us-east-1" } })).toThrow("aws.subscriptions[0]");
    expect(findMistakes(configure({ aws: { subscriptions } }), { region: "us-east-1" })).toHaveLength(1);
    expect(mistakesOf({ aws: { subscriptions, region: "eu-west-1" } })).toEqual([]);
    const selfAlarmActions = ["arn:aws:sns:eu-west-1:123456789012:on-call"];
    expect(() => configure({ aws: { selfAlarmActions, region: "us-east-1" } })).toThrow(
      "aws.selfAlarmActions[0]",
    );
    expect(findMistakes(configure({ aws: { selfAlarmActions } }), { region: "us-east-1" })).toHaveLength(1);
    expect(mistakesOf({ aws: { selfAlarmActions, region: "eu-west-1" } })).toEqual([]);
    const long = JSON.stringify({ ...deployable, aws: { stackName: "a".repeat(38) } });
    expect(loadConfig({ fileText: long, env: {}, flags: {} })).toMatchObject({
      mistakes: [{ path: "aws.stackName" }],
    });
  });

  test("Samples on auto fit the default budget: the list's function chooses them for the others", () => {
    const { samples: _, ...rest } = deployable;
    expect(loadConfig({ fileText: JSON.stringify(rest), env: {}, flags: {} })).toMatchObject({ ok: true });
  });

  test.each([
    [
      "an email without @",
      { email: "team" },
      /aws\.subscriptions\[0\]\.email: a text of 4 characters is not an email address/,
    ],
    [
      "an http address",
      { https: "http://x.example.com" },
      /aws\.subscriptions\[0\]\.https: .* is not a web address/,
    ],
    [
      "a queue's URL",
      { sqs: "https://sqs.example.com/q" },
      /aws\.subscriptions\[0\]\.sqs: .* is not the ARN of a standard queue/,
    ],
    ["an unknown kind", { pigeon: "coop" }, /aws\.subscriptions\[0\]/],
  ])("The synthesis does not accept %s as a subscription", (_name, subscription, expected) => {
    const text = JSON.stringify({ ...deployable, aws: { subscriptions: [subscription] } });
    const loaded = loadConfig({ fileText: text, env: {}, flags: {} });
    expect(loaded.ok ? "" : mistakesText(loaded.mistakes)).toMatch(expected);
  });
});

test("What a first deployment sends is named, by the subscriptions and the alarms that are configured", () => {
  const [email, queue] = [
    { email: "team@example.com" },
    { sqs: "arn:aws:sqs:us-east-1:123456789012:alerts" },
  ];
  const textOf = (aws: object) => firstMessagesText(configure({ aws }));
  expect(textOf({ subscriptions: [email, queue] })).toContain("- 2 requests to confirm a subscription");
  expect(textOf({ subscriptions: [{ ...email, about: ["v1"] }] })).toContain("- 1 request to confirm");
  expect(textOf({ subscriptions: [queue] })).not.toContain("confirm");
  expect(textOf({})).toContain("- each fallback- alarm: OK, once");
  expect(textOf({ alarms: { notify: "always" } })).toContain("- each alarm about V1: OK");
  expect(textOf({ enabled: false })).not.toMatch(/unhealthy|fallback|test alert/);
});

test("Probers run as often as the suspicious cadence, and at least every 15 minutes", () => {
  const every = (cadence: object) => tickMs(configure({ cadence })) / 60_000;
  expect(every({})).toBe(1);
  expect(every({ confirm: "10s" })).toBe(1);
  expect(every({ confirm: "4m" })).toBe(4);
  // By the clock: an hour has no even number of seven minutes.
  expect(every({ confirm: "7m" })).toBe(6);
  expect(every({ confirm: "30m", calm: "1h" })).toBe(15);
});

test("docs/aws/deploy.example.json has no mistake, and its schema is found where it is copied to", async () => {
  const example = await readFile(new URL("../../docs/aws/deploy.example.json", import.meta.url), "utf8");
  const { $schema } = JSON.parse(example) as { $schema: string };
  expect(existsSync(new URL($schema, new URL("../../v1watch.config.json", import.meta.url)))).toBe(true);
  const loaded = loadConfig({ fileText: example, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(mistakesText(loaded.mistakes));
  expect(findMistakes(loaded.config)).toEqual([]);
});
