// The services of the channels over HTTP, played by a receiver on this machine: what each accepts, by its published document,
// how it says yes and no, what it reads as markup, and which incidents are open there. Each schema is strict: a property that
// the document does not have is a mistake.
import { readFileSync } from "node:fs";
import { marked, type Token } from "marked";
import { parse as parseYaml } from "yaml";
import * as z from "zod";
import { httpChannels } from "../../../lib/channels/index.ts";
import { type ChannelSettings, channels, secretsOf } from "../../../lib/config/channels.ts";
import { createChannel } from "../../../lib/delivery/channels/index.ts";
import { type Alert, alertEvents, alert as alertSchema, incidentOf } from "../../../lib/records/alert.ts";
import { severities } from "../../../lib/records/incident.ts";
import { startWebReceiver } from "./servers.ts";

type HttpType = (typeof httpChannels)[number]["type"];

export type Received = { path: string; body: unknown };

export type Service = {
  /** A channel of the configuration, with the address of the receiver in place of the service's. */
  settings(url: string): object;
  /** By environment variable. */
  secrets(url: string): Record<string, string>;
  /** What it accepts. */
  body: z.ZodType;
  /** How it says that it has the message. */
  yes: { status: number; text: string };
  /** How it, or somebody in its place, says no with a status 2xx; left out where only the status counts. */
  noWith200?: string;
  /** The markup that it would find in the body. */
  markup?(body: never): string[];
  /** The open incidents after these requests, a day after 1 November. Left out where RESOLVED is one more message. */
  openIncidents?(received: readonly Received[]): string[];
};

const webAddress = z.url({ protocol: /^https?$/ });
const routingKey = "0123456789abcdef0123456789abcdef";

/** What is formatting, a link or HTML in a Markdown text. A bare address is a link to what is shown. */
function readMarkdown(text: string): string[] {
  const found: string[] = [];
  const plain = ["text", "escape", "space", "br", "paragraph", "list", "list_item"];
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      const isBare = token.type === "link" && !token.raw.startsWith("[");
      if (!plain.includes(token.type) && !isBare)
        found.push(`${token.type} ${token.type === "link" || token.type === "image" ? token.href : ""}`);
      if ("tokens" in token && token.tokens) walk(token.tokens);
      if (token.type === "list") walk(token.items);
    }
  };
  walk(marked.lexer(text));
  return found;
}

/** Mentions outside of blocks of code. */
const readMentions = (text: string) => text.replaceAll(/```[\s\S]*?```/g, "").match(/@\w+/g) ?? [];

const readAngles = (text: string) => text.match(/<[^>\n]*>/g) ?? [];

/** The open ones among these, the latest state of each. */
const listOpen = (states: readonly (readonly [id: string, isOpen: boolean])[]) =>
  [...new Map(states)].filter(([, isOpen]) => isOpen).map(([id]) => id);

// https://docs.slack.dev/reference/block-kit/blocks/header-block: a plain text of 150 characters.
// https://docs.slack.dev/reference/block-kit/blocks/section-block: a text of 1 to 3,000 characters.
// https://docs.slack.dev/reference/block-kit/blocks/context-block: up to 10 elements.
// https://docs.slack.dev/reference/block-kit/blocks: up to 50 blocks in a message.
// https://github.com/slackapi/bolt-js/issues/2509: a message is refused where its blocks have more than 13,200 characters.
// Transcribed in November 2026.
const mrkdwn = z.strictObject({ type: z.literal("mrkdwn"), text: z.string().min(1).max(3_000) });
const block = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("header"),
    text: z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(150) }),
  }),
  z.strictObject({ type: z.literal("section"), text: mrkdwn }),
  z.strictObject({ type: z.literal("context"), elements: z.array(mrkdwn).min(1).max(10) }),
]);
export const slackMessage = z.strictObject({
  text: z.string().min(1).max(40_000),
  blocks: z
    .array(block)
    .max(50)
    .refine((blocks) => JSON.stringify(blocks).length <= 13_200, "all blocks together are too long"),
});
type SlackMessage = z.infer<typeof slackMessage>;

