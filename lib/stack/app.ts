// The CDK app of `v1watch deploy`: one stack, with the feature flags that a new CDK project has.
import { App } from "aws-cdk-lib";
import type { Config } from "../config/config.ts";
import { V1WatchStack } from "./v1-watch.ts";

const flags = {
  "@aws-cdk/core:checkSecretUsage": true,
  "@aws-cdk/core:target-partitions": ["aws", "aws-us-gov", "aws-cn"],
  "@aws-cdk/aws-iam:minimizePolicies": true,
};

export function createApp(config: Config, teamFiles?: string): App {
  const app = new App({ context: flags });
  new V1WatchStack(app, config.aws.stackName, { config, ...(teamFiles !== undefined && { teamFiles }) });
  return app;
}
