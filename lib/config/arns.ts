// ARNs as settings: what each names, and why AWS would refuse it.
import * as z from "zod";

export type Arn = { partition: string; service: string; region: string; account: string; resource: string };

const arnForm = /^arn:(aws[a-z-]*):([a-z0-9-]+):([a-z0-9-]*):(\d{12}|):([^\s]{1,512})$/;

export function parseArn(text: string): Arn | undefined {
  const [, partition, service, region, account, resource] = arnForm.exec(text) ?? [];
  if (!partition || !service || !resource) return undefined;
  return { partition, service, region: region ?? "", account: account ?? "", resource };
}

export function partitionOf(region: string): string {
  if (region.startsWith("cn-")) return "aws-cn";
  return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
}

export type Problem = { problem: string; remedy: string };

const exampleTopic = '"arn:aws:sns:eu-west-1:123456789012:alerts"';

/** Undefined for a standard SNS topic. */
export function findTopicProblem(text: string): Problem | undefined {
  const arn = parseArn(text);
  if (!arn?.region || !arn.account)
    return { problem: "is not the ARN of a topic.", remedy: `Use an SNS topic, such as ${exampleTopic}.` };
  const { service, resource } = arn;
  if (service !== "sns")
    return {
      problem: `is an ARN of the service ${service}, not of an SNS topic.`,
      remedy: `Use an SNS topic, such as ${exampleTopic}.`,
    };
  if (resource.includes(":"))
    return {
      problem: "is the ARN of a subscription, not of a topic.",
      remedy: `Use the topic itself: leave out the last part, ":${resource.slice(resource.indexOf(":") + 1, 80)}".`,
    };
  if (resource.endsWith(".fifo"))
    return {
      problem: "is a FIFO topic, which delivers to SQS queues only and takes no messages from alarms.",
      remedy: "Use a standard topic.",
    };
  if (!/^[\w-]{1,256}$/.test(resource))
    return { problem: "is not the ARN of a topic.", remedy: `Use an SNS topic, such as ${exampleTopic}.` };
  return findPartitionProblem(arn);
}

function findPartitionProblem({ partition, region }: Arn): Problem | undefined {
  if (region === "" || partitionOf(region) === partition) return undefined;
  return {
    problem: `has the partition ${partition}, but its region ${region} is in the partition ${partitionOf(region)}.`,
    remedy: "Copy the ARN from the console of its account.",
  };
}

/** What a composite alarm can call. */
const alarmServices = ["sns", "lambda", "ssm", "ssm-incidents", "aiops"];

function findAlarmActionProblem(text: string): Problem | undefined {
  const arn = parseArn(text);
  if (!arn || arn.service === "sns") return findTopicProblem(text);
  if (!alarmServices.includes(arn.service))
    return {
      problem: `is an ARN of the service ${arn.service}, which a composite alarm cannot call.`,
      remedy: `Use an SNS topic, such as ${exampleTopic}.`,
    };
  return findPartitionProblem(arn);
}

function findQueueProblem(text: string): Problem | undefined {
  const arn = parseArn(text);
  if (arn?.resource.endsWith(".fifo"))
    return {
      problem: "is a FIFO queue, which cannot subscribe to a standard topic.",
      remedy: "Use a standard queue.",
    };
  return arn && findPartitionProblem(arn);
}

function checked(error: string, find: (text: string) => Problem | undefined) {
  return z.string({ error }).superRefine((text, context) => {
    const found = find(text);
    if (found) context.addIssue({ code: "custom", message: found.problem, params: found });
  });
}

export const topicArn = () => checked('the ARN of a topic ("arn:aws:sns:…")', findTopicProblem);

export const alarmActionArn = () =>
  checked("the ARN of an action (such as another SNS topic)", findAlarmActionProblem);

const arnOf = (service: string) =>
  new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:[\\w:.-]{1,200}$`);

export function queueArn() {
  const error = 'the ARN of a queue ("arn:aws:sqs:…")';
  return checked(error, findQueueProblem).regex(arnOf("sqs"), { error, abort: true });
}

export function functionArn() {
  const error = 'the ARN of a function ("arn:aws:lambda:…")';
  return checked(error, (text) => {
    const arn = parseArn(text);
    return arn && findPartitionProblem(arn);
  }).regex(arnOf("lambda"), { error, abort: true });
}