// http://adaptivecards.io/schemas/1.2.0/adaptive-card.json, and its sources:
// https://github.com/microsoft/AdaptiveCards/tree/main/schemas/src/elements (RichTextBlock, TextRun, FactSet)
// https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using: the message around it.
// https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format: `msteams.width`.
// Transcribed in November 2026. Teams takes 28 KB, counted in UTF-8 in some places and in UTF-16 in others.
const textRun = z.strictObject({
  type: z.literal("TextRun"),
  text: z.string(),
  color: z.enum(["Default", "Dark", "Light", "Accent", "Good", "Warning", "Attention"]).optional(),
  fontType: z.enum(["Default", "Monospace"]).optional(),
  size: z.enum(["Default", "Small", "Medium", "Large", "ExtraLarge"]).optional(),
  weight: z.enum(["Lighter", "Default", "Bolder"]).optional(),
});
const element = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("RichTextBlock"),
    spacing: z.enum(["Default", "None", "Small", "Medium", "Large", "ExtraLarge", "Padding"]).optional(),
    inlines: z.array(textRun).min(1),
  }),
  z.strictObject({
    type: z.literal("FactSet"),
    facts: z.array(z.strictObject({ title: z.string(), value: z.string() })).min(1),
  }),
]);
const teamsMessage = z
  .strictObject({
    type: z.literal("message"),
    attachments: z.tuple([
      z.strictObject({
        contentType: z.literal("application/vnd.microsoft.card.adaptive"),
        content: z.strictObject({
          $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
          type: z.literal("AdaptiveCard"),
          version: z.literal("1.2"),
          msteams: z.strictObject({ width: z.literal("Full") }),
          body: z.array(element),
          // Teams shows up to six.
          actions: z
            .array(z.strictObject({ type: z.literal("Action.OpenUrl"), title: z.string(), url: webAddress }))
            .max(6),
        }),
      }),
    ]),
  })
  .refine((message) => {
    const text = JSON.stringify(message);
    return Buffer.byteLength(text) <= 28 * 1_024 && 2 * text.length <= 28 * 1_024;
  }, "a message has up to 28 KB");
type TeamsMessage = z.infer<typeof teamsMessage>;

// https://developer.pagerduty.com/docs/send-alert-event, whose source is
// https://github.com/PagerDuty/developer-docs/blob/main/docs/events-API-v2/02-Trigger-Events.md
// https://github.com/PagerDuty/developer-docs/blob/main/docs/events-API-v2/01-Overview.md: an event has up to 512 KB.
// Transcribed in November 2026.
const key = { routing_key: z.string().length(32), dedup_key: z.string().min(1).max(255) };
export const pagerDutyEvent = z
  .discriminatedUnion("event_action", [
    z.strictObject({
      ...key,
      event_action: z.literal("trigger"),
      client: z.string().optional(),
      client_url: webAddress.optional(),
      links: z.array(z.strictObject({ href: webAddress, text: z.string().optional() })).optional(),
      payload: z.strictObject({
        summary: z.string().min(1).max(1_024),
        source: z.string().min(1),
        severity: z.enum(["critical", "error", "warning", "info"]),
        timestamp: z.iso.datetime({ offset: true }).optional(),
        component: z.string().optional(),
        group: z.string().optional(),
        class: z.string().optional(),
        custom_details: z.record(z.string(), z.unknown()).optional(),
      }),
    }),
    z.strictObject({ ...key, event_action: z.literal("acknowledge") }),
    z.strictObject({ ...key, event_action: z.literal("resolve") }),
  ])
  .refine((event) => Buffer.byteLength(JSON.stringify(event)) <= 512 * 1_024, "an event has up to 512 KB");
type PagerDutyEvent = z.infer<typeof pagerDutyEvent>;

