// Who may do what, statement by statement: a new permission has to be written here too.
import { describe, expect, test } from "vitest";
import { configure } from "./configuration.ts";
import { named, ofType, type Resources, synthesise } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
const { resources } = synthesise(configure());

type Statement = {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
  Principal?: unknown;
};

/** A resource as text: what CloudFormation puts in is named by the kind of thing it is. */
function textOf(value: unknown, from: Resources): string {
  if (typeof value === "string") return value;
  const part = value as { Ref?: string; "Fn::GetAtt"?: [string, string]; "Fn::Join"?: [string, unknown[]] };
  if (part["Fn::Join"]) return part["Fn::Join"][1].map((inner) => textOf(inner, from)).join("");
  const id = part.Ref ?? part["Fn::GetAtt"]?.[0] ?? "";
  const { Type, Properties } = from[id] ?? { Type: id, Properties: {} };
  // There are several queues; which one it is stands in its id, before the hash.
  const own = Type === "AWS::SQS::Queue" ? ` ${id.replace(/[0-9A-F]{8}$/, "")}` : "";
  return `<${Properties?.FunctionName ?? Type.replace("AWS::", "")}${own}>`;
}

function permissionsOf(statements: Statement[], from = resources, ownLog = ""): string[] {
  const nameOf = (resource: unknown) =>
    JSON.stringify(resource) === JSON.stringify({ "Fn::GetAtt": [ownLog, "Arn"] })
      ? "<own log>"
      : textOf(resource, from);
  return statements.flatMap(({ Effect, Action, Resource, Condition }) =>
    [Resource]
      .flat()
      .flatMap((resource) =>
        [Action]
          .flat()
          .map((action) =>
            [
              Effect === "Allow" ? action : `deny ${action}`,
              nameOf(resource),
              Condition && JSON.stringify(Condition),
            ]
              .filter(Boolean)
              .join(" "),
          ),
      ),
  );
}

function roleOf(functionName: string, from = resources): string[] {
  const { Properties } = named(from, "AWS::Lambda::Function", "FunctionName", `v1watch-${functionName}`);
  const role = from[Properties.Role["Fn::GetAtt"][0]];
  expect(role?.Properties.ManagedPolicyArns).toBeUndefined();
  const policies = role?.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies
    .flatMap(({ PolicyDocument }) =>
      permissionsOf(PolicyDocument.Statement, from, Properties.LoggingConfig.LogGroup.Ref),
    )
    .sort();
}

const logs = ["logs:CreateLogStream <own log>", "logs:PutLogEvents <own log>"];
const deadLetters = "sqs:SendMessage <SQS::Queue Failed>";
const putMetrics = 'cloudwatch:PutMetricData * {"StringEquals":{"cloudwatch:namespace":"V1Watch"}}';
const table = (...verbs: string[]) => verbs.map((verb) => `dynamodb:${verb} <DynamoDB::Table>`);
const index = (name: string) => `dynamodb:Query <DynamoDB::Table>/index/${name}`;
const parameter =
  "ssm:GetParameter arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:parameter/v1watch/key".replaceAll(
    "AWS::",
    "",
  );

