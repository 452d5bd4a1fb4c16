// The whole watch as a construct for any stack, and as a stack of its own: `v1watch/cdk`.

import {
  Annotations,
  App,
  CfnOutput,
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  Stack,
  type StackProps,
  Stage,
  Tags,
  Token,
} from "aws-cdk-lib";
import type { Dashboard } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { IVpc, SubnetSelection } from "aws-cdk-lib/aws-ec2";
import { type IManagedPolicy, ManagedPolicy, PermissionsBoundary } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { Config, ConfigSettings } from "../config/config.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { createAlarms } from "./alarms.ts";
import { createComparison } from "./comparison.ts";
import { createDashboard, dashboardUrl } from "./dashboard.ts";
import { createDrill } from "./drill.ts";
import { createFunctions } from "./functions.ts";
import { findBudgetMistakes } from "./mistakes.ts";
import { findNetwork } from "./network.ts";
import { createDeadLetters, createNotifications } from "./notifications.ts";
import { createSchedules } from "./schedules.ts";
import { WatchScope } from "./scope.ts";
import { assertNoMistakes, loadSettings } from "./settings.ts";
import { createStore } from "./store.ts";

export type { ConfigSettings } from "../config/config.ts";

/** What is set here comes before the same setting of the configuration. */
export interface V1WatchProps {
  /**
   * The configuration: settings as in `v1watch.config.json`, or the path of such a file. Names come from the
   * construct tree and not from `aws.stackName`; the region is the stack's.
   */
  readonly config: ConfigSettings | string;
  /**
   * Run the functions in this VPC. They need a way to V1 and to AWS, such as a NAT gateway.
   * @default none, or `aws.vpc` of the configuration
   */
  readonly vpc?: IVpc;
  /** @default the private subnets of `vpc` that have a way out */
  readonly subnets?: SubnetSelection;
  /**
   * The customer-managed KMS key that encrypts the API key in SSM or Secrets Manager.
   * @default `aws.keyKmsKeyArn` of the configuration; the AWS-managed key needs none
   */
  readonly keyKmsKeyArn?: string;
  /**
   * A boundary for every role of the watch.
   * @default `aws.permissionsBoundaryArn` of the configuration
   */
  readonly permissionsBoundary?: IManagedPolicy;
  /**
   * Where alarms and alerts refer to; the heading is added after a #.
   * @default `runbookUrl` of the configuration, or docs/runbook.md
   */
  readonly runbookUrl?: string;
  /**
   * A table that is there already, with the keys and indexes of v1watch. It is used, and never removed.
   * @default `aws.existingTableName` of the configuration; without it a table is created
   */
  readonly existingTableName?: string;
  /**
   * keep: table, reports and logs outlive the stack. destroy: nothing is left behind.
   * @default `aws.removal` of the configuration, or keep
   */
  readonly removal?: "keep" | "destroy";
  /**
   * Build what `v1watch parity --in-aws` needs. `teamFiles` must contain the mapping, with V2's key in SSM or Secrets
   * Manager.
   * @default `aws.comparison` of the configuration, or false
   */
  readonly comparison?: boolean;
  /**
   * Tags of everything that the watch creates.
   * @default `aws.tags` of the configuration
   */
  readonly tags?: Readonly<Record<string, string>>;
  /** The team's mapping, inventory and parity result for the report, as `v1watch aws deploy` collects them in JSON. */
  readonly teamFiles?: string | undefined;
}