// https://docs.discord.com/developers/resources/webhook#execute-webhook and
// https://docs.discord.com/developers/resources/message#embed-object-embed-limits. Transcribed in November 2026.
const discordMessage = z.strictObject({
  embeds: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(256),
        description: z.string().max(4_096),
        color: z.int().min(0).max(0xffffff),
        timestamp: z.iso.datetime(),
        fields: z
          .array(
            z.strictObject({
              name: z.string().min(1).max(256),
              value: z.string().min(1).max(1_024),
              inline: z.boolean(),
            }),
          )
          .max(25),
      }),
    )
    .min(1)
    .max(10)
    .refine(
      (embeds) =>
        embeds
          .flatMap(({ title, description, fields }) => [
            title,
            description,
            ...fields.flatMap(({ name, value }) => [name, value]),
          ])
          .join("").length <= 6_000,
      "all texts together have up to 6,000 characters",
    ),
  allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
});
type DiscordMessage = z.infer<typeof discordMessage>;

// https://developers.mattermost.com/integrate/reference/message-attachments/. Transcribed in November 2026.
// A title is shown as it is, without Markdown.
const mattermostMessage = z.strictObject({
  attachments: z
    .array(
      z.strictObject({
        fallback: z.string().min(1),
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        title: z.string(),
        title_link: webAddress.optional(),
        text: z.string(),
        fields: z.array(z.strictObject({ title: z.string(), value: z.string().min(1), short: z.boolean() })),
      }),
    )
    .refine((given) => JSON.stringify(given).length <= 16_383, "a post has up to 16,383 characters"),
});
type MattermostMessage = z.infer<typeof mattermostMessage>;

// https://docs.ntfy.sh/publish/#publish-as-json and https://docs.ntfy.sh/publish/#limitations. Transcribed in November 2026.
// Without `markdown` a message is plain text.
const ntfyMessage = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().min(1).max(250),
  message: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 4_096, "a message has up to 4,096 bytes"),
  priority: z.int().min(1).max(5),
  tags: z.array(z.string()),
  click: webAddress.optional(),
  actions: z
    .array(z.strictObject({ action: z.literal("view"), label: z.string().min(1), url: webAddress }))
    .max(3),
});

// https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml, postableAlerts. Transcribed in November 2026.
// https://prometheus.io/docs/concepts/data_model/: the names of labels.
const labels = z.record(z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/), z.string().min(1));
const postableAlerts = z
  .array(
    z.strictObject({
      labels,
      annotations: labels.optional(),
      startsAt: z.iso.datetime().optional(),
      endsAt: z.iso.datetime().optional(),
      generatorURL: webAddress.optional(),
    }),
  )
  .min(1)
  // Without a start an alert starts at its end, so that only one that has ended may have none.
  .refine((given) => given.every(({ annotations, startsAt }) => !annotations || startsAt !== undefined));
type PostableAlerts = z.infer<typeof postableAlerts>;

// https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages: up to 32,000 bytes. November 2026.
const googleChatMessage = z
  .strictObject({ text: z.string(), thread: z.strictObject({ threadKey: z.string().max(4_000) }) })
  .refine((message) => Buffer.byteLength(JSON.stringify(message)) <= 32_000);

// https://core.telegram.org/bots/api#sendmessage: 1 to 4,096 characters. November 2026.
const telegramMessage = z.strictObject({
  chat_id: z.string(),
  text: z.string().min(1).max(4_096),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
});

// https://docs.opsgenie.com/docs/alert-api, "Create alert" and "Close alert". November 2026.
const opsgenieRequest = z.union([
  z.strictObject({
    message: z.string().min(1).max(130),
    alias: z.string().max(512),
    description: z.string().max(15_000),
    source: z.string().max(100),
    tags: z.array(z.string().max(50)).max(20),
  }),
  z.strictObject({ source: z.string().max(100), note: z.string().max(25_000) }),
]);

const documentation = readFileSync(new URL("../../../docs/use/channels.md", import.meta.url), "utf8");

