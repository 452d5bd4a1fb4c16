// An upgrade of a deployment: nothing that holds data, and no subscription, is replaced or removed.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../local/temporary-folder.ts";
import { configure } from "./configuration.ts";
import { type Deployed, readDeployed } from "./deployed.ts";
import { buildWatch, createTestApp, ofType, synthesise } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
const folder = join(import.meta.dirname, "..", "fixtures", "templates");
const releases = readdirSync(folder).flatMap((file) => {
  const deployed: Record<string, Deployed> = JSON.parse(readFileSync(join(folder, file), "utf8"));
  return Object.entries(deployed).map(([form, before]) => ({
    release: file.replace(".json", ""),
    form,
    before,
  }));
});

const flags: Record<string, unknown> = createRequire(import.meta.url)(
  "aws-cdk-lib/recommended-feature-flags.json",
);
const apps = {
  "an app without feature flags": () => createTestApp(),
  "an app with those of cdk init": () =>
    new App({ outdir: makeFolder(), context: { ...flags, "aws:cdk:bundling-stacks": [] } }),
};

describe.each(Object.entries(apps))("in %s", (_app, createApp) => {
  test.each(releases)(
    "An upgrade of $form from $release replaces and removes no resource",
    ({ form, before }) => {
      expect(Object.keys(before).length).toBeGreaterThan(15);
      expect(readDeployed(createApp(), form)).toMatchObject(before);
    },
  );
});

test("An upgrade takes away no alarm but those that the changelog names", () => {
  const before: string[] = JSON.parse(readFileSync(join(folder, "..", "alarm-names.json"), "utf8"));
  const { resources } = synthesise(configure());
  const now = ["AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"].flatMap((type) =>
    ofType(resources, type).map(({ Properties }) => String(Properties.AlarmName)),
  );
  const kinds = ["failures", "failure-rate", "unauthorized", "unauthorized-rate", "drift", "staleness"];
  expect(before.filter((name) => !now.includes(name)).sort()).toEqual(
    [...kinds, "latency", "retirement", "certificate"].map((kind) => `v1watch-fallback-${kind}`).sort(),
  );
});

test("What a subscription wants to get does not make it another one", () => {
  const idsOf = (target: object) =>
    Object.keys(
      Template.fromStack(
        buildWatch(
          createTestApp(),
          configure({ aws: { subscriptions: [{ email: "team@example.com", ...target }] } }),
        ),
      ).findResources("AWS::SNS::Subscription"),
    );
  const [first] = idsOf({});
  expect(idsOf({ about: ["v1"] })).toEqual([first]);
  expect(idsOf({ filterPolicy: { severity: ["page"] } })).toEqual(idsOf({}));
});