/** Monitors V1: three probers, an assessment, a report, their schedules, table, topic, alarms and dashboard. */
export class V1Watch extends WatchScope {
  /** The configuration in force, with every default. */
  readonly config: Config;
  readonly runbookUrl: string;
  /** Alerts are published here. */
  readonly topic: ITopic;
  readonly table: ITable;
  /** Reports are stored here, below `reports/`. */
  readonly bucket: Bucket;
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, props: V1WatchProps) {
    super(scope, id);
    const config = loadSettings(props);
    const isPlayed = process.env.AWS_ENDPOINT_URL !== undefined;
    assertNoMistakes(config, { ...placeOf(this), isPlayed });
    // Annotations and not exceptions: they stop synth and deploy, and never destroy.
    for (const { path, problem, remedy } of findBudgetMistakes(config))
      Annotations.of(this).addError(`v1watch: ${path}: ${problem} ${remedy}`);
    this.config = config;
    this.runbookUrl = config.runbookUrl ?? "docs/runbook.md";

    const store = createStore(this, config);
    const notifications = createNotifications(this, config);
    const failed = createDeadLetters(this, "Failed");
    const network = findNetwork(this, config, props);
    const parts = { scope: this, config, store, notifications, failed, network, team: props.teamFiles };
    const functions = createFunctions(parts);
    if (config.aws.comparison) createComparison(parts);
    const schedules = createSchedules(this, config, functions, failed);
    const alarms = createAlarms(this, {
      config,
      notifications,
      failed,
      schedules,
      drill: config.aws.drill ? createDrill(this, notifications) : undefined,
    });
    this.dashboard = createDashboard(this, config, alarms);
    this.topic = notifications.topic;
    this.table = store.table;
    this.bucket = store.bucket;

    const boundary = config.aws.permissionsBoundaryArn;
    const policy =
      props.permissionsBoundary ??
      (boundary === undefined ? undefined : ManagedPolicy.fromManagedPolicyArn(this, "Boundary", boundary));
    if (policy) PermissionsBoundary.of(this).apply(policy);
    for (const [name, value] of Object.entries(config.aws.tags)) Tags.of(this).add(name, value);
    for (const [name, value] of Object.entries({
      TopicArn: this.topic.topicArn,
      DashboardUrl: dashboardUrl(this, this.dashboard),
      BucketName: this.bucket.bucketName,
      TableName: this.table.tableName,
    })) {
      new CfnOutput(this, name, { value });
    }
  }
}

/** A stack without an account or region of its own gets those of whoever deploys it, which the CDK's command line tells. */
function placeOf(watch: V1Watch) {
  const { region, account } = Stack.of(watch);
  const { CDK_DEFAULT_REGION, CDK_DEFAULT_ACCOUNT } = process.env;
  return {
    region: Token.isUnresolved(region) ? CDK_DEFAULT_REGION : region,
    account: Token.isUnresolved(account) ? CDK_DEFAULT_ACCOUNT : account,
  };
}

export interface V1WatchStackProps extends V1WatchProps, Omit<StackProps, "permissionsBoundary" | "tags"> {}

/** The watch in a stack of its own, in `aws.region` unless `env` or the stage has another. */
export class V1WatchStack extends Stack {
  readonly watch: V1Watch;

  constructor(scope: Construct, id: string, props: V1WatchStackProps) {
    const { aws } = loadSettings(props);
    const { tags: _, permissionsBoundary: __, ...rest } = props;
    const hasRegion = Stage.of(scope)?.region !== undefined;
    const context: unknown = scope.node.tryGetContext("@aws-cdk/core:bootstrapQualifier");
    const qualifier = context === undefined ? aws.bootstrapQualifier : undefined;
    const defaults = omitUndefined<StackProps>({
      description: "v1watch: watches a deprecated API until you can leave it.",
      env: aws.region && !hasRegion ? { region: aws.region } : undefined,
      synthesizer: qualifier ? (new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer) : undefined,
    });
    super(scope, id, { ...defaults, ...rest });
    // CloudFormation hands them on to everything in the stack.
    this.tags.setTag("application", "v1watch");
    this.tags.setTag("stack", this.stackName);
    // Default is left out of names and ids: those of this stack begin with its name alone.
    this.watch = new V1Watch(this, "Default", props);
  }
}

const flags = {
  "@aws-cdk/core:checkSecretUsage": true,
  "@aws-cdk/core:target-partitions": ["aws", "aws-us-gov", "aws-cn"],
  "@aws-cdk/aws-iam:minimizePolicies": true,
};

/** The app of `v1watch aws deploy`: one stack, with the feature flags that a new CDK project has. */
export function createApp(config: Config, teamFiles?: string): App {
  const app = new App({ context: flags });
  new V1WatchStack(app, config.aws.stackName, { config, teamFiles });
  return app;
}
