// ntfy: a push notification with the text of the alert, published as JSON.
// https://docs.ntfy.sh/publish/#publish-as-json and https://docs.ntfy.sh/publish/#limitations (November 2026): a message of
// 4,096 bytes (a longer one becomes a file), up to three actions, a topic of 64 characters.
import { address, secretSource } from "../config/secret-source.ts";
import { type Alert, listLinks, textOf } from "../records/alert.ts";
import { asItIs, escapeWithin } from "./alert-text.ts";
import { defineHttpChannel, readJsonObject } from "./http-channel.ts";

const maxMessageBytes = 4_096;
const maxActions = 3;

const priorities: Record<Alert["severity"], number> = { page: 5, warning: 4, info: 3 };
const tags: Record<Alert["severity"], string> = {
  page: "red_circle",
  warning: "orange_circle",
  info: "blue_circle",
};

export function renderNtfy(alert: Alert, topic: string) {
  const { subject, severity, event, links } = alert;
  const isResolved = event === "resolved";
  const text = textOf({ sections: alert.sections, links: {} }).trim();
  return {
    topic,
    title: subject,
    // Without a message, ntfy would say "triggered".
    message: escapeWithin(text === "" ? subject : text, asItIs, {
      max: maxMessageBytes,
      sizeOf: Buffer.byteLength,
    }),
    priority: isResolved ? 3 : priorities[severity],
    tags: [isResolved ? "green_circle" : tags[severity]],
    click: links.page,
    actions: listLinks(alert)
      .slice(0, maxActions)
      .map(({ button, url }) => ({ action: "view", label: button, url })),
  };
}

export const ntfy = defineHttpChannel({
  type: "ntfy",
  description:
    "Publishes a push notification to an ntfy topic, as plain text. A page has the highest priority. Each alert is a notification there.",
  secrets: {
    topic: secretSource("the topic", "NTFY_TOPIC").describe(
      "Where the topic is read from. On a server without access control whoever knows it reads along.",
    ),
    token: secretSource("the access token", "NTFY_TOKEN").optional(),
  },
  settings: {
    server: address("https://ntfy.example.com")
      .default("https://ntfy.sh")
      .describe("The address of the ntfy server."),
  },
  requests: (alert, { topic, token, server }) => [
    {
      url: server,
      body: renderNtfy(alert, topic),
      headers: token === undefined ? undefined : () => ({ Authorization: `Bearer ${token}` }),
    },
  ],
  isAccepted: (text) => typeof readJsonObject(text)?.id === "string",
});
