// Discord through a webhook of a channel: one embed with the sections and links.
// Limits: https://docs.discord.com/developers/resources/message#embed-object-embed-limits (November 2026): a title of 256
// characters, a description of 4,096, the value of a field of 1,024, and 6,000 of all of them.
import { secretSource } from "../config/secret-source.ts";
import type { Alert } from "../records/alert.ts";
import { escapeWithin, markdownLinksOf, markdownOf, statusOf } from "./alert-text.ts";
import { defineHttpChannel, readJsonObject } from "./http-channel.ts";

const maxTitle = 256;
const maxDescription = 4_000;
const maxLinks = 1_024;

const colors: Record<Alert["severity"], number> = { page: 0xd13438, warning: 0xf7a541, info: 0x2f80ed };
const resolvedColor = 0x2e9e5b;

const escapeCharacter = (character: string) => character.replace(/[\\`*_~|[\]<>#-]/, "\\$&");

export function renderDiscord(alert: Alert) {
  const { subject, severity, event, endpoints, at } = alert;
  const links = markdownLinksOf(alert, maxLinks);
  const facts = [
    { name: "Status", value: statusOf(alert), inline: true },
    { name: "Endpoints", value: endpoints.join(", "), inline: true },
    { name: "Links", value: links, inline: false },
  ];
  return {
    embeds: [
      {
        title: escapeWithin(subject, escapeCharacter, { max: maxTitle }),
        description: markdownOf(alert, escapeCharacter, maxDescription),
        color: event === "resolved" ? resolvedColor : colors[severity],
        timestamp: at,
        fields: facts.filter(({ value }) => value !== ""),
      },
    ],
    // Nobody is mentioned, whatever a text holds.
    allowed_mentions: { parse: [] },
  };
}

export const discord = defineHttpChannel({
  type: "discord",
  description:
    "Posts an embed to Discord through a webhook of a channel. Each alert is a message there and mentions nobody.",
  secrets: { url: secretSource("the address of the webhook", "DISCORD_WEBHOOK_URL") },
  settings: {},
  requests(alert, { url }) {
    const address = new URL(url);
    // Discord answers once it has stored the message, and with the message.
    address.searchParams.set("wait", "true");
    return [{ url: address.href, body: renderDiscord(alert) }];
  },
  isAccepted: (text) => typeof readJsonObject(text)?.id === "string",
});
