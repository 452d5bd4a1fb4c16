// The settings that only a deployment in AWS reads.

import * as z from "zod";
import { alarmActionArn, functionArn, type Problem, queueArn } from "./arns.ts";
import { durationMs } from "./durations.ts";
import { choice, duration, section, toggle, wholeNumber } from "./values.ts";

/** The retention periods in days that CloudWatch Logs accepts. */
export const logRetentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

function text(pattern: RegExp, error: string, description: string) {
  return z.string({ error }).regex(pattern, { error }).describe(description);
}

const about = z
  .array(choice(["v1", "watch"]), { error: 'a list (["v1"], ["watch"] or both)' })
  .min(1, { error: 'a list (["v1"], ["watch"] or both)' })
  .max(2, { error: 'a list (["v1"], ["watch"] or both)' })
  .optional()
  .describe(
    "v1: alerts about V1. watch: alarms of CloudWatch, above all those about v1watch itself. Default: both.",
  );

const policyForm = {
  error: 'a filter policy (attributes with the values to let through, such as { "severity": ["page"] })',
};
/** The message attributes of an alert. */
const filtered = z.enum(["severity", "rule", "scope", "endpoint", "event", "id"], policyForm);
const filterPolicy = z
  .partialRecord(filtered, z.array(z.string(policyForm).max(160), policyForm).min(1, policyForm), policyForm)
  .optional()
  .describe(
    "Only these alerts about V1, by their message attributes. It does not filter the alarms about v1watch itself.",
  );

const rawDelivery = toggle().optional().describe("Only the message, without SNS's envelope. Default: false.");

const subscription = z.union(
  [
    z.strictObject({
      email: text(
        /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,190}$/,
        'an email address (such as "team@example.com")',
        "An email address. AWS sends it a confirmation request for each of the two topics first.",
      ),
      about,
      filterPolicy,
    }),
    z.strictObject({
      https: text(
        /^https:\/\/[^\s/?#@]+(?:[/?][^\s#]*)?$/,
        'a web address (such as "https://hooks.example.com/v1watch")',
        "A web address that accepts JSON by POST and confirms the subscriptions.",
      ),
      about,
      filterPolicy,
      rawDelivery,
    }),
    z.strictObject({
      sqs: queueArn().describe(
        "An SQS queue of the same account whose policy allows the topics to send messages.",
      ),
      about,
      filterPolicy,
      rawDelivery,
    }),
    z.strictObject({
      lambda: functionArn().describe(
        "A Lambda function of the same account and region. It receives the alert as JSON.",
      ),
      about,
      filterPolicy,
    }),
    z.strictObject({
      slack: z.strictObject({
        workspaceId: text(
          /^T[A-Z0-9]{6,20}$/,
          'a Slack workspace (such as "T0123ABCD")',
          "The Slack workspace. Authorise it once in the console of Amazon Q Developer in chat applications.",
        ),
        channelId: text(
          /^[CG][A-Z0-9]{6,20}$/,
          'a Slack channel (such as "C0123ABCD")',
          "The Slack channel that receives the alerts.",
        ),
      }),
      about,
    }),
  ],
  {
    error:
      'a subscription ({ "email": … }, { "https": … }, { "sqs": … }, { "lambda": … } or { "slack": { "workspaceId": …, "channelId": … } })',
  },
);
export type Subscription = z.infer<typeof subscription>;

const kinds = ["email", "https", "sqs", "lambda", "slack"] as const;
export const kindOf = (target: Subscription) => kinds.find((kind) => kind in target) ?? "email";

/** Who gets it, as text. What somebody wants to get is no part of it. */
export function addressOf(target: Subscription): string {
  const kind = kindOf(target);
  return JSON.stringify({ [kind]: (target as Partial<Record<typeof kind, unknown>>)[kind] });
}

type WithAddresses = { baseUrl: string; aws: { subscriptions: readonly Subscription[] } };

/** What nobody owns: the example was copied and not edited. No reason to refuse a look at its template. */
export function findExampleMistakes({ baseUrl, aws }: WithAddresses): (Problem & { path: string })[] {
  const isExample = (host: string) => /(?:^|\.)example\.(?:com|net|org)$/.test(host);
  const mistakes: (Problem & { path: string })[] = [];
  if (isExample(new URL(baseUrl).hostname))
    mistakes.push({
      path: "baseUrl",
      problem: `"${baseUrl}" is the address of the example, not of a V1.`,
      remedy: "Set V1's address.",
    });
  for (const [index, target] of aws.subscriptions.entries())
    if ("email" in target && isExample(target.email.split("@")[1] ?? ""))
      mistakes.push({
        path: `aws.subscriptions[${index}].email`,
        problem: `"${target.email}" is the address of the example: nobody reads it.`,
        remedy: "Set your team's address.",
      });
  return mistakes;
}

const wholeMinutes = (max: string) =>
  duration("1m", max).refine((interval) => durationMs(interval) % 60_000 === 0, {
    error: `a duration (whole minutes, from "1m" to "${max}")`,
  });

const dollars = { error: "an amount (US dollars a month, from 1 to 10,000)" };

const alarmActions = { error: "a list of ARNs (up to 5, such as another SNS topic)" };

