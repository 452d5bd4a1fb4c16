// The whole watch as a construct for any stack, and as a stack of its own: `v1watch/cdk`.

import { createRequire } from "node:module";
import {
  Annotations,
  App,
  CfnOutput,
  DefaultStackSynthesizer,
  Duration,
  type IStackSynthesizer,
  Stack,
  type StackProps,
  Stage,
  Tags,
  Token,
} from "aws-cdk-lib";
import type { Dashboard, IAlarmAction, Metric, MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { ISecurityGroup, IVpc, SubnetSelection } from "aws-cdk-lib/aws-ec2";
import { type EventPattern, type IRuleTarget, Rule } from "aws-cdk-lib/aws-events";
import {
  type Grant,
  type IGrantable,
  ManagedPolicy,
  PermissionsBoundary,
  type PolicyStatement,
} from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Architecture } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { isPublished } from "../assess/alarms/published.ts";
import type { MetricName } from "../assess/metrics.ts";
import { type Config, type ConfigSettings, findExampleMistakes } from "../config/config.ts";
import { type EndpointId, idsOf } from "../contract/endpoints.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { type Alarms, createAlarms, metricFor, type Notifying } from "./alarms.ts";
import { natText } from "./cost-text.ts";
import { createDashboard, dashboardUrl } from "./dashboard.ts";
import { createDrill } from "./drill.ts";
import { createFunctions, type Functions, type Parts } from "./functions.ts";
import {
  admitAlarmsToKey,
  admitAlarmsToTopic,
  assertLendable,
  checkedAction,
  keyActions,
  statementsForOwner,
} from "./lent.ts";
import { findBudgetMistakes } from "./mistakes.ts";
import { findNetwork } from "./network.ts";
import { createDeadLetters, createNotifications } from "./notifications.ts";
import { createSchedules } from "./schedules.ts";
import { WatchScope } from "./scope.ts";
import { assertNoMistakes, loadSettings } from "./settings.ts";
import { createStore } from "./store.ts";

export type { ConfigSettings } from "../config/config.ts";
export type { EndpointId } from "../contract/endpoints.ts";

/** The configuration, and what it cannot hold: constructs of your app. A construct comes before the setting that names it. */
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
  /** The team's mapping, inventory and parity result for the report, as `v1watch aws deploy` collects them in JSON. */
  readonly teamFiles?: string | undefined;
  /**
   * A topic for the alerts about V1. Its policy stays as it is; see `allowAlarms`. If it is encrypted and imported without its
   * key, name the key as `encryptionKey`.
   * @default a topic is created
   */
  readonly topic?: ITopic;
  /**
   * A bucket for the reports. It is never changed, emptied or removed.
   * @default a bucket is created
   */
  readonly bucket?: IBucket;
  /**
   * The key that encrypts the topic of alerts. Its policy stays as it is and has to admit `cloudwatch.amazonaws.com`; see
   * `allowAlarms`.
   * @default the key of `topic`; without a `topic` a key is created
   */
  readonly encryptionKey?: IKey;
  /**
   * Further actions of every alarm that notifies, such as an SNS topic of an on-call service, beside
   * `aws.selfAlarmActions` of the configuration.
   * @default none
   */
  readonly alarmActions?: readonly IAlarmAction[];
  /** @default `aws.vpc.securityGroupIds` of the configuration, or one that lets requests out and none in */
  readonly securityGroups?: ISecurityGroup[];
  /** @default `Architecture.ARM_64`, which costs a fifth less */
  readonly architecture?: Architecture;
  /**
   * A log group for all functions, whose retention and removal are yours.
   * @default one for each function, with `aws.logRetentionDays`
   */
  readonly logGroup?: ILogGroup;
}

/** A property that is left out is as good as one that is misspelt; TypeScript notices that, JavaScript does not. */
const ownProperties: Record<keyof V1WatchProps, true> = {
  config: true,
  vpc: true,
  subnets: true,
  teamFiles: true,
  topic: true,
  bucket: true,
  encryptionKey: true,
  alarmActions: true,
  securityGroups: true,
  architecture: true,
  logGroup: true,
};

/** Those of the lowest CDK that is supported, and of later ones. */
const stackProperties: Record<keyof StackProps, true> = {
  analyticsReporting: true,
  crossRegionReferences: true,
  description: true,
  env: true,
  notificationArns: true,
  permissionsBoundary: true,
  propertyInjectors: true,
  stackName: true,
  suppressTemplateIndentation: true,
  synthesizer: true,
  tags: true,
  terminationProtection: true,
};

