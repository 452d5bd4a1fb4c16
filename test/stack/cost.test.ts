// The cost estimate and the mistakes that are reported before anything is built.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { loadConfig, mistakesText } from "../../lib/config/config.ts";
import { estimateCost } from "../../lib/stack/cost.ts";
import { costText } from "../../lib/stack/cost-text.ts";
import { findMistakes } from "../../lib/stack/mistakes.ts";
import { tickMs } from "../../lib/stack/rhythm.ts";
import { configure, deployable } from "./configuration.ts";
import { ofType, synthesise } from "./synthesis.ts";

const config = configure();

describe("the estimate", () => {
  test("has a line for all that AWS bills, and the free tier never costs more than the list", () => {
    const { lines, usd, freeTierUsd } = estimateCost(config);
    expect(lines.length).toBeGreaterThanOrEqual(10);
    for (const line of lines) {
      expect(line.usd, line.line).toBeGreaterThanOrEqual(line.freeTierUsd);
      expect(line.freeTierUsd, line.line).toBeGreaterThanOrEqual(0);
    }
    expect(lines.reduce((sum, line) => sum + line.usd, 0)).toBeCloseTo(usd);
    expect(freeTierUsd).toBeLessThan(usd);
  });

  test("says that the free tier has no composites and no keys", () => {
    const neverFree = estimateCost(config).lines.filter(
      ({ line }) => line === "composite alarms" || line === "encryption key",
    );
    expect(neverFree).toHaveLength(2);
    for (const line of neverFree) expect(line.freeTierUsd, line.line).toBeGreaterThanOrEqual(0.5);
  });

  test("is below the default limit of the configuration, with a check every 5 minutes too", () => {
    const fast = configure({ cadence: { calm: "5m" }, budget: { monthlyRequests: 30_000 } });
    for (const one of [config, fast]) expect(estimateCost(one).usd).toBeLessThan(one.aws.maxMonthlyUsd);
  });

  test("counts as many alarms as the stack has", () => {
    for (const aws of [deployable.aws, { ...deployable.aws, drill: true }]) {
      const { resources } = synthesise(configure({ aws }));
      const usdOf = (name: string) =>
        estimateCost(configure({ aws })).lines.find(({ line }) => line === name)?.usd ?? 0;
      expect(usdOf("metric alarms")).toBeCloseTo(0.1 * ofType(resources, "AWS::CloudWatch::Alarm").length);
      expect(usdOf("composite alarms")).toBeCloseTo(
        0.5 * ofType(resources, "AWS::CloudWatch::CompositeAlarm").length,
      );
    }
  });

  test("grows with the cadence and with the subscriptions", () => {
    const fast = configure({ cadence: { calm: "5m" }, budget: { monthlyRequests: 30_000 } });
    expect(estimateCost(fast).usd).toBeGreaterThan(estimateCost(config).usd);
    const nobody = configure({ aws: { subscriptions: [] } });
    expect(estimateCost(nobody).usd).toBeLessThan(estimateCost(config).usd);
  });

  test("is printed with the requests, the date of the prices and both columns", () => {
    const text = costText(config, estimateCost(config));
    expect(text).toMatch(/V1 gets at most 4,968 requests a month, of a budget of 5,000\./);
    expect(text).toMatch(/list prices of \d{4}-\d\d-\d\d/);
    expect(text).toMatch(/in all +\$\d+\.\d\d +\$\d+\.\d\d/);
  });
});

describe("a mistake stops the synthesis with its path and a remedy", () => {
  const mistakesOf = (change: object) => findMistakes(configure(change)).map(({ path }) => path);

  test("the default configuration has none", () => {
    expect(mistakesOf({})).toEqual([]);
  });

  test("a key of this machine, a key sent without TLS, too many samples, a cost limit below the estimate", () => {
    expect(mistakesOf({ key: { env: "V1WATCH_API_KEY" } })).toEqual(["key"]);
    expect(mistakesOf({ key: { file: "key.txt" } })).toEqual(["key"]);
    expect(mistakesOf({ baseUrl: "http://api.example.com" })).toEqual(["baseUrl"]);
    const wallets = Array.from({ length: 100 }, (_, n) => `0x${String(n).padStart(40, "0")}`);
    expect(mistakesOf({ samples: { passports: [1], wallets } })).toEqual(["samples.wallets"]);
    expect(mistakesOf({ aws: { maxMonthlyUsd: 2 } })).toEqual(["aws.maxMonthlyUsd"]);
    expect(mistakesText(findMistakes(configure({ aws: { maxMonthlyUsd: 2 } })))).toMatch(
      /aws\.maxMonthlyUsd: \$2\.00 is less than the estimate of \$\d+\.\d\d a month/,
    );
  });

  test("a private or loopback address, unless AWS is emulated on this machine", () => {
    for (const baseUrl of ["http://127.0.0.1:3000", "https://localhost", "https://10.0.0.1"])
      expect(mistakesOf({ baseUrl }), baseUrl).toEqual(["baseUrl"]);
    const played = (baseUrl: string) => findMistakes(configure({ baseUrl }), { isPlayed: true });
    expect(played("http://127.0.0.1:3000")).toEqual([]);
    expect(played("https://10.0.0.1")).toHaveLength(1);
  });

  test("a stack name that begins with aws is none: no parameter's name begins with it", () => {
    expect(mistakesOf({ aws: { stackName: "aws-watch" } })).toEqual([]);
  });

  test("what AWS would refuse at the deploy: a duplicate subscription, a function or an alarm action in another region", () => {
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

  test("samples on auto fit the default budget: the list's function chooses them for the others", () => {
    const { samples: _, ...rest } = deployable;
    expect(loadConfig({ fileText: JSON.stringify(rest), env: {}, flags: {} })).toMatchObject({ ok: true });
  });

  test.each([
    [
      "an email without @",
      { email: "team" },
      /aws\.subscriptions\[0\]\.email: "team" is not an email address/,
    ],
    [
      "an http address",
      { https: "http://x.example.com" },
      /aws\.subscriptions\[0\]\.https: .* is not a web address/,
    ],
    [
      "a queue's URL",
      { sqs: "https://sqs.example.com/q" },
      /aws\.subscriptions\[0\]\.sqs: .* is not the ARN of a queue/,
    ],
    ["an unknown kind", { pigeon: "coop" }, /aws\.subscriptions\[0\]/],
  ])("%s is no subscription", (_name, subscription, expected) => {
    const text = JSON.stringify({ ...deployable, aws: { subscriptions: [subscription] } });
    const loaded = loadConfig({ fileText: text, env: {}, flags: {} });
    expect(loaded.ok ? "" : mistakesText(loaded.mistakes)).toMatch(expected);
  });
});

test("probers run as often as the suspicious cadence, and at least every 15 minutes", () => {
  const every = (cadence: object) => tickMs(configure({ cadence })) / 60_000;
  expect(every({})).toBe(1);
  expect(every({ confirm: "10s" })).toBe(1);
  expect(every({ confirm: "4m" })).toBe(4);
  // By the clock: an hour has no even number of seven minutes.
  expect(every({ confirm: "7m" })).toBe(6);
  expect(every({ confirm: "30m", calm: "1h" })).toBe(15);
});

test("docs/deploy.example.json has no mistake", async () => {
  const example = await readFile(new URL("../../docs/deploy.example.json", import.meta.url), "utf8");
  const loaded = loadConfig({ fileText: example, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(mistakesText(loaded.mistakes));
  expect(findMistakes(loaded.config)).toEqual([]);
});