const tagForm = {
  error: 'tags (up to 40 names and values, such as { "team": "identity" }; no name begins with aws:)',
};
const tags = z
  .record(
    z.string().regex(/^(?!aws:)[\w .:/=+@-]{1,128}$/i, tagForm),
    z.string(tagForm).regex(/^[\p{L}\p{Nd} _.:/=+@-]{0,256}$/u, tagForm),
    tagForm,
  )
  .refine((given) => Object.keys(given).length <= 40, tagForm);

const id = (kind: string, prefix: string) => {
  const error = `the id of a ${kind} (such as "${prefix}-0123abcd")`;
  return z.string({ error }).regex(new RegExp(`^${prefix}-[0-9a-f]{8,17}$`), { error });
};
const ids = (kind: string, prefix: string, most: number) => {
  const error = `a list of ${kind}s (1 to ${most}, each such as "${prefix}-0123abcd")`;
  return z.array(id(kind, prefix), { error }).min(1, { error }).max(most, { error });
};

const vpc = z.strictObject(
  {
    vpcId: id("VPC", "vpc").describe("The VPC."),
    subnetIds: ids("subnet", "subnet", 16).describe(
      "The subnets of the functions. They need a route to V1 and to AWS, such as a NAT gateway.",
    ),
    securityGroupIds: ids("security group", "sg", 5)
      .optional()
      .describe("The security groups of the functions. Default: a new one that allows outbound traffic."),
  },
  { error: 'a VPC ({ "vpcId": …, "subnetIds": […] })' },
);

export const awsSection = section("How v1watch is deployed to AWS.", {
  stackName: text(
    /^[A-Za-z][A-Za-z0-9-]{0,36}$/,
    'the name of a stack (up to 37 letters, digits and -, such as "v1watch")',
    "The name of the CloudFormation stack. Every resource name in the account begins with it.",
  ).default("v1watch"),
  region: text(
    /^[a-z]{2}(?:-[a-z]+)+-\d$/,
    'a region (such as "eu-west-1")',
    "The AWS region. Default: the region of your AWS settings.",
  ).optional(),
  subscriptions: z
    .array(subscription, { error: "a list of subscriptions (up to 20)" })
    .max(20, { error: "a list of subscriptions (up to 20)" })
    .default([])
    .describe("The recipients of alerts about V1 and of alarms about v1watch itself."),
  alarms: section(
    "Whether CloudWatch's alarms about V1 send notifications. Those about v1watch itself always do.",
    {
      notify: choice(["fallback", "always", "never"])
        .default("fallback")
        .describe(
          "fallback: three alarms (V1 fails, now and then, anything else), while the assessment is broken. always: every alarm and its end, in addition to the alerts. never: none.",
        ),
    },
  ),
  selfAlarmActions: z
    .array(alarmActionArn(), alarmActions)
    .max(5, alarmActions)
    .default([])
    .describe(
      "Further actions (ARNs) of the alarms about v1watch itself and of the fallback alarms: a second way out beside the topics.",
    ),
  events: toggle()
    .default(true)
    .describe("Each alert is also an event on the account's default event bus (EventBridge)."),
  enabled: toggle()
    .default(true)
    .describe("false pauses the watch: nothing is scheduled, and its alarms notify nobody."),
  assessEvery: wholeMinutes("30m")
    .default("5m")
    .describe("How often v1watch assesses its observations. This delays an alert by at most as long."),
  report: choice(["daily", "weekly"]).default("weekly").describe("How often v1watch stores a report."),
  drill: toggle()
    .default(false)
    .describe("Send a marked test alert every six days, and raise an alarm if it does not arrive."),
  maxMonthlyUsd: z
    .number(dollars)
    .min(1, dollars)
    .max(10_000, dollars)
    .default(20)
    .describe(
      "The highest cost in US dollars a month, at list prices. v1watch refuses to deploy a configuration that costs more.",
    ),
  retentionDays: wholeNumber(30, 3_650)
    .default(400)
    .describe("How many days v1watch keeps observations and reports."),
  logRetentionDays: z
    .literal(logRetentionDays, { error: `a number of days (one of ${logRetentionDays.join(", ")})` })
    .default(30)
    .describe("How many days CloudWatch keeps the logs."),
  removal: choice(["keep", "destroy"])
    .default("keep")
    .describe("keep: deleting the stack keeps the data. destroy: deleting the stack deletes the data."),
  existingTableName: text(
    /^[\w.-]{3,255}$/,
    'the name of a table (such as "v1watch-Table")',
    "The name of an existing table, such as one that an earlier watch left. v1watch uses it and never removes it.",
  ).optional(),
  keyKmsKeyArn: text(
    /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]{1,100}$/,
    'the ARN of a KMS key ("arn:aws:kms:…:key/…")',
    "The customer-managed KMS key that encrypts the API key. The probers may decrypt with it.",
  ).optional(),
  permissionsBoundaryArn: text(
    /^arn:aws[a-z-]*:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]{1,300}$/,
    'the ARN of a managed policy ("arn:aws:iam::…:policy/…")',
    "A permissions boundary for every role of the watch.",
  ).optional(),
  vpc: vpc.optional().describe("Run the functions in a VPC. Not needed for a public V1."),
  tags: tags
    .default({})
    .describe("Tags for everything that the watch creates, besides application and stack."),
  bootstrapQualifier: text(
    /^[A-Za-z0-9_-]{1,10}$/,
    'the qualifier of a CDK bootstrap (up to 10 characters, such as "hnb659fds")',
    "For an account that was bootstrapped with --qualifier.",
  ).optional(),
});
