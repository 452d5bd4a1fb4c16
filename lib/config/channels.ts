// The settings of the notification channels: one row of the union for each type of channel.
import * as z from "zod";
import { alertEvents } from "../records/alert.ts";
import { severities } from "../records/incident.ts";
import { topicArn } from "./arns.ts";
import { isLoopbackHost } from "./loopback.ts";
import { choice, name, wholeNumber } from "./values.ts";

/** Why messages cannot be sent to an address. The address is a secret, so no message repeats it. */
export function findAddressProblem(address: string): { problem: string; remedy: string } | undefined {
  const url = URL.parse(address);
  if (!url) return { problem: "is not a web address.", remedy: "Write it in full, with https://." };
  if (url.username || url.password)
    return {
      problem: "holds a user name or a password.",
      remedy: "Use an address with a token in its path.",
    };
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname)))
    return { problem: "has to be https.", remedy: "Use https; http is for this machine only." };
  return undefined;
}

export const address = (example: string) =>
  z.string({ error: `a web address (such as "${example}")` }).superRefine((text, context) => {
    const problem = findAddressProblem(text);
    if (problem) context.addIssue({ code: "custom", message: problem.problem, params: problem });
  });

const secretSource = (what: string, example: string) =>
  z
    .union(
      [
        z.strictObject({
          env: name("an environment variable", /^[A-Z][A-Z0-9_]{0,99}$/, example).describe(
            `The environment variable that contains ${what}.`,
          ),
        }),
        z.strictObject({
          file: name(
            "a file",
            /^[^\0\r\n]{1,1000}$/,
            `/run/secrets/${example.toLowerCase().replaceAll("_", "-")}`,
          ).describe(`The file that contains ${what} and nothing else.`),
        }),
      ],
      { error: 'the source of a secret ({ "env": … } or { "file": … })' },
    )
    .describe(`Where ${what} is read from.`);
export type SecretSource = { env: string } | { file: string };

const list = <const Options extends readonly [string, ...string[]]>(options: Options, what: string) => {
  const error = `a list of ${what} (${options.map((option) => `"${option}"`).join(", ")})`;
  return z.array(z.enum(options, { error }), { error }).min(1, { error });
};

const incidentEvents = alertEvents.filter(
  (event) => event !== "countdown" && event !== "digest",
) as (typeof alertEvents)[number][];

/** `page` and `metrics` are receivers of the watch itself. */
const nameForm = 'the name of a channel (small letters, digits and -, such as "on-call")';
const channelName = z
  .string({ error: nameForm })
  .regex(/^(?!(?:page|metrics)$)[a-z0-9][a-z0-9-]{0,39}$/, { error: nameForm })
  .describe("The name under which the channel is shown. A renamed channel is a new one.");

const common = (events: readonly (typeof alertEvents)[number][] = alertEvents) => ({
  name: channelName,
  severities: list(severities, "severities")
    .default([...severities])
    .describe("The severities that the channel gets. RESOLVED has the severity of its incident."),
  events: list(alertEvents, "events")
    .default([...events])
    .describe("The events that the channel gets. A drill is sent to every channel."),
});

const emailError = { error: 'an email address (such as "on-call@example.com")' };
const emailAddress = z
  .string(emailError)
  .regex(/^[^\s@,;:<>()[\]\\"]{1,64}@[^\s@,;<>()\\"]{1,190}$/, emailError);
const hostError = { error: 'the name of a server (such as "smtp.example.com")' };
const recipients = { error: "a list of email addresses (1 to 20)" };

