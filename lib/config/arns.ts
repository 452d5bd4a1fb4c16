// ARNs as settings: the form that tells a typo. Whether the thing exists, and may be used, only AWS knows.
import * as z from "zod";

const partitions = "aws|aws-cn|aws-us-gov";
const arnOf = (service: string, resource: string) =>
  new RegExp(`^arn:(?:${partitions}):${service}:([a-z0-9-]+):\\d{12}:${resource}$`);

export type Problem = { problem: string; remedy: string };

/** A FIFO topic takes no messages from alarms, and the ARN of a subscription has one more part. */
const topicForm = arnOf("sns", "[\\w-]{1,256}");
const topicText = 'the ARN of a standard SNS topic, such as "arn:aws:sns:eu-west-1:123456789012:alerts"';

const matching = (form: RegExp, error: string) => z.string({ error }).regex(form, { error, abort: true });

export const topicArn = () => matching(topicForm, topicText);

export const alarmActionArn = () =>
  matching(
    new RegExp(`${topicForm.source}|^arn:(?:${partitions}):(?:lambda|ssm|ssm-incidents|aiops):\\S{1,500}$`),
    `the ARN of what an alarm can call, such as ${topicText}`,
  );

export const queueArn = () =>
  matching(arnOf("sqs", "[\\w-]{1,80}"), 'the ARN of a standard queue ("arn:aws:sqs:…")');

export const functionArn = () =>
  matching(arnOf("lambda", "[\\w:.-]{1,200}"), 'the ARN of a function ("arn:aws:lambda:…")');

/** The part of a configuration that names ARNs. */
type WithArns = {
  aws: {
    region?: string | undefined;
    selfAlarmActions: readonly string[];
    subscriptions: readonly object[];
    keyKmsKeyArn?: string | undefined;
  };
};

/** What has to be in the region of the watch, which AWS would say only at the deployment. A queue may be elsewhere. */
export function findPlaceMistakes({ aws }: WithArns, region = aws.region): (Problem & { path: string })[] {
  const arns: [path: string, text: unknown][] = [
    ...aws.selfAlarmActions.map((text, index): [string, string] => [`aws.selfAlarmActions[${index}]`, text]),
    ...aws.subscriptions.map((target, index): [string, unknown] => [
      `aws.subscriptions[${index}]`,
      "lambda" in target ? target.lambda : undefined,
    ]),
    ["aws.keyKmsKeyArn", aws.keyKmsKeyArn],
  ];
  return arns.flatMap(([path, text]) => {
    const own = String(text ?? "").split(":")[3];
    if (!own || region === undefined || own === region) return [];
    return [{ path, problem: `is in ${own}; the watch is in ${region}.`, remedy: `Use one in ${region}.` }];
  });
}