function assertKnown(props: object, known: object): void {
  const unknown = Object.keys(props).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const names = Object.keys(ownProperties).sort().join(", ");
  throw new Error(
    `v1watch: ${unknown.join(", ")}: not a property of the watch. Its properties are ${names}; everything else is a setting of config, such as aws.drill.`,
  );
}

/** Which alerts a rule of `onAlert` gets. */
export interface OnAlertOptions {
  /** @default "OnAlert"; each further rule needs one */
  readonly id?: string;
  /** @default all: page, warning, info */
  readonly severities?: readonly ("page" | "warning" | "info")[];
  /** @default all, drills included: opened, changed, reminder, resolved, drill, … */
  readonly events?: readonly string[];
}

/** Which endpoint, beside what every metric of the CDK takes. */
export interface V1MetricOptions extends MetricOptions {
  /** @default the list */
  readonly endpoint?: EndpointId;
}

/** Monitors V1: three probers, an assessment, a report, their schedules, table, topic, alarms and dashboard. */
export class V1Watch extends WatchScope {
  /** The configuration in force, with every default. */
  readonly config: Config;
  readonly runbookUrl: string | undefined;
  /** Alerts about V1 are published here, and CloudWatch's alarms about V1. Unless it is lent, it takes alarms of yours too. */
  readonly topic: ITopic;
  /** CloudWatch's alarms are published here, and alarms of yours if you like. It is not encrypted. */
  readonly watchTopic: ITopic;
  readonly table: ITable;
  /** Reports are stored here, below `reports/`. */
  readonly bucket: IBucket;
  /** Each has a role that takes additions: `functions.assess.addToRolePolicy(…)`. */
  readonly functions: Functions;
  /** By the name without the prefix of the watch: `alarms["v1watch-unhealthy"]`. */
  readonly alarms: Readonly<Alarms>;
  readonly dashboard: Dashboard;

  readonly #notifying: readonly Notifying[];

  constructor(scope: Construct, id: string, props: V1WatchProps) {
    super(scope, id);
    // The stack of the watch hands on its own properties, which it has checked.
    assertKnown(
      props,
      scope instanceof V1WatchStack ? { ...ownProperties, ...stackProperties } : ownProperties,
    );
    const config = loadSettings(props.config);
    const isPlayed = process.env.AWS_ENDPOINT_URL !== undefined;
    const region = regionOf(this);
    assertNoMistakes(config, { region, isPlayed, hasVpc: props.vpc !== undefined });
    assertLendable(props.topic, region);
    // Annotations and not exceptions: they stop synth and deploy, and never destroy.
    for (const { path, problem, remedy } of findBudgetMistakes(config))
      Annotations.of(this).addError(`v1watch: ${path}: ${problem} ${remedy}`);
    // `v1watch aws deploy` refuses them; to look at the template of the example is no mistake.
    const examples = findExampleMistakes(config).map(
      ({ path, problem, remedy }) => `${path}: ${problem} ${remedy}`,
    );
    if (examples.length > 0)
      Annotations.of(this).addWarningV2(
        "v1watch:example",
        `v1watch: do not deploy this. ${examples.join(" ")}`,
      );
    if (config.aws.selfAlarmActions.length === 0 && !props.alarmActions?.length)
      Annotations.of(this).addWarningV2(
        "v1watch:second-way-out",
        "v1watch: the alarms about the watch itself have one way out, its own topic. Name a second one in aws.selfAlarmActions, such as a topic of your on-call service.",
      );
    this.config = config;
    this.runbookUrl = config.runbookUrl;

    const store = createStore(this, config, props.bucket);
    const notifications = createNotifications(this, config, props);
    const failed = createDeadLetters(this, "Failed");
    const parts: Parts = {
      scope: this,
      config,
      store,
      notifications,
      failed,
      network: findNetwork(this, config, props),
      team: props.teamFiles,
      architecture: props.architecture,
      logGroup: props.logGroup,
    };
    this.functions = createFunctions(parts);
    if (parts.network) Annotations.of(this).addInfo(`v1watch: ${natText}`);
    const schedules = createSchedules(this, config, this.functions, failed);
    const { alarms, notifying } = createAlarms(this, {
      config,
      functions: this.functions,
      table: store.table,
      notifications,
      failed,
      schedules,
      drillQueue: config.aws.drill ? createDrill(this, notifications) : undefined,
    });
    this.alarms = alarms;
    this.#notifying = notifying;
    this.addAlarmAction(...(props.alarmActions ?? []));
    this.dashboard = createDashboard(this, parts, this.functions, this.alarms);
    this.topic = notifications.topic;
    this.watchTopic = notifications.watchTopic;
    this.table = store.table;
    this.bucket = store.bucket;

    const boundary = config.aws.permissionsBoundaryArn;
    if (boundary !== undefined)
      PermissionsBoundary.of(this).apply(ManagedPolicy.fromManagedPolicyArn(this, "Boundary", boundary));
    for (const [name, value] of Object.entries(config.aws.tags)) Tags.of(this).add(name, value);
    for (const [name, value] of Object.entries({
      TopicArn: this.topic.topicArn,
      WatchTopicArn: this.watchTopic.topicArn,
      DashboardUrl: dashboardUrl(this, this.dashboard),
      BucketName: this.bucket.bucketName,
      TableName: this.table.tableName,
    })) {
      new CfnOutput(this, name, { value });
    }
  }

