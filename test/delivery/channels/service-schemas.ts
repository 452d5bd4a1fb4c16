// What Slack, Microsoft Teams and PagerDuty accept, from their published documents. Each is strict: a property that the
// document does not have is a mistake.
import * as z from "zod";

const webAddress = z.url({ protocol: /^https?$/ });

// https://docs.slack.dev/reference/block-kit/blocks/header-block: a plain text of 150 characters.
// https://docs.slack.dev/reference/block-kit/blocks/section-block: a text of 1 to 3,000 characters.
// https://docs.slack.dev/reference/block-kit/blocks/context-block: up to 10 elements.
// https://docs.slack.dev/reference/block-kit/blocks: up to 50 blocks in a message.
// https://github.com/slackapi/bolt-js/issues/2509: a message is refused where its blocks have more than 13,200 characters.
const markdown = z.strictObject({ type: z.literal("mrkdwn"), text: z.string().min(1).max(3_000) });
const block = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("header"),
    text: z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(150) }),
  }),
  z.strictObject({ type: z.literal("section"), text: markdown }),
  z.strictObject({ type: z.literal("context"), elements: z.array(markdown).min(1).max(10) }),
]);
export const slackMessage = z.strictObject({
  text: z.string().min(1).max(40_000),
  blocks: z
    .array(block)
    .max(50)
    .refine((blocks) => JSON.stringify(blocks).length <= 13_200, "all blocks together are too long"),
});

// http://adaptivecards.io/schemas/1.2.0/adaptive-card.json, and its sources:
// https://github.com/microsoft/AdaptiveCards/tree/main/schemas/src/elements (RichTextBlock, TextRun, FactSet)
// https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using: the message around it.
// https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format: `msteams.width`.
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
export const teamsMessage = z.strictObject({
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
});

// https://developer.pagerduty.com/docs/send-alert-event, whose source is
// https://github.com/PagerDuty/developer-docs/blob/main/docs/events-API-v2/02-Trigger-Events.md
// https://github.com/PagerDuty/developer-docs/blob/main/docs/events-API-v2/01-Overview.md: an event has up to 512 KB.
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
