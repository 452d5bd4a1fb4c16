// Slack through an incoming webhook: a headline, the facts, one block for each section, and links.
import { secretSource } from "../config/secret-source.ts";
import { type Alert, listLinks } from "../records/alert.ts";
import { momentText } from "../time.ts";
import { type Section, sectionsOf, statusOf } from "./alert-text.ts";
import { defineHttpChannel } from "./http-channel.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
export const escapeSlack = (text: string) =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? character);

// Slack's limits of a section and, with some room, of all blocks of a message together, which it refuses from about 13,000
// characters on. A subject is shorter than its limit of a header, and an alert has fewer sections than a message may have blocks.
const maxSection = 3_000;
const maxCharacters = 10_000;

const icons: Record<Alert["severity"], string> = {
  page: ":red_circle:",
  warning: ":large_orange_circle:",
  info: ":large_blue_circle:",
};

const section = (text: string) => ({
  type: "section",
  text: { type: "mrkdwn", text: text.length > maxSection ? `${text.slice(0, maxSection - 1)}…` : text },
});

function renderSection({ label, body, isCommand }: Section) {
  const text = escapeSlack(body);
  if (label === "") return section(text);
  const shown = isCommand ? `\`\`\`${text.slice(0, maxSection - 100)}\`\`\`` : text;
  return section(`*${label}*\n${shown}`);
}

/** The first sections that fit. */
function shorten(sections: ReturnType<typeof section>[]) {
  let size = 0;
  const shown = sections.filter(({ text }) => {
    size += text.text.length;
    return size <= maxCharacters;
  });
  return shown.length < sections.length ? [...shown, section("…")] : shown;
}

export function renderSlack(alert: Alert) {
  const { subject, severity, event, endpoints, at } = alert;
  const icon = event === "resolved" ? ":large_green_circle:" : icons[severity];
  const facts = [`${icon} *${statusOf(alert)}*`, endpoints.join(", "), momentText(at)];
  const links = listLinks(alert).map(({ button, url }) => `<${escapeSlack(url)}|${button}>`);
  return {
    // For notifications and for services that read no blocks.
    text: escapeSlack(subject),
    blocks: [
      { type: "header", text: { type: "plain_text", text: subject } },
      {
        type: "context",
        elements: facts.filter(Boolean).map((text) => ({ type: "mrkdwn", text })),
      },
      ...shorten(sectionsOf(alert).map(renderSection)),
      // Not buttons: Slack expects the sender of a button to answer its events, which an incoming webhook cannot.
      ...(links.length > 0 ? [section(links.join("  ·  "))] : []),
    ],
  };
}

export const slack = defineHttpChannel({
  type: "slack",
  description: "Posts blocks to Slack through an incoming webhook. Each alert is a message there.",
  secrets: { url: secretSource("the address of an incoming webhook", "SLACK_WEBHOOK_URL") },
  settings: {},
  requests: (alert, { url }) => [{ url, body: renderSlack(alert) }],
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks (November 2026): "ok" as plain text.
  isAccepted: (text) => text.trim() === "ok",
});
