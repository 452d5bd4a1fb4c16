// ARNs as settings: what each names, and why AWS would refuse it.
import * as z from "zod";

export type Arn = { partition: string; service: string; region: string; account: string; resource: string };

const arnForm = /^arn:(aws[a-z-]*):([a-z0-9-]+):([a-z0-9-]*):(\d{12}|):([^\s]{1,512})$/;

function parseArn(text: string): Arn | undefined {
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

/** Where the watch is deployed, as far as it is known. */
export type Place = { region?: string | undefined; account?: string | undefined };

/** The part of a configuration that names ARNs. */
type WithArns = {
  aws: {
    region?: string | undefined;
    selfAlarmActions: readonly string[];
    subscriptions: readonly object[];
    keyKmsKeyArn?: string | undefined;
    permissionsBoundaryArn?: string | undefined;
  };
  key: "none" | object;
};

/** ARNs of another partition, region or account than the watch, which AWS would refuse only at the deployment. */
export function findPlaceMistakes({ aws, key }: WithArns, place: Place): (Problem & { path: string })[] {
  const region = place.region ?? aws.region;
  const { account } = place;
  const arns: [path: string, text: string | undefined][] = [
    ...aws.selfAlarmActions.map((text, index): [string, string] => [`aws.selfAlarmActions[${index}]`, text]),
    ...aws.subscriptions.map((target, index): [string, string | undefined] => [
      `aws.subscriptions[${index}]`,
      "sqs" in target ? String(target.sqs) : "lambda" in target ? String(target.lambda) : undefined,
    ]),
    ["aws.keyKmsKeyArn", aws.keyKmsKeyArn],
    ["aws.permissionsBoundaryArn", aws.permissionsBoundaryArn],
    ["key.secret", key !== "none" && "secret" in key ? String(key.secret) : undefined],
  ];
  return arns.flatMap(([path, text]) => {
    const arn = text === undefined ? undefined : parseArn(text);
    const found = arn && region ? findOtherPlace(path, arn, region) : undefined;
    const foreign = arn && account ? findOtherAccount(path, arn, account) : undefined;
    const problem = found ?? foreign;
    return problem ? [{ path, ...problem }] : [];
  });
}

function findOtherPlace(path: string, arn: Arn, region: string): Problem | undefined {
  const partition = partitionOf(region);
  if (arn.partition !== partition)
    return {
      problem: `is in the partition ${arn.partition}; the watch is in ${region}, in the partition ${partition}.`,
      remedy: `Use one of the partition ${partition}.`,
    };
  if (!arn.region || arn.region === region) return undefined;
  if (path.startsWith("aws.selfAlarmActions"))
    return {
      problem: `is in ${arn.region}; the watch is in ${region}, and an alarm calls only actions of its own region.`,
      remedy: `Use one in ${region}.`,
    };
  if (path.startsWith("aws.subscriptions") && arn.service === "lambda")
    return {
      problem: `is a function in ${arn.region}; the watch is in ${region}, and may call none elsewhere.`,
      remedy: "Use a function of the same region, or a queue before it.",
    };
  if (path === "aws.keyKmsKeyArn")
    return {
      problem: `is a key in ${arn.region}; the watch is in ${region}, and reads its API key there.`,
      remedy: `Use the key in ${region} that encrypts the API key.`,
    };
  return undefined;
}

function findOtherAccount(path: string, arn: Arn, account: string): Problem | undefined {
  if (!path.startsWith("aws.subscriptions") || arn.account === account) return undefined;
  const thing = arn.service === "sqs" ? "a queue" : "a function";
  const why =
    arn.service === "sqs"
      ? "its owner would have to confirm the subscription by hand"
      : "only its owner can permit the topic to call it";
  return {
    problem: `is ${thing} of the account ${arn.account}; the watch is in ${account}, and ${why}.`,
    remedy: `Use one of the account ${account} that forwards, or an https address.`,
  };
}