/** A channel of docs/use/channels.md, by its name. */
function documented(name: string): object {
  const blocks = [...documentation.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  const found = blocks
    .flatMap((text) => (parseYaml(text) as { channels: { name: string }[] }).channels)
    .find((one) => one.name === name);
  if (!found) throw new Error(`docs/use/channels.md has no channel ${name}`);
  return found;
}

const signInPage = "<html><title>Sign in</title></html>";

export type ServiceRow = { type: HttpType } & Service;

export const services: Record<string, ServiceRow> = {
  webhook: {
    type: "webhook",
    settings: () => ({ url: { env: "HOOK" }, format: "alert" }),
    secrets: (url) => ({ HOOK: url }),
    body: alertSchema,
    yes: { status: 204, text: "" },
    openIncidents: (received) =>
      listOpen(
        received
          .map(({ body }) => body as Alert)
          .filter(({ event }) => event !== "drill")
          .flatMap((one) => [
            [incidentOf(one), one.event !== "resolved"] as const,
            ...(one.supersedes ?? []).map((id) => [id, false] as const),
          ]),
      ),
  },
  "webhook with text": {
    type: "webhook",
    settings: () => ({ url: { env: "HOOK" }, format: "text" }),
    secrets: (url) => ({ HOOK: url }),
    body: z.strictObject({ text: z.string(), alert: alertSchema }),
    yes: { status: 200, text: "" },
    markup: ({ text }: { text: string }) => readAngles(text),
  },
  slack: {
    type: "slack",
    settings: () => ({ url: { env: "SLACK" } }),
    secrets: (url) => ({ SLACK: url }),
    body: slackMessage,
    yes: { status: 200, text: "ok" },
    noWith200: signInPage,
    markup: ({ text, blocks }: SlackMessage) =>
      [
        text,
        ...blocks.flatMap((one) =>
          one.type === "section"
            ? [one.text.text]
            : one.type === "context"
              ? one.elements.map((e) => e.text)
              : [],
        ),
      ].flatMap(readAngles),
  },
  teams: {
    type: "teams",
    settings: () => ({ url: { env: "TEAMS" } }),
    secrets: (url) => ({ TEAMS: url }),
    body: teamsMessage,
    yes: { status: 202, text: "" },
    noWith200: "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429",
    // Only facts are read as Markdown.
    markup: ({ attachments: [{ content }] }: TeamsMessage) =>
      content.body.flatMap((one) =>
        one.type === "FactSet" ? one.facts.flatMap(({ value }) => readMarkdown(value)) : [],
      ),
  },
  pagerduty: {
    type: "pagerduty",
    settings: (url) => ({ routingKey: { env: "PD" }, url }),
    secrets: () => ({ PD: routingKey }),
    body: pagerDutyEvent,
    yes: { status: 202, text: '{"status":"success","message":"Event processed","dedup_key":"x"}' },
    noWith200: '{"status":"invalid event","message":"Event object is invalid"}',
    openIncidents: (received) =>
      listOpen(
        received
          .map(({ body }) => body as PagerDutyEvent)
          .map((event) => [event.dedup_key, event.event_action !== "resolve"]),
      ),
  },
  discord: {
    type: "discord",
    settings: () => ({ url: { env: "DISCORD" } }),
    secrets: (url) => ({ DISCORD: url }),
    body: discordMessage,
    yes: { status: 200, text: '{"id":"1178","type":0,"content":""}' },
    noWith200: signInPage,
    markup: ({ embeds }: DiscordMessage) =>
      embeds
        .flatMap(({ title, description, fields }) => [
          title,
          description,
          ...fields.map(({ value }) => value),
        ])
        .flatMap(readMarkdown),
  },
  mattermost: {
    type: "mattermost",
    settings: () => ({ url: { env: "MATTERMOST" } }),
    secrets: (url) => ({ MATTERMOST: url }),
    body: mattermostMessage,
    yes: { status: 200, text: "ok" },
    noWith200: signInPage,
    markup: ({ attachments }: MattermostMessage) =>
      attachments
        // HTML is shown as text.
        .flatMap(({ text, title, fallback, fields }) => [
          ...[text, ...fields.map(({ value }) => value)]
            .flatMap(readMarkdown)
            .filter((found) => !found.startsWith("html")),
          ...[text, title, fallback].flatMap(readMentions),
        ]),
  },
  ntfy: {
    type: "ntfy",
    settings: (url) => ({ topic: { env: "TOPIC" }, token: { env: "TOKEN" }, server: url }),
    secrets: () => ({ TOPIC: "v1watch_k3JhQ", TOKEN: "tk_secret" }),
    body: ntfyMessage,
    yes: { status: 200, text: '{"id":"sPs71M8A2T","time":1,"event":"message"}' },
    noWith200: signInPage,
  },
  alertmanager: {
    type: "alertmanager",
    settings: (url) => ({ server: url, authorization: { env: "AUTHORIZATION" } }),
    secrets: () => ({ AUTHORIZATION: "Bearer very-secret-token" }),
    body: postableAlerts,
    yes: { status: 200, text: "" },
    openIncidents: (received) =>
      listOpen(
        received
          .flatMap(({ body }) => body as PostableAlerts)
          .map((one) => [JSON.stringify(one.labels), (one.endsAt ?? "") > "2026-11-02"]),
      ).map((fingerprint) => (JSON.parse(fingerprint) as { incident: string }).incident),
  },
  "template for Google Chat": {
    type: "template",
    settings: () => documented("google-chat"),
    secrets: (url) => ({ GOOGLE_CHAT_URL: url }),
    body: googleChatMessage,
    yes: { status: 200, text: '{"name":"spaces/a/messages/b"}' },
    markup: ({ text }: { text: string }) => readAngles(text),
  },
  "template for Telegram": {
    type: "template",
    settings: () => documented("telegram"),
    secrets: (url) => ({ TELEGRAM_URL: url }),
    body: telegramMessage,
    yes: { status: 200, text: '{"ok":true,"result":{"message_id":1}}' },
    noWith200: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}',
  },
  "template for Opsgenie": {
    type: "template",
    settings: () => documented("opsgenie"),
    secrets: (url) => ({
      OPSGENIE_URL: url,
      OPSGENIE_CLOSE_URL: `${url}/{{incident}}/close?identifierType=alias`,
      OPSGENIE_AUTHORIZATION: "GenieKey very-secret-key",
    }),
    body: opsgenieRequest,
    yes: { status: 202, text: '{"result":"Request will be processed","took":0.1,"requestId":"x"}' },
    openIncidents: (received) =>
      listOpen(
        received.map(({ path, body }) => {
          const closed = /\/([^/]+)\/close\?identifierType=alias$/.exec(path)?.[1];
          return closed === undefined
            ? [(body as { alias: string }).alias, true]
            : [decodeURIComponent(closed), false];
        }),
      ),
  },
};

