// The stack with the comparison in AWS, and the definition of its state machine.
import type { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { V1WatchStack } from "../../lib/stack/v1-watch.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import { configure } from "./configuration.ts";
import { createTestApp, ofType, type Resources } from "./synthesis.ts";

export const v2Key = { ssm: "/v1watch/v2-key" };

export const teamFilesOf = (mapping: object) =>
  JSON.stringify({ mapping: { file: "v1watch.mapping.json", text: "", parsed: mapping } });

export const team = () => {
  const mapping = decidedMapping("https://v2.example.com");
  return teamFilesOf({ ...mapping, v2: { ...mapping.v2, key: v2Key } });
};

export function buildComparison(app: App, teamFiles: string | undefined = team(), change: object = {}) {
  const config = configure(change);
  return new V1WatchStack(app, "v1watch", {
    config: { ...config, aws: { ...config.aws, comparison: true } },
    teamFiles,
  });
}

export const resourcesOf = (stack: V1WatchStack) => Template.fromStack(stack).toJSON().Resources as Resources;

export function comparisonResources(): Resources {
  return resourcesOf(buildComparison(createTestApp()));
}

/** As the template has it: a text in parts, because CloudFormation fills in names. */
export const definitionOf = (resources: Resources): unknown =>
  ofType(resources, "AWS::StepFunctions::StateMachine")[0]?.Properties.DefinitionString;