const channelTypes = [
  z
    .strictObject({
      type: z.literal("webhook"),
      ...common(),
      url: secretSource("the web address", "V1WATCH_HOOK"),
      format: choice(["alert", "text"])
        .default("alert")
        .describe(
          'alert: the alert by schemas/alert.schema.json. text: { "text": …, "alert": … } for chat services that read text.',
        ),
      signingSecret: secretSource("the secret of the signatures", "V1WATCH_HOOK_SECRET")
        .optional()
        .describe(
          "Where the secret is read from by which every message is signed (HMAC-SHA256 of its time and body); docs/use/alerts.md has the code that verifies it.",
        ),
    })
    .describe("Posts the alert as JSON to a web address."),
  z
    .strictObject({
      type: z.literal("slack"),
      ...common(),
      url: secretSource("the address of an incoming webhook", "SLACK_WEBHOOK_URL"),
    })
    .describe("Posts blocks to Slack through an incoming webhook."),
  z
    .strictObject({
      type: z.literal("teams"),
      ...common(),
      url: secretSource("the address of a workflow's webhook", "TEAMS_WEBHOOK_URL"),
    })
    .describe(
      "Posts an Adaptive Card to Microsoft Teams through the webhook of a workflow. A workflow accepts a message before it posts it: its run history has what it could not post.",
    ),
  z
    .strictObject({
      type: z.literal("pagerduty"),
      ...common(incidentEvents),
      routingKey: secretSource("the integration key (Events API v2)", "PAGERDUTY_ROUTING_KEY"),
      url: address("https://events.eu.pagerduty.com/v2/enqueue")
        .default("https://events.pagerduty.com/v2/enqueue")
        .describe("The address of the Events API; accounts in the EU have another one."),
    })
    .describe("Triggers, acknowledges and resolves incidents in PagerDuty, each under one dedup key."),
  z
    .strictObject({
      type: z.literal("email"),
      ...common(),
      host: z
        .string(hostError)
        .regex(/^[\w.:-]{1,253}$/, hostError)
        .describe("The SMTP server."),
      port: wholeNumber(1, 65_535).default(587).describe("Its port."),
      security: choice(["starttls", "tls", "none"])
        .default("starttls")
        .describe("none sends unencrypted text; a user needs starttls or tls."),
      user: z
        .string({ error: "the name of a user (a text)" })
        .min(1, { error: "the name of a user (a text)" })
        .max(200, { error: "the name of a user (a text)" })
        .optional()
        .describe("The user of the SMTP server."),
      password: secretSource("the password", "SMTP_PASSWORD").optional(),
      from: emailAddress.describe("The sender."),
      to: z
        .array(emailAddress, recipients)
        .min(1, recipients)
        .max(20, recipients)
        .describe("The recipients."),
    })
    .describe("Sends email through an SMTP server. The messages of an incident are one thread."),
  z
    .strictObject({
      type: z.literal("sns"),
      ...common(),
      topicArn: topicArn().describe("The topic. The credentials come from the default AWS credential chain."),
    })
    .describe("Publishes to an SNS topic."),
  z
    .strictObject({ type: z.literal("console"), ...common() })
    .describe("Prints to standard output. Without one of this type, every alert is printed."),
] as const;
const typeNames = channelTypes.map(({ shape }) => shape.type.value).join(", ");

const channel = z.discriminatedUnion("type", channelTypes, {
  error: `a channel (settings in braces with a "type": ${typeNames})`,
});
export type ChannelSettings = z.infer<typeof channel>;
export type ChannelType = ChannelSettings["type"];

const maxChannels = 20;
const listError = { error: `a list of channels (up to ${maxChannels})` };

export const channels = z
  .array(channel, listError)
  .max(maxChannels, listError)
  .superRefine((given, context) => {
    const refuse = (index: number, setting: string, problem: string, remedy: string) =>
      context.addIssue({
        code: "custom",
        path: [index, setting],
        message: problem,
        params: { problem, remedy },
      });
    for (const [index, one] of given.entries()) {
      if (given.findIndex(({ name }) => name === one.name) < index)
        refuse(index, "name", `"${one.name}" is the name of another channel.`, "Give each its own name.");
      if (one.type !== "email") continue;
      if ((one.user === undefined) !== (one.password === undefined))
        refuse(index, "user", "stands without a password, or a password without it.", "Give both or none.");
      if (one.user !== undefined && one.security === "none")
        refuse(index, "security", "would send the password unencrypted.", 'Use "starttls" or "tls".');
    }
  })
  .default([])
  .describe("Where alerts are sent in local mode. In AWS the subscriptions of the topic are the channels.");
