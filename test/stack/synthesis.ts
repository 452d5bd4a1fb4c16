// The stack as CloudFormation gets it, synthesised offline from a configuration.
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import type { Config } from "../../lib/config/config.ts";
import { V1WatchStack } from "../../lib/stack/v1-watch.ts";
import { makeFolder } from "../local/temporary-folder.ts";

export const buildWatch = (app: App, config: Config) =>
  new V1WatchStack(app, config.aws.stackName, { config });

/** Without bundles, which take most of the time and are looked at in one test. */
export function createTestApp(withBundles = false): App {
  return new App({
    outdir: makeFolder(),
    ...(!withBundles && { context: { "aws:cdk:bundling-stacks": [] } }),
  });
}

export type Resource = {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is a stranger's tree, and tests pick at it.
  Properties: Record<string, any>;
  DeletionPolicy?: string;
  DependsOn?: string[];
};
export type Resources = Record<string, Resource>;

export function synthesise(config: Config): { template: Template; resources: Resources; outputs: string[] } {
  const template = Template.fromStack(buildWatch(createTestApp(), config));
  const { Resources, Outputs } = template.toJSON();
  return { template, resources: Resources as Resources, outputs: Object.keys(Outputs) };
}

export const ofType = (resources: Resources, type: string): Resource[] =>
  Object.values(resources).filter(({ Type }) => Type === type);

/** One resource by the last part of its name, such as `assess` of `v1watch-assess`. */
export function named(resources: Resources, type: string, property: string, name: string): Resource {
  const found = ofType(resources, type).filter(({ Properties }) => Properties[property] === name);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} of ${type} are called ${name}`);
  return found[0];
}
