// Mattermost through an incoming webhook: one attachment with the sections and links, as Markdown.
// https://developers.mattermost.com/integrate/webhooks/incoming/ and
// https://developers.mattermost.com/integrate/reference/message-attachments/ (November 2026). A post has 16,383
// characters.
import { secretSource } from "../config/secret-source.ts";
import { type Alert, listLinks } from "../records/alert.ts";
import { markdownLinksOf, markdownOf, statusOf } from "./alert-text.ts";
import { defineHttpChannel } from "./http-channel.ts";

const maxText = 5_000;
const maxLinks = 1_500;

const colors: Record<Alert["severity"], string> = { page: "#d13438", warning: "#f7a541", info: "#2f80ed" };
const resolvedColor = "#2e9e5b";

/** Mattermost shows HTML as text, and a backslash before < too. A zero-width space after @ keeps `@all` from being a mention. */
const escapeCharacter = (character: string) =>
  character === "@" ? "@\u200b" : character.replace(/[\\`*_~|[\]>#-]/, "\\$&");

export function renderMattermost(alert: Alert) {
  const { subject, severity, event, endpoints } = alert;
  const fields = [
    { title: "Status", value: statusOf(alert), short: true },
    { title: "Endpoints", value: endpoints.join(", "), short: true },
    { title: "Links", value: markdownLinksOf(alert, maxLinks), short: false },
  ];
  return {
    attachments: [
      {
        // For notifications, as plain text.
        fallback: subject.replaceAll("@", "@\u200b"),
        color: event === "resolved" ? resolvedColor : colors[severity],
        title: subject.replaceAll("@", "@\u200b"),
        title_link: listLinks(alert).find(({ label }) => label === "Dashboard")?.url,
        text: markdownOf(alert, escapeCharacter, maxText),
        fields: fields.filter(({ value }) => value !== ""),
      },
    ],
  };
}

export const mattermost = defineHttpChannel({
  type: "mattermost",
  description:
    "Posts an attachment to Mattermost through an incoming webhook. Each alert is a post there and mentions nobody.",
  secrets: { url: secretSource("the address of an incoming webhook", "MATTERMOST_WEBHOOK_URL") },
  settings: {},
  requests: (alert, { url }) => [{ url, body: renderMattermost(alert) }],
  isAccepted: (text) => text.trim() === "ok",
});