  /** The share of an endpoint's scheduled checks that got 401, from 0 to 1; over 24 h by default. */
  metricUnauthorizedRate(options?: V1MetricOptions): Metric {
    return this.#metric("Unauthorized", "Average", options);
  }

  /** The share of an endpoint's scheduled checks that got neither JSON nor a 401, from 0 to 1; over 24 h by default. */
  metricFailureRate(options?: V1MetricOptions): Metric {
    return this.#metric("RequestFailed", "Average", options);
  }

  /** The breaking differences from V1's document, the most in one response of a day by default. */
  metricBreakingDrift(options?: V1MetricOptions): Metric {
    return this.#metric("BreakingDrift", "Maximum", options);
  }

  /** The age of the list's newest record in seconds. Its percentiles are those of the ages of all records. */
  metricRecordAge(options?: V1MetricOptions): Metric {
    return this.#metric("RecordAgeSeconds", "Minimum", options);
  }

  /** Days to the best known date of V1's removal, negative after it; without data where none is known. */
  metricDaysToRetirement(options?: MetricOptions): Metric {
    return metricFor(this, {
      metric: "DaysToRetirement",
      endpoint: undefined,
      statistic: "Minimum",
      period: Duration.days(1),
    }).with(options ?? {});
  }

  /** The assessments that caught up with all checks, in an hour by default: 12 at the default interval. */
  metricAssessmentCompleted(options?: MetricOptions): Metric {
    return this.#ownMetric("AssessmentCompleted", "Sum", options);
  }

  /** The alerts that SNS has not accepted, the most in an hour by default. */
  metricUndelivered(options?: MetricOptions): Metric {
    return this.#ownMetric("UndeliveredAlerts", "Maximum", options);
  }

  /** The incidents that are firing, the most in an hour by default. */
  metricOpenIncidents(options?: MetricOptions): Metric {
    return this.#ownMetric("OpenIncidents", "Maximum", options);
  }

  /** The requests left of the month's budget, the fewest in an hour by default. */
  metricBudgetLeft(options?: MetricOptions): Metric {
    return this.#ownMetric("BudgetLeft", "Minimum", options);
  }

  /** The subscriptions of the topic of alerts that are not confirmed or missing; published once a day. */
  metricUnconfirmedSubscriptions(options?: MetricOptions): Metric {
    return this.#ownMetric("UnconfirmedSubscriptions", "Maximum", { period: Duration.days(1), ...options });
  }