describe("the role of a function allows only the calls that it makes", () => {
  test.each(["passport-list", "passport", "passport-credentials"])(
    "The role of the prober of %s allows only the calls that it makes",
    (endpoint) => {
      const name = `probe-${endpoint}`;
      expect(roleOf(name)).toEqual(
        [
          ...logs,
          ...table("GetItem", "PutItem", "UpdateItem"),
          ...[index("to-do"), putMetrics, parameter],
        ].sort(),
      );
    },
  );

  test("The role of the assessment allows only the calls that it makes", () => {
    expect(roleOf("assess")).toEqual(
      [
        ...logs,
        ...table("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
        ...[index("by-time"), index("to-do"), putMetrics],
        ...["sns:Publish <SNS::Topic>", "sns:ListSubscriptionsByTopic <SNS::Topic>"],
        ...["kms:Decrypt <KMS::Key>", "kms:GenerateDataKey <KMS::Key>"],
        "events:PutEvents arn:<Partition>:events:<Region>:<AccountId>:event-bus/default",
      ].sort(),
    );
  });

  test("The role of the report allows only the calls that it makes", () => {
    expect(roleOf("report")).toEqual(
      [
        ...logs,
        ...table("GetItem", "Query", "PutItem"),
        ...[
          index("by-time"),
          index("to-do"),
          deadLetters,
          "s3:PutObject <S3::Bucket>/reports/*",
          "s3:GetObject <S3::Bucket>/reports/*.json",
        ],
      ].sort(),
    );
  });

  test("No other resource has a policy, except the scheduler", () => {
    expect(ofType(resources, "AWS::IAM::Policy")).toEqual([]);
    expect(ofType(resources, "AWS::IAM::Role")).toHaveLength(6);
    const scheduler = ofType(resources, "AWS::IAM::Role").find(({ Properties }) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes("scheduler.amazonaws.com"),
    );
    const trust = scheduler?.Properties.AssumeRolePolicyDocument.Statement[0];
    expect(Object.keys(trust.Condition.StringEquals).sort()).toEqual(["aws:SourceAccount", "aws:SourceArn"]);
    const [policy] = scheduler?.Properties.Policies ?? [];
    const functions = [
      "probe-passport-list",
      "probe-passport",
      "probe-passport-credentials",
      "assess",
      "report",
    ];
    expect(permissionsOf(policy.PolicyDocument.Statement).sort()).toEqual(
      [deadLetters, ...functions.map((name) => `lambda:InvokeFunction <v1watch-${name}>`)].sort(),
    );
  });

  test("Only the probers can read the key, wherever it is kept", () => {
    const secret = synthesise(configure({ key: { secret: "v1watch/key" } })).resources;
    expect(roleOf("probe-passport", secret).filter((line) => /ssm|secret/.test(line))).toEqual([
      "secretsmanager:GetSecretValue arn:<Partition>:secretsmanager:<Region>:<AccountId>:secret:v1watch/key-??????",
    ]);
    const none = synthesise(configure({ key: "none" })).resources;
    expect(roleOf("probe-passport", none).filter((line) => /ssm|secret/.test(line))).toEqual([]);
    for (const from of [resources, secret])
      for (const name of ["assess", "report"])
        expect(roleOf(name, from).join()).not.toMatch(/ssm:|secretsmanager:/);
  });
});

describe("no statement is wider than it must be", () => {
  const statements = Object.values(resources).flatMap(({ Properties }): Statement[] => {
    const documents = [
      Properties.PolicyDocument,
      Properties.KeyPolicy,
      ...(Properties.Policies ?? []).map((policy: { PolicyDocument: unknown }) => policy.PolicyDocument),
    ];
    return documents.flatMap((document) => document?.Statement ?? []);
  });
  const allowed = statements.filter(({ Effect }) => Effect === "Allow");

  test("No action has a wildcard, except in the account's statement of the key policy", () => {
    const wide = allowed.filter(({ Action }) => [Action].flat().some((action) => action.includes("*")));
    expect(wide.map(({ Action }) => Action)).toEqual(["kms:*"]);
    expect(JSON.stringify(wide[0]?.Principal)).toContain(":root");
  });

  test("The resource * is used only where AWS supports no other, and in the key policy", () => {
    const wide = allowed
      .filter(({ Resource }) => Resource === "*")
      .map(({ Action }) => [Action].flat().join());
    expect([...new Set(wide)].sort()).toEqual([
      "cloudwatch:PutMetricData",
      "kms:*",
      "kms:Decrypt,kms:GenerateDataKey",
    ]);
  });

  test("CloudWatch may publish and use the key for this account's own alarms only", () => {
    const forCloudWatch = allowed.filter(({ Principal }) =>
      JSON.stringify(Principal ?? "").includes("cloudwatch.amazonaws.com"),
    );
    expect(forCloudWatch.map(({ Action }) => [Action].flat().join()).sort()).toEqual([
      "kms:Decrypt,kms:GenerateDataKey",
      ...["sns:Publish", "sns:Publish"],
    ]);
    for (const { Condition } of forCloudWatch) {
      const text = JSON.stringify(Condition);
      expect(text).toContain('"aws:SourceAccount":{"Ref":"AWS::AccountId"}');
      expect(text).toContain(":alarm:*");
    }
  });
});