const everything = { severities: [...severities], events: [...alertEvents] };

/** The settings of a service as the configuration reads them, for every alert. */
function settingsOf({ type, settings }: ServiceRow, url: string, name: string): ChannelSettings {
  const [parsed] = channels.parse([{ ...settings(url), ...everything, type, name }]);
  if (!parsed) throw new Error("the settings are one channel");
  return parsed;
}

/** The bodies that the channel makes of an alert, as they arrive. */
export function renderBodies(service: ServiceRow, alert: Alert): unknown[] {
  const url = "https://service.example/very-secret-path";
  const settings = settingsOf(service, url, "tested");
  const secrets = service.secrets(url);
  const read = Object.fromEntries(
    secretsOf(settings).map(({ setting, source }) => [setting, "env" in source ? secrets[source.env] : ""]),
  );
  const row = httpChannels.find(({ type }) => type === service.type);
  const requests = row?.requests(alert, { ...settings, ...read }, Date.parse(alert.at)) ?? [];
  return JSON.parse(JSON.stringify(requests.map(({ body }) => body))) as unknown[];
}

/** The markup that the service finds in an alert. */
export const markupOf = (service: ServiceRow, alert: Alert): string[] =>
  renderBodies(service, alert).flatMap((body) => service.markup?.(body as never) ?? []);

/** A channel to a receiver that plays the service, and answers yes unless another answer is given. */
export async function openService(service: ServiceRow, answer = service.yes, name = "tested") {
  const receiver = await startWebReceiver(answer.status, answer.text);
  const secrets = service.secrets(receiver.url);
  const channel = await createChannel(settingsOf(service, receiver.url, name), {
    readSecret: async (source) => ("env" in source ? secrets[source.env] : undefined),
    print: () => {},
  });
  return { channel, receiver };
}