  #ownMetric(metric: MetricName, statistic: string, options: MetricOptions = {}): Metric {
    return metricFor(this, { metric, endpoint: undefined, statistic, period: Duration.hours(1) }).with(
      options,
    );
  }

  #metric(metric: MetricName, statistic: string, { endpoint, ...options }: V1MetricOptions = {}): Metric {
    const [list] = idsOf("list");
    if (!isPublished(metric, endpoint))
      throw new Error(
        `v1watch: CloudWatch has ${metric} of ${idsOf("list").join(" and ")} only, and not of ${endpoint}. Leave endpoint out.`,
      );
    const period = Duration.days(1);
    return metricFor(this, { metric, endpoint: endpoint ?? list, statistic, period }).with(options);
  }

  /** Further actions of every alarm that notifies, and of its end where it tells that. The other alarms stay silent. */
  addAlarmAction(...actions: IAlarmAction[]): void {
    const region = regionOf(this);
    const checked = actions.map((action) => checkedAction(action, region));
    if (checked.length === 0) return;
    for (const { alarm, tellsEnd } of this.#notifying) {
      alarm.addAlarmAction(...checked);
      if (tellsEnd) alarm.addOkAction(...checked);
    }
  }

  /** A rule on the account's default event bus that brings the alerts of this watch, and of no other, to a target. */
  onAlert(target: IRuleTarget, { id = "OnAlert", severities, events }: OnAlertOptions = {}): Rule {
    if (!this.config.aws.events)
      throw new Error(
        "v1watch: onAlert needs the alerts as events. Set aws.events to true, or leave it out.",
      );
    const detail = omitUndefined<Record<string, string[]>>({
      severity: severities && [...severities],
      event: events && [...events],
    });
    return new Rule(this, id, {
      description: `${this.prefix}: alerts about V1`,
      eventPattern: omitUndefined<EventPattern>({
        source: ["v1watch"],
        detailType: ["v1watch alert"],
        resources: [this.topic.topicArn],
        detail: Object.keys(detail).length > 0 ? detail : undefined,
      }),
      targets: [target],
    });
  }

  /**
   * Lets CloudWatch's alarms of this account publish to a topic of yours, or use a key of yours. Needed for what you lend as
   * `topic` or `encryptionKey` if its policy does not admit alarms yet: a topic without a policy does, a key does not.
   * It adds a statement, and leaves to everybody else what they may do.
   */
  allowAlarms(lent: ITopic | IKey): void {
    const isAdded = "topicArn" in lent ? admitAlarmsToTopic(this, lent) : admitAlarmsToKey(this, lent);
    if (isAdded) return;
    Annotations.of(this).addWarningV2(
      "v1watch:imported",
      `v1watch: allowAlarms() cannot change the policy of ${lent.node.path}, which is imported. Where it is created, admit cloudwatch.amazonaws.com.`,
    );
  }

  /**
   * What the owner of a topic of another account adds to its policy, so that this watch's alarms and alerts reach it. The stack
   * of the watch needs an `env`. Any policy replaces SNS's own, so the owner's has to keep what others need.
   * @param topicArn the `topic` of the watch unless you name another one, such as that of an action
   */
  topicPolicyStatements(topicArn = this.topic.topicArn): PolicyStatement[] {
    return statementsForOwner(this, {
      actions: ["sns:Publish", "sns:ListSubscriptionsByTopic"],
      alarmActions: ["sns:Publish"],
      resource: topicArn,
    });
  }

  /** The same for the policy of the key that encrypts such a topic. In a key's policy `*` is the key itself. */
  keyPolicyStatements(): PolicyStatement[] {
    return statementsForOwner(this, { actions: keyActions, alarmActions: keyActions, resource: "*" });
  }

  /** Lets somebody read observations, incidents and reports, such as a dashboard of your own. */
  grantRead(grantee: IGrantable): Grant {
    return this.table.grantReadData(grantee).combine(this.bucket.grantRead(grantee, "reports/*"));
  }
}

/** A stack without a region of its own gets that of whoever deploys it, which the CDK's command line tells. */
function regionOf(watch: V1Watch): string | undefined {
  const { region } = Stack.of(watch);
  return Token.isUnresolved(region) ? process.env.CDK_DEFAULT_REGION : region;
}

export interface V1WatchStackProps extends V1WatchProps, StackProps {}

/** The watch in a stack of its own, in `aws.region` unless `env` or the stage has another. */
export class V1WatchStack extends Stack {
  readonly watch: V1Watch;

  constructor(scope: Construct, id: string, props: V1WatchStackProps) {
    assertKnown(props, { ...ownProperties, ...stackProperties });
    const { aws } = loadSettings(props.config);
    const hasRegion = Stage.of(scope)?.region !== undefined;
    const context: unknown = scope.node.tryGetContext("@aws-cdk/core:bootstrapQualifier");
    const qualifier = context === undefined ? aws.bootstrapQualifier : undefined;
    const defaults = omitUndefined<StackProps>({
      description: "v1watch: watches a deprecated API until you can leave it.",
      env: aws.region && !hasRegion ? { region: aws.region } : undefined,
      synthesizer: qualifier ? (new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer) : undefined,
    });
    super(scope, id, { ...defaults, ...props });
    // CloudFormation hands them on to everything in the stack.
    this.tags.setTag("application", "v1watch");
    this.tags.setTag("stack", this.stackName);
    // Default is left out of names and ids: those of this stack begin with its name alone.
    this.watch = new V1Watch(this, "Default", props);
  }
}

/** The feature flags that `cdk init` sets in a new project. */
const readFlags = (): Record<string, unknown> =>
  createRequire(import.meta.url)("aws-cdk-lib/recommended-feature-flags.json");

/** The app of `v1watch aws deploy`: one stack. */
export function createApp(config: Config, teamFiles?: string): App {
  const app = new App({ context: readFlags() });
  new V1WatchStack(app, config.aws.stackName, { config, teamFiles });
  return app;
}
