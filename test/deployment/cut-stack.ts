// Our template, as far as LocalStack can make it, and the stack that LocalStack's CloudFormation made of it.
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Template as Assembly } from "aws-cdk-lib/assertions";
import { configure } from "../stack/configuration.ts";
import { buildWatch, createTestApp, type Resources } from "../stack/synthesis.ts";
import { cutTemplate, type Template } from "./cut-template.ts";
import { beyondLocalStack, type Server } from "./further-servers.ts";
import { account, region } from "./moto.ts";
import type { Made } from "./resolve-references.ts";

process.env.CDK_VALIDATION = "false";
const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${account}:${rest}`;

/** The queue that subscribes to the topic. */
export const inbox = "inbox";
export const config = configure({ aws: { subscriptions: [{ sqs: arn("sqs", inbox) }] } });
const whole = Assembly.fromStack(buildWatch(createTestApp(), config)).toJSON() as Template;

/** moto has made them; here their names are enough. */
function nameCut(name: string, attribute?: string): string {
  const { Type, Properties } = whole.Resources[name] ?? { Type: "", Properties: {} };
  const own = String(Properties.FunctionName ?? Properties.DashboardName ?? name);
  if (attribute === undefined) return own;
  return Type === "AWS::Lambda::Function"
    ? arn("lambda", `function:${own}`)
    : arn("dynamodb", `table/${own}`);
}

const template = cutTemplate(whole, beyondLocalStack, nameCut);
/** As the tests of the stack read them. */
export const resources = whole.Resources as Resources;
export const logicalNames = Object.keys(template.Resources).sort();
export const ofType = (type: string) =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type);

export type Created = Record<
  "LogicalResourceId" | "PhysicalResourceId" | "ResourceType" | "ResourceStatus",
  string
>;

/** Waits until the stack is there; throws with the server's log if it does not come to be. */
export async function createCutStack(aws: Server): Promise<Created[]> {
  const file = join(aws.folder, "template.json");
  await writeFile(file, JSON.stringify(template));
  await Promise.all([
    aws.cli("sqs", "create-queue", "--queue-name", inbox),
    // The CDK's templates ask for it.
    aws.cli(
      ...["ssm", "put-parameter", "--name", "/cdk-bootstrap/hnb659fds/version"],
      ...["--type", "String", "--value", "30"],
    ),
    aws
      .cli("s3api", "create-bucket", "--bucket", "templates")
      .then(() => aws.cli("s3api", "put-object", "--bucket", "templates", "--key", "cut", "--body", file)),
  ]);
  const stack = ["--stack-name", "v1watch"];
  await aws.cli(
    ...["cloudformation", "create-stack", ...stack, "--capabilities", "CAPABILITY_IAM"],
    ...["--template-url", `${aws.endpoint}/templates/cut`],
  );
  let status = "";
  while (!/(COMPLETE|FAILED)$/.test(status)) {
    await sleep(500);
    const { Stacks } = (await aws.cli("cloudformation", "describe-stacks", ...stack)) as {
      Stacks: { StackStatus: string }[];
    };
    status = Stacks[0]?.StackStatus ?? "";
  }
  if (status !== "CREATE_COMPLETE") throw new Error(`${status}: ${aws.log().slice(-3_000)}`);
  const listed = await aws.cli("cloudformation", "list-stack-resources", ...stack);
  return (listed as { StackResourceSummaries: Created[] }).StackResourceSummaries;
}

const arns: Record<string, (id: string) => string> = {
  "AWS::SNS::Topic": (id) => id,
  "AWS::SQS::Queue": (id) => arn("sqs", basename(id)),
  "AWS::S3::Bucket": (id) => `arn:aws:s3:::${id}`,
  "AWS::CloudWatch::Alarm": (id) => arn("cloudwatch", `alarm:${id}`),
  "AWS::CloudWatch::CompositeAlarm": (id) => arn("cloudwatch", `alarm:${id}`),
  "AWS::IAM::Role": (id) => `arn:aws:iam::${account}:role/${id}`,
};

export const madeOf = (created: readonly Created[]): Made =>
  Object.fromEntries(
    created.map(({ LogicalResourceId, PhysicalResourceId: Ref, ResourceType }) => [
      LogicalResourceId,
      { Ref, Arn: arns[ResourceType]?.(Ref), QueueName: basename(Ref), TopicName: Ref.split(":").at(-1) },
    ]),
  );
