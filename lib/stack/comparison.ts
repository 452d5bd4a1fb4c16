// What `v1watch parity --in-aws` needs, where it is wanted: a state machine that maps over the chunks of a cohort, and
// two functions. One compares a chunk, the other decides how the comparison goes on and folds its results.

import { ArnFormat, Duration, RemovalPolicy, Stack, Token } from "aws-cdk-lib";
import { PolicyDocument, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import { CfnStateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { bundle } from "./bundle.ts";
import { probeSettings } from "./function-settings.ts";
import {
  acknowledgeObjects,
  allow,
  createFunction,
  type KeySource,
  type Parts,
  putMetrics,
  readKey,
  readProxy,
  useBucketKey,
} from "./functions.ts";
import { acknowledge } from "./scope.ts";

/** The longest that Lambda allows: a chunk that waits for its tokens takes up to ten minutes. */
const compareSeconds = 900;

/** Longer than a million passports take at the default rate. */
const keptDays = 90;

type TeamMapping = { mapping?: { parsed: { v2: { key: KeySource } } } };

export interface V1ComparisonProps {
  /** The watch whose table, bucket, key and request budget it uses. */
  readonly watch: { readonly parts: Parts; readonly functions: { readonly report: LambdaFunction } };
  /**
   * The team's mapping, with V2's key in SSM or Secrets Manager, as `v1watch aws deploy` collects it in JSON.
   * @default the files of the watch
   */
  readonly teamFiles?: string | undefined;
}

/** Compares V1 with V2 in AWS, for thousands or millions of passports. */
export class V1Comparison extends Construct {
  readonly stateMachine: CfnStateMachine;

  constructor(scope: Construct, id: string, { watch, teamFiles }: V1ComparisonProps) {
    super(scope, id);
    const { bucket, ownBucket } = watch.parts.store;
    this.stateMachine = createComparison({
      ...watch.parts,
      parent: this,
      team: teamFiles ?? watch.parts.team,
    });
    const { report } = watch.functions;
    report.addEnvironment("COMPARISON", "true");
    report.addToRolePolicy(allow(["s3:GetObject"], [bucket.arnForObjects("comparisons/latest.json")]));
    // Chunks hold ids of people. They are removed when their comparison ends; this is for one that never does.
    ownBucket?.addLifecycleRule({
      prefix: "comparisons/20",
      expiration: Duration.days(keptDays),
      noncurrentVersionExpiration: Duration.days(1),
    });
  }
}

function createComparison(parts: Parts): CfnStateMachine {
  const { scope, parent, config, store, failed } = parts;
  const stack = Stack.of(scope);
  const { bucket, table } = store;
  const { mapping } = JSON.parse(parts.team ?? "{}") as TeamMapping;
  const v2Key = mapping?.parsed.v2.key;
  if (!v2Key || (v2Key !== "none" && !("ssm" in v2Key) && !("secret" in v2Key))) {
    throw new Error(
      'v1watch: aws.comparison: needs a mapping (v1watch.mapping.json) whose v2.key is { "ssm": … }, { "secret": … } or "none".',
    );
  }
  const files = { "mapping.json": JSON.stringify(mapping.parsed) };
  const objects = (pattern: string) => bucket.arnForObjects(`comparisons/${pattern}`);
  const environment = { BUCKET: bucket.bucketName };
  const why =
    "Runs and chunks have no names beforehand; all of them are below comparisons/ of our own bucket.";
  const compare = createFunction(parts, {
    id: "compare",
    kind: "compare",
    code: bundle("compare", files),
    timeoutSeconds: compareSeconds,
    environment: { ...environment, SETTINGS: probeSettings(config) },
    may: [
      allow(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"], [table.tableArn]),
      allow(["s3:GetObject"], [objects("*/chunks/*")]),
      allow(["s3:GetObject", "s3:PutObject"], [objects("*/results/*")]),
      putMetrics(parts),
      ...readKey(parts),
      ...readProxy(parts),
      ...readKey(parts, v2Key),
      ...useBucketKey(store),
    ],
    objects: { "comparisons/*/chunks/*": why, "comparisons/*/results/*": why },
  });
  const listed = allow(["s3:ListBucket"], [bucket.bucketArn]);
  listed.addCondition("StringLike", { "s3:prefix": "comparisons/*" });
  const fold = createFunction(parts, {
    id: "fold",
    kind: "fold",
    code: bundle("fold", files),
    timeoutSeconds: compareSeconds,
    environment,
    may: [
      allow(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"], [table.tableArn]),
      listed,
      allow(["s3:GetObject"], [objects("*/results/*")]),
      allow(["s3:DeleteObject"], [objects("*/chunks/*")]),
      allow(["s3:PutObject"], [objects("*/index.json"), objects("latest.json")]),
      ...useBucketKey(store),
    ],
    objects: {
      "comparisons/*/chunks/*": why,
      "comparisons/*/results/*": why,
      "comparisons/*/index.json": why,
    },
  });

  const name = `${scope.prefix}-comparison`;
  const arnOf = (resource: string, resourceName: string) =>
    stack.formatArn({ service: "states", resource, resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
  const role = new Role(parent, "comparison-role", {
    assumedBy: new ServicePrincipal("states.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
    inlinePolicies: {
      own: new PolicyDocument({
        statements: [
          allow(["lambda:InvokeFunction"], [compare.functionArn, fold.functionArn]),
          allow(["sqs:SendMessage"], [failed.queueArn]),
          allow(["s3:GetObject"], [objects("*/index.json")]),
          // What a Distributed Map writes of its children.
          allow(
            ["s3:GetObject", "s3:PutObject", "s3:ListMultipartUploadParts", "s3:AbortMultipartUpload"],
            [objects("map/*")],
          ),
          ...useBucketKey(store),
          // A Distributed Map starts its children as executions of its own state machine.
          allow(["states:StartExecution"], [arnOf("stateMachine", name)]),
          allow(["states:DescribeExecution", "states:StopExecution"], [arnOf("execution", `${name}/*`)]),
        ],
      }),
    },
  });
  acknowledgeObjects(parts, role, "comparisons/*/index.json", why);
  acknowledgeObjects(parts, role, "comparisons/map/*", why);
  // cdk-nag writes what only the deployment knows in this way.
  const shown = (value: string, kind: string) => (Token.isUnresolved(value) ? `<AWS::${kind}>` : value);
  const { partition, region, account } = stack;
  const executions = `arn:${shown(partition, "Partition")}:states:${shown(region, "Region")}:${shown(account, "AccountId")}:execution:${name}/*`;
  acknowledge(
    role,
    `AwsSolutions-IAM5[Resource::${executions}]`,
    "Executions of our own state machine, which AWS names.",
  );
  const machine = new CfnStateMachine(parent, "comparison", {
    stateMachineName: name,
    stateMachineType: "STANDARD",
    roleArn: role.roleArn,
    definitionString: stack.toJsonString(
      defineComparison(
        { compare, fold, bucket: bucket.bucketName, failed: failed.queueUrl },
        stack.partition,
      ),
    ),
  });
  machine.node.addDependency(role);
  const children =
    "Thousands of equal children: what happened is in the table, in S3 and in the execution's history.";
  acknowledge(machine, "AwsSolutions-SF1", children);
  acknowledge(machine, "AwsSolutions-SF2", children);
  // How the command finds all of it.
  const parameter = new StringParameter(parent, "ComparisonParts", {
    parameterName: `/v1watch/${scope.prefix}/comparison`,
    stringValue: stack.toJsonString({
      table: table.tableName,
      bucket: bucket.bucketName,
      stateMachine: arnOf("stateMachine", name),
    }),
  });
  parameter.applyRemovalPolicy(RemovalPolicy.DESTROY);
  return machine;
}

type Used = { compare: LambdaFunction; fold: LambdaFunction; bucket: string; failed: string };

/** Plan, then compare the chunks that are left and plan again, or wait and plan again, or end. */
function defineComparison({ compare, fold, bucket, failed }: Used, partition: string): object {
  const invoke = (target: LambdaFunction) => ({
    Type: "Task",
    Resource: `arn:${partition}:states:::lambda:invoke`,
    Parameters: { FunctionName: target.functionArn, "Payload.$": "$" },
    OutputPath: "$.Payload",
    TimeoutSeconds: compareSeconds + 60,
    Retry: [{ ErrorEquals: ["States.ALL"], IntervalSeconds: 5, MaxAttempts: 2, BackoffRate: 2 }],
  });
  const isNext = (step: string, Next: string) => ({ Variable: "$.next", StringEquals: step, Next });
  return {
    Comment: "Compares V1 with V2 for the passports of a cohort, chunk by chunk.",
    StartAt: "Plan",
    States: {
      Plan: { ...invoke(fold), Next: "Choose" },
      Choose: {
        Type: "Choice",
        Choices: [isNext("compare", "Compare"), isNext("wait", "Wait")],
        Default: "End",
      },
      Wait: { Type: "Wait", TimestampPath: "$.until", Next: "Plan" },
      Compare: {
        Type: "Map",
        Label: "chunks",
        MaxConcurrencyPath: "$.concurrency",
        // A chunk without a result is compared again in the next round.
        ToleratedFailureCount: 10_000_000,
        ItemReader: {
          Resource: `arn:${partition}:states:::s3:getObject`,
          ReaderConfig: { InputType: "JSON" },
          Parameters: { Bucket: bucket, "Key.$": "$.index" },
        },
        ItemProcessor: {
          ProcessorConfig: { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" },
          StartAt: "Chunk",
          States: {
            Chunk: {
              ...invoke(compare),
              Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "Keep" }],
              End: true,
            },
            Keep: {
              Type: "Task",
              Resource: `arn:${partition}:states:::sqs:sendMessage`,
              Parameters: { QueueUrl: failed, "MessageBody.$": "$" },
              End: true,
            },
          },
        },
        ResultWriter: {
          Resource: `arn:${partition}:states:::s3:putObject`,
          Parameters: { Bucket: bucket, Prefix: "comparisons/map" },
        },
        ResultPath: null,
        Next: "Plan",
      },
      End: { Type: "Succeed" },
    },
  };
}
