// The settings of the notification channels: those over HTTP are rows of lib/channels.
import * as z from "zod";
import { httpChannels } from "../channels/index.ts";
import { sharedSettings } from "../channels/shared-settings.ts";
import { topicArn } from "./arns.ts";
import { type SecretSource, secretSource } from "./secret-source.ts";
import { choice, wholeNumber } from "./values.ts";

const emailError = { error: 'an email address (such as "on-call@example.com")' };
const emailAddress = z
  .string(emailError)
  .regex(/^[^\s@,;:<>()[\]\\"]{1,64}@[^\s@,;<>()\\"]{1,190}$/, emailError);
const hostError = { error: 'the name of a server (such as "smtp.example.com")' };
const recipients = { error: "a list of email addresses (1 to 20)" };

/** The schemas of the rows, in their order and with their types. */
type Schemas<Rows extends readonly { schema: unknown }[]> = {
  -readonly [Place in keyof Rows]: Rows[Place]["schema"];
};
const httpSchemas = httpChannels.map(({ schema }) => schema) as unknown as Schemas<typeof httpChannels>;

const channelTypes = [
  ...httpSchemas,
  z
    .strictObject({
      type: z.literal("email"),
      ...sharedSettings(),
      host: z
        .string(hostError)
        .regex(/^[\w.:-]{1,253}$/, hostError)
        .describe("The SMTP server."),
      port: wholeNumber(1, 65_535).default(587).describe("The port of the SMTP server."),
      security: choice(["starttls", "tls", "none"])
        .default("starttls")
        .describe("none sends unencrypted text. With a user it must be starttls or tls."),
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
    .describe("Sends email through an SMTP server. The messages of an incident form one thread."),
  z
    .strictObject({
      type: z.literal("sns"),
      ...sharedSettings(),
      topicArn: topicArn().describe(
        "The topic. v1watch takes credentials from the default AWS credential chain.",
      ),
    })
    .describe("Publishes to an SNS topic."),
  z
    .strictObject({ type: z.literal("console"), ...sharedSettings() })
    .describe("Prints to standard output. If no channel has this type, v1watch prints every alert."),
] as const;
const typeNames = channelTypes.map(({ shape }) => shape.type.value).join(", ");

const channel = z.discriminatedUnion("type", channelTypes, {
  error: `a channel (settings in braces with a "type": ${typeNames})`,
});
export type ChannelSettings = z.infer<typeof channel>;
export type ChannelType = ChannelSettings["type"];

const secretNames: ReadonlyMap<string, readonly string[]> = new Map([
  ...httpChannels.map((row) => [row.type, row.secretNames] as const),
  ["email", ["password"]],
]);

/** The secrets that a channel reads, by setting. */
export const secretsOf = (settings: ChannelSettings): { setting: string; source: SecretSource }[] =>
  (secretNames.get(settings.type) ?? []).flatMap((setting) => {
    const source = (settings as Record<string, unknown>)[setting] as SecretSource | undefined;
    return source === undefined ? [] : [{ setting, source }];
  });

export type StarterChannel = { type: string; secrets: Readonly<Record<string, { env: string }>> };

/** The channels over HTTP that need nothing but secrets, with the usual names of their variables: `init` offers these. */
export const listStarterChannels = (): StarterChannel[] =>
  httpChannels.flatMap(({ type, schema, secretNames: names }) => {
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
    const examplesOf = (name: string) => (shape[name]?.meta()?.examples ?? []) as { env: string }[];
    const required = names.filter((name) => !shape[name]?.safeParse(undefined).success);
    const secrets = Object.fromEntries(
      required.flatMap((name) => examplesOf(name).map((source) => [name, source] as const)),
    );
    return schema.safeParse({ type, name: "team", ...secrets }).success ? [{ type, secrets }] : [];
  });

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
  .describe(
    "Where v1watch sends alerts on one machine. In AWS, the subscriptions of the topic are the channels.",
  );
