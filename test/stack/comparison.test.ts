// The comparison in AWS as an optional part of the stack: nothing without it, and little that it may do.
import { Stack, Validations } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import { expect, test } from "vitest";
import { V1Comparison, V1Watch } from "../../lib/stack/v1-watch.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import { buildComparison, comparisonResources, team, teamFilesOf } from "./comparison.ts";
import { configure, deployable } from "./configuration.ts";
import { createTestApp, named, ofType, type Resources, synthesise } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
const resources = comparisonResources();

test("Without a comparison the template has nothing of it", () => {
  const { resources: plain } = synthesise(configure());
  expect(ofType(plain, "AWS::StepFunctions::StateMachine")).toEqual([]);
  expect(JSON.stringify(plain)).not.toMatch(/comparisons?[/_-]|v1watch-(?:compare|fold)/i);
  const added = Object.keys(resources).filter((id) => !(id in plain));
  const kinds = added.map((id) => resources[id]?.Type.replace("AWS::", "")).sort();
  expect(kinds).toEqual(
    [
      ...["IAM::Role", "IAM::Role", "IAM::Role", "Logs::LogGroup", "Logs::LogGroup"],
      ...["Lambda::EventInvokeConfig", "Lambda::EventInvokeConfig", "Lambda::Function", "Lambda::Function"],
      ...["IAM::Policy", "SSM::Parameter", "StepFunctions::StateMachine"],
    ].sort(),
  );
});

test("cdk-nag has no finding, in a region that is known and in one that is not", () => {
  process.env.CDK_VALIDATION = "true";
  try {
    for (const change of [{}, { aws: { region: "eu-west-1" } }]) {
      const app = createTestApp();
      buildComparison(app, undefined, change);
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
      app.synth();
    }
  } finally {
    process.env.CDK_VALIDATION = "false";
  }
});

type Statement = { Action: string | string[]; Resource: unknown; Condition?: unknown };

/** Each permission as text: the verb, and the resource with names in place of references. */
function permissionsOf(roleId: string, from: Resources): string[] {
  const policies = from[roleId]?.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  const textOf = (value: unknown): string => {
    if (typeof value === "string") return value;
    const part = value as { Ref?: string; "Fn::GetAtt"?: [string, string]; "Fn::Join"?: [string, unknown[]] };
    if (part["Fn::Join"]) return part["Fn::Join"][1].map(textOf).join("");
    const id = part.Ref ?? part["Fn::GetAtt"]?.[0] ?? "";
    return `<${from[id]?.Properties.FunctionName ?? id.replace(/[0-9A-F]{8}$/, "")}>`;
  };
  return policies
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .flatMap(({ Action, Resource, Condition }) =>
      [Resource]
        .flat()
        .flatMap((resource) =>
          [Action].flat().map((action) => `${action} ${textOf(resource)}${Condition ? " if" : ""}`),
        ),
    )
    .filter((text) => !text.startsWith("logs:"))
    .sort();
}

const roleOf = (name: string) =>
  named(resources, "AWS::Lambda::Function", "FunctionName", name).Properties.Role["Fn::GetAtt"][0] as string;
const place = "<AWS::Region>:<AWS::AccountId>";
const table = (verb: string) => `dynamodb:${verb} <Table>`;
const objects = (verb: string, pattern: string) => `s3:${verb} <Reports>/comparisons/${pattern}`;
const failed = "sqs:SendMessage <Failed>";

test("The function of a chunk may read its chunk and the keys, and write its result, counters and metrics", () => {
  const parameter = (name: string) =>
    `ssm:GetParameter arn:<AWS::Partition>:ssm:${place}:parameter/v1watch/${name}`;
  expect(permissionsOf(roleOf("v1watch-compare"), resources)).toEqual(
    [
      ...[table("GetItem"), table("PutItem"), table("UpdateItem")],
      ...[objects("GetObject", "*/chunks/*"), objects("GetObject", "*/results/*")],
      ...[objects("PutObject", "*/results/*"), "cloudwatch:PutMetricData * if"],
      ...[parameter("key"), parameter("v2-key")],
    ].sort(),
  );
});

test("The function that folds may read results, write the index and the comparison, and remove chunks", () => {
  expect(permissionsOf(roleOf("v1watch-fold"), resources)).toEqual(
    [
      ...[table("GetItem"), table("PutItem"), table("UpdateItem"), "s3:ListBucket <Reports> if"],
      ...[objects("GetObject", "*/results/*"), objects("DeleteObject", "*/chunks/*")],
      ...[objects("PutObject", "*/index.json"), objects("PutObject", "latest.json")],
    ].sort(),
  );
});

test("The state machine may start its own functions and children, and nothing else", () => {
  const [machine] = ofType(resources, "AWS::StepFunctions::StateMachine");
  const roleId = machine?.Properties.RoleArn["Fn::GetAtt"][0] as string;
  const states = (kind: string) => `arn:<AWS::Partition>:states:${place}:${kind}:v1watch-comparison`;
  expect(permissionsOf(roleId, resources)).toEqual(
    [
      ...["lambda:InvokeFunction <v1watch-compare>", "lambda:InvokeFunction <v1watch-fold>", failed],
      objects("GetObject", "*/index.json"),
      ...["GetObject", "PutObject", "ListMultipartUploadParts", "AbortMultipartUpload"].map((verb) =>
        objects(verb, "map/*"),
      ),
      `states:StartExecution ${states("stateMachine")}`,
      ...[
        `states:DescribeExecution ${states("execution")}/*`,
        `states:StopExecution ${states("execution")}/*`,
      ],
    ].sort(),
  );
});

test("The report knows of the comparison, and may read the latest one", () => {
  const added = ofType(resources, "AWS::IAM::Policy").map(({ Properties }) => Properties);
  expect(added.map(({ Roles }) => Roles)).toEqual([[{ Ref: roleOf("v1watch-report") }]]);
  expect(added[0]?.PolicyDocument.Statement).toMatchObject([{ Action: "s3:GetObject" }]);
  expect(JSON.stringify(added)).toContain("/comparisons/latest.json");
  const report = named(resources, "AWS::Lambda::Function", "FunctionName", "v1watch-report");
  expect(report.Properties.Environment.Variables.COMPARISON).toBe("true");
});

test("Chunks of a comparison that never ended expire", () => {
  const [bucket] = ofType(resources, "AWS::S3::Bucket");
  expect(bucket?.Properties.LifecycleConfiguration.Rules).toContainEqual(
    expect.objectContaining({ Prefix: "comparisons/20", ExpirationInDays: 90 }),
  );
});

test("The comparison is a construct of its own that an app adds to a watch it has", () => {
  const stack = new Stack(createTestApp(), "Platform");
  const watch = new V1Watch(stack, "Watch", { config: deployable });
  const { stateMachine } = new V1Comparison(stack, "Comparison", { watch, teamFiles: team() });
  expect(stateMachine.stateMachineName).toBe(`${watch.prefix}-comparison`);
  const added = Template.fromStack(stack).toJSON().Resources as Resources;
  expect(ofType(added, "AWS::Lambda::Function")).toHaveLength(7);
});

test("A mapping with V2's key on this machine, or no mapping, is refused", () => {
  const local = teamFilesOf(decidedMapping("https://v2.example.com"));
  expect(() => buildComparison(createTestApp(), local)).toThrow(/aws\.comparison: needs a mapping/);
  expect(() => buildComparison(createTestApp(), "{}")).toThrow(/aws\.comparison: needs a mapping/);
});
