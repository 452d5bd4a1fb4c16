// The functions, and what each may do: its own verbs on its own resources.

import { ArnFormat, Duration, Stack } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import {
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  type Code,
  type FunctionProps,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from "aws-cdk-lib/aws-lambda";
import { type ILogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import { CfnBucket, type IBucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { tableShape } from "../aws/table-shape.ts";
import type { Config } from "../config/config.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { bundle, type FunctionName } from "./bundle.ts";
import { assessSettings, inventoryFile, probeSettings } from "./function-settings.ts";
import { keyActions } from "./lent.ts";
import type { Network } from "./network.ts";
import { countSubscriptions, type Notifications } from "./notifications.ts";
import { memoryMb, probeTimeoutSeconds } from "./rhythm.ts";
import { acknowledge, type WatchScope } from "./scope.ts";
import { removalOf, type Store } from "./store.ts";

export type Functions = {
  probes: Record<EndpointId, LambdaFunction>;
  assess: LambdaFunction;
  report: LambdaFunction;
};

export type Parts = {
  /** Names and runbook. */
  scope: WatchScope;
  config: Config;
  store: Store;
  notifications: Notifications;
  failed: Queue;
  /** Undefined outside of a VPC. */
  network: Network | undefined;
  /** The team's mapping, inventory and parity result for the report, as JSON. */
  team: string | undefined;
  architecture: Architecture | undefined;
  /** One for all functions, which an app lends. */
  logGroup: ILogGroup | undefined;
};
type Settings = {
  id: string;
  code: Code;
  kind: FunctionName;
  timeoutSeconds: number;
  environment: Record<string, string>;
  may: PolicyStatement[];
  /** A lost tick is worth nothing, because the next one follows. What runs once a week leaves its event behind. */
  keepsLostEvents?: boolean;
  /** Wildcards below our own bucket, by their pattern, and why they are needed. */
  objects?: Record<string, string>;
};

export function createFunctions(parts: Parts): Functions {
  const { config, store, notifications } = parts;
  const probeCode = bundle("probe");
  const createProbe = (endpoint: EndpointId) =>
    createFunction(parts, {
      id: `probe-${endpoint}`,
      code: probeCode,
      kind: "probe",
      timeoutSeconds: probeTimeoutSeconds(config),
      environment: { ENDPOINT: endpoint, SETTINGS: probeSettings(config) },
      may: [
        allow(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"], [store.table.tableArn]),
        allow(["dynamodb:Query"], [indexArn(store, "toDo")]),
        putMetrics(parts),
        ...readKey(parts),
        ...readProxy(parts),
      ],
    });
  return {
    probes: Object.fromEntries(endpointIds.map((id) => [id, createProbe(id)])) as Functions["probes"],
    assess: createFunction(parts, {
      id: "assess",
      code: bundle("assess", inventoryFile(parts.team)),
      kind: "assess",
      // A tick takes a second; a backlog of months is caught up with in several runs; SNS has a minute to answer.
      timeoutSeconds: 180,
      environment: {
        SETTINGS: assessSettings(config),
        TOPIC: notifications.topic.topicArn,
        // How many the topic should have.
        SUBSCRIPTIONS: String(countSubscriptions(config)),
        ...busOf(parts).environment,
      },
      may: [
        allow(
          [
            "dynamodb:GetItem",
            "dynamodb:Query",
            "dynamodb:PutItem",
            "dynamodb:UpdateItem",
            "dynamodb:DeleteItem",
          ],
          [store.table.tableArn],
        ),
        allow(["dynamodb:Query"], [indexArn(store, "byTime"), indexArn(store, "toDo")]),
        putMetrics(parts),
        allow(["sns:Publish", "sns:ListSubscriptionsByTopic"], [notifications.topic.topicArn]),
        ...useKey(notifications.key),
        ...busOf(parts).may,
      ],
    }),
    report: createFunction(parts, {
      id: "report",
      code: bundle("report", parts.team === undefined ? {} : { "team.json": parts.team }),
      kind: "report",
      timeoutSeconds: 120,
      keepsLostEvents: true,
      environment: {
        SETTINGS: assessSettings(config),
        BUCKET: store.bucket.bucketName,
        EVERY_DAYS: config.aws.report === "daily" ? "1" : "7",
      },
      may: [
        allow(["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem"], [store.table.tableArn]),
        allow(["dynamodb:Query"], [indexArn(store, "byTime"), indexArn(store, "toDo")]),
        allow(["s3:PutObject"], [store.bucket.arnForObjects("reports/*")]),
        // The last one, to say what changed since.
        allow(["s3:GetObject"], [store.bucket.arnForObjects("reports/*.json")]),
        ...useBucketKey(store),
      ],
      objects: {
        "reports/*": "Reports are named by their day, under reports/ of our own bucket.",
        "reports/*.json": "The last report is found by its day, in the same place.",
      },
    }),
  };
}

/** The account's default event bus, on which each alert is an event. */
function busOf({ scope, config }: Parts): Pick<Settings, "environment" | "may"> {
  if (!config.aws.events) return { environment: {}, may: [] };
  const busArn = Stack.of(scope).formatArn({
    service: "events",
    resource: "event-bus",
    resourceName: "default",
  });
  return { environment: { EVENT_BUS: busArn }, may: [allow(["events:PutEvents"], [busArn])] };
}

function createFunction(parts: Parts, settings: Settings): LambdaFunction {
  const { scope, config, store, failed, network } = parts;
  const { id, kind, may, keepsLostEvents = false } = settings;
  // Without a name of our own: one that outlived its stack must not stand in the way of the next.
  const logGroup =
    parts.logGroup ??
    new LogGroup(scope, `${id}-logs`, {
      retention: config.aws.logRetentionDays,
      removalPolicy: removalOf(config),
    });
  // Named, so that its statements can be read, and without the managed policy that may write to any log.
  const role = new Role(scope, `${id}-role`, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    inlinePolicies: {
      own: new PolicyDocument({
        statements: [
          allow(["logs:CreateLogStream", "logs:PutLogEvents"], [logGroup.logGroupArn]),
          ...(keepsLostEvents ? [allow(["sqs:SendMessage"], [failed.queueArn])] : []),
          ...(network ? [useNetwork] : []),
          ...may,
        ],
      }),
    },
  });
  for (const [pattern, why] of Object.entries(settings.objects ?? {}))
    acknowledgeObjects(parts, role, pattern, why);
  const unnamed = [
    ...(network ? ["Lambda's network interfaces have no names beforehand."] : []),
    ...(may.some(({ actions }) => actions.includes("cloudwatch:PutMetricData"))
      ? ["PutMetricData knows no resources; a condition binds it to our namespace."]
      : []),
  ];
  if (unnamed.length > 0) acknowledge(role, "AwsSolutions-IAM5[Resource::*]", unnamed.join(" "));
  const props = omitUndefined<FunctionProps>({
    functionName: `${scope.prefix}-${id}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: parts.architecture ?? Architecture.ARM_64,
    handler: "index.handler",
    code: settings.code,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    // START, END and REPORT of every idle minute would be most of the log.
    systemLogLevelV2: SystemLogLevel.WARN,
    applicationLogLevelV2: ApplicationLogLevel.INFO,
    memorySize: memoryMb[kind],
    timeout: Duration.seconds(settings.timeoutSeconds),
    vpc: network?.vpc,
    vpcSubnets: network?.subnets,
    securityGroups: network?.securityGroups,
    // A tick that waited for longer is worth less than the next one.
    maxEventAge: Duration.minutes(5),
    retryAttempts: 1,
    environment: {
      NAMESPACE: scope.namespace,
      TABLE: store.table.tableName,
      RETENTION_DAYS: String(config.aws.retentionDays),
      ...settings.environment,
    },
  });
  const created = new LambdaFunction(scope, id, props);
  // Set here, because the property of the construct would add to the role what it has already.
  const resource = created.node.defaultChild as CfnFunction;
  if (keepsLostEvents) resource.deadLetterConfig = { targetArn: failed.queueArn };
  return created;
}

/** One by one: any other wildcard is still found. */
function acknowledgeObjects({ scope, store }: Parts, role: Role, pattern: string, why: string): void {
  acknowledge(role, `AwsSolutions-IAM5[Resource::${shownArn(scope, store.bucket)}/${pattern}]`, why);
}

/** As cdk-nag writes it: what only the deployment knows stands in angle brackets. */
function shownArn(scope: Construct, bucket: IBucket): string {
  const stack = Stack.of(scope);
  const resource = bucket.node.defaultChild;
  if (resource instanceof CfnBucket) return `<${stack.getLogicalId(resource)}.Arn>`;
  return `arn:<AWS::Partition>:s3:::${bucket.bucketName}`;
}

const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });

const useKey = (key: IKey | undefined) => (key ? [allow(keyActions, [key.keyArn])] : []);

/** Of a bucket that an app lends, by a statement of the role: the policy of its key stays as it is. */
const useBucketKey = ({ bucket }: Store) => useKey(bucket.encryptionKey);

const indexArn = ({ table }: Store, index: keyof typeof tableShape.indexes) =>
  `${table.tableArn}/index/${tableShape.indexes[index].name}`;

const putMetrics = ({ scope }: Parts) =>
  new PolicyStatement({
    actions: ["cloudwatch:PutMetricData"],
    resources: ["*"],
    conditions: { StringEquals: { "cloudwatch:namespace": scope.namespace } },
  });

/** What AWS's own policy for functions in a VPC allows; the calls know no resources. */
const useNetwork = new PolicyStatement({
  actions: [
    "ec2:CreateNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:DeleteNetworkInterface",
    "ec2:AssignPrivateIpAddresses",
    "ec2:UnassignPrivateIpAddresses",
  ],
  resources: ["*"],
});

/** By its name: the key itself is put there by hand, and never passes through CloudFormation. */
function readKey(parts: Parts, key: KeySource = parts.config.key): PolicyStatement[] {
  const source = readKeySource(parts, key);
  const { keyKmsKeyArn } = parts.config.aws;
  return source.length > 0 && keyKmsKeyArn ? [...source, allow(["kms:Decrypt"], [keyKmsKeyArn])] : source;
}

const readProxy = (parts: Parts): PolicyStatement[] => {
  const { proxy } = parts.config;
  return proxy && !("url" in proxy) ? readKey(parts, proxy) : [];
};

type KeySource = Config["key"];

function readKeySource({ scope }: Parts, key: KeySource): PolicyStatement[] {
  if (key === "none") return [];
  const stack = Stack.of(scope);
  if ("ssm" in key) {
    const resourceName = key.ssm.replace(/^\//, "");
    return [
      allow(["ssm:GetParameter"], [stack.formatArn({ service: "ssm", resource: "parameter", resourceName })]),
    ];
  }
  if (!("secret" in key)) return [];
  // Secrets Manager adds a hyphen and six characters to the name.
  const resourceName = `${key.secret}-??????`;
  const arn = key.secret.startsWith("arn:")
    ? key.secret
    : stack.formatArn({
        service: "secretsmanager",
        resource: "secret",
        resourceName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      });
  return [allow(["secretsmanager:GetSecretValue"], [arn])];
}
