// What both versions of cdk-nag find: version 2 visits the tree and reads the metadata of resources, version 3 is a plugin of the CDK.
import { Aspects, type IAspect, Stack, Validations } from "aws-cdk-lib";
import { Annotations, Match } from "aws-cdk-lib/assertions";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { AwsSolutionsChecks } from "cdk-nag";
import { AwsSolutionsChecks as AwsSolutionsChecks2 } from "cdk-nag-2";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { V1Watch, type V1WatchProps } from "../../lib/stack/v1-watch.ts";
import { configure, deployable, everySubscription } from "./configuration.ts";
import { buildWatch, createTestApp } from "./synthesis.ts";

beforeEach(() => void vi.stubEnv("CDK_VALIDATION", "true"));
afterEach(() => void vi.unstubAllEnvs());

/** A stack of an app, by what is in it. */
const stacks: Record<string, (app: ReturnType<typeof createTestApp>) => Stack> = {
  "a watch with defaults": (app) => buildWatch(app, configure()),
  "a watch with everything": (app) =>
    buildWatch(
      app,
      configure({ aws: { subscriptions: everySubscription, drill: true, removal: "destroy" } }),
    ),
  "a watch in a VPC, with a bucket and a table that are lent": (app) => {
    const stack = new Stack(app, "Platform");
    const aws = {
      vpc: { vpcId: "vpc-0123abcd", subnetIds: ["subnet-0123abcd"] },
      drill: true,
      keyKmsKeyArn: "arn:aws:kms:eu-west-1:123456789012:key/0123-abcd",
      existingTableName: "kept-table",
    };
    const bucket = Bucket.fromBucketName(stack, "Reports", "our-reports");
    new V1Watch(stack, "Watch", { bucket, config: { ...deployable, aws } } satisfies V1WatchProps);
    return stack;
  },
  "a watch whose key is in Secrets Manager": (app) =>
    buildWatch(app, configure({ key: { secret: "v1watch/key" } })),
};

describe.each(Object.entries(stacks))("%s", (_name, build) => {
  test("cdk-nag 2 finds no error", () => {
    const app = createTestApp();
    const stack = build(app);
    Aspects.of(app).add(new AwsSolutionsChecks2() as unknown as IAspect);
    const found = Annotations.fromStack(stack).findError("*", Match.stringLikeRegexp("AwsSolutions"));
    expect(found.map(({ id, entry }) => `${id}: ${String(entry.data)}`)).toEqual([]);
  });

  test("cdk-nag 3 finds no error, and its findings would stop the synthesis", () => {
    const app = createTestApp();
    build(app);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });
});

test("Both versions still find what nobody has explained", () => {
  const build = () => {
    const app = createTestApp();
    const stack = new Stack(app, "Platform");
    new V1Watch(stack, "Watch", { config: deployable });
    new Bucket(stack, "Unexplained");
    return { app, stack };
  };
  const { app, stack } = build();
  Aspects.of(app).add(new AwsSolutionsChecks2() as unknown as IAspect);
  const found = Annotations.fromStack(stack).findError("*", Match.stringLikeRegexp("AwsSolutions"));
  expect(new Set(found.map(({ id }) => id.replace(/\/Resource$/, "")))).toEqual(
    new Set(["/Platform/Unexplained"]),
  );
  const second = build();
  Validations.of(second.app).addPlugins(new AwsSolutionsChecks(second.app));
  expect(() => second.app.synth()).toThrow();
});
