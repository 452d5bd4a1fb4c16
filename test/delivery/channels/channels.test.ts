// Every type of channel against a server on this machine.

import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { validate } from "@hyperjump/json-schema/draft-2020-12";
import PostalMime from "postal-mime";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { renderPagerDuty } from "../../../lib/channels/pagerduty.ts";
import { renderSlack } from "../../../lib/channels/slack.ts";
import type { ChannelSettings } from "../../../lib/config/channels.ts";
import { addActions } from "../../../lib/delivery/actions.ts";
import { defaultTimeouts, type Timeouts } from "../../../lib/delivery/channels/channel.ts";
import { renderEmail, renderHtml } from "../../../lib/delivery/channels/email.ts";
import { createChannel } from "../../../lib/delivery/channels/index.ts";
import { RefusedError, UnansweredError, UnreachableError } from "../../../lib/ports.ts";
import { type Alert, alertEvents, alertJsonSchema, incidentOf, textOf } from "../../../lib/records/alert.ts";
import { severities } from "../../../lib/records/incident.ts";
import { startAccount } from "../../aws/account-server.ts";
import { sampleAlert, sentences } from "../../local/samples.ts";
import { reserveDeadPort, startEndlessMailServer, startMailServer, startWebReceiver } from "./servers.ts";

const everything = { severities: [...severities], events: [...alertEvents] };

type Settings = ChannelSettings extends infer One
  ? One extends ChannelSettings
    ? Omit<One, "name" | "severities" | "events"> & Partial<Pick<One, "severities" | "events">>
    : never
  : never;

const open = (
  settings: Settings,
  secrets: Record<string, string> = {},
  print: (alert: Alert) => void = () => {},
  timeouts: Timeouts = { sendMs: 1_000, answerMs: 1_000 },
) =>
  createChannel({ name: "tested", ...everything, ...settings } as ChannelSettings, {
    readSecret: async (source) => secrets["env" in source ? source.env : source.file],
    print,
    timeouts,
  });

/** For what never answers. */
const impatiently: Timeouts = { sendMs: 200, answerMs: 200 };

const links = {
  page: "https://v1watch.example.com/incidents/down-1",
  runbook: "https://wiki.example.com/r#down",
};
const sections = [
  { label: "", lines: ["All 9 checks since 02:50 UTC got 503 & <nothing> else."] },
  { label: "Impact", lines: ["V1 is down.", "Consumers show wrong values."] },
  { label: "Next steps", lines: ["1. Wait."] },
  { label: "Reproduce", lines: ["curl -sS https://api.example.com"] },
];
/** The same as PagerDuty gets it. */
const details = {
  summary: "All 9 checks since 02:50 UTC got 503 & <nothing> else.",
  Impact: "V1 is down.\nConsumers show wrong values.",
  "Next steps": "1. Wait.",
  Reproduce: "curl -sS https://api.example.com",
};
const opened = sampleAlert(1, { sections, links });
const ofIncident = (event: Alert["event"]) => ({
  ...opened,
  event,
  id: opened.id.replace("1-opened", `2-${event}`),
});

describe("a webhook", () => {
  test("A webhook of a chat service gets the text with the alert", async () => {
    const { url, bodies } = await startWebReceiver();
    const channel = await open({ type: "webhook", format: "text", url: { env: "HOOK" } }, { HOOK: url });
    await channel.send(sampleAlert(1, { subject: "V1 is down", sections: sentences("All <3> & more") }));
    expect(bodies).toMatchObject([
      { text: "*V1 is down*\nAll &lt;3&gt; &amp; more\n", alert: { subject: "V1 is down" } },
    ]);
  });

  test("A webhook gets the alert by its published schema", async () => {
    const { url, bodies } = await startWebReceiver();
    const channel = await open({ type: "webhook", format: "alert", url: { env: "HOOK" } }, { HOOK: url });
    await channel.send(opened);
    expect(bodies).toEqual([opened]);
    const { registerSchema } = await import("@hyperjump/json-schema/draft-2020-12");
    registerSchema(alertJsonSchema() as never, "https://v1watch.example/alert");
    expect((await validate("https://v1watch.example/alert", bodies[0] as never)).valid).toBe(true);
  });

  test("A webhook that refuses, fails, hangs or is away gives distinct errors without its address", async () => {
    const causes: [number | "hang", typeof RefusedError | typeof UnreachableError, string][] = [
      ...[400, 402, 405, 410, 413, 422, 499].map(
        (status) => [status, RefusedError, `status ${status}`] as (typeof causes)[number],
      ),
      ...[302, 401, 403, 404, 408, 425, 429, 500, 503].map(
        (status) => [status, UnreachableError, `status ${status}`] as (typeof causes)[number],
      ),
    ];
    for (const [status, error, message] of causes) {
      const { url, requests } = await startWebReceiver(status);
      const channel = await open({ type: "webhook", format: "alert", url: { env: "HOOK" } }, { HOOK: url });
      const thrown = await channel.send(opened).catch((caught: unknown) => caught);
      expect(thrown).toBeInstanceOf(error);
      expect((thrown as Error).message).toBe(message);
      expect(requests).toEqual(["POST application/json"]);
    }
    const hanging = await startWebReceiver("hang");
    const channel = await open(
      { type: "webhook", format: "alert", url: { file: "f" } },
      { f: hanging.url },
      () => {},
      impatiently,
    );
    await expect(channel.send(opened)).rejects.toEqual(new UnansweredError("timeout"));
    const dead = await reserveDeadPort();
    const away = await open({ type: "webhook", format: "alert", url: { env: "HOOK" } }, { HOOK: dead.url });
    const thrown = (await away.send(opened).catch((caught: unknown) => caught)) as Error;
    expect(`${thrown.message} ${thrown.cause}`).not.toContain("very-secret-path");
    const missing = await open({ type: "webhook", format: "alert", url: { env: "HOOK" } });
    await expect(missing.send(opened)).rejects.toThrow("the secret is missing");
  });
});

test("Slack gets blocks with the severity, the sections and the links, escaped", async () => {
  const { url, bodies } = await startWebReceiver();
  const channel = await open({ type: "slack", url: { env: "SLACK" } }, { SLACK: url });
  await channel.send(opened);
  await channel.send(ofIncident("resolved"));
  const [first, second] = bodies as { text: string; blocks: { type: string; text?: { text: string } }[] }[];
  expect(first?.text).toBe(opened.subject);
  expect(first?.blocks[0]).toEqual({ type: "header", text: { type: "plain_text", text: opened.subject } });
  expect(JSON.stringify(second?.blocks)).toContain(":large_green_circle: *RESOLVED*");
  expect(first?.blocks[1]).toEqual({
    type: "context",
    elements: [
      ":red_circle: *PAGE*",
      "passport-list, passport, passport-credentials",
      "2026-11-01 00:01 UTC",
    ].map((shown) => ({ type: "mrkdwn", text: shown })),
  });
  expect(first?.blocks[3]).toEqual({
    type: "section",
    text: { type: "mrkdwn", text: "*Impact*\nV1 is down.\nConsumers show wrong values." },
  });
  const sections = (first?.blocks ?? [])
    .filter(({ type }) => type === "section")
    .map((one) => one.text?.text);
  expect(sections).toEqual([
    "All 9 checks since 02:50 UTC got 503 &amp; &lt;nothing&gt; else.",
    "*Impact*\nV1 is down.\nConsumers show wrong values.",
    "*Next steps*\n1. Wait.",
    "*Reproduce*\n```curl -sS https://api.example.com```",
    `<${links.page}|Open incident>  ·  <${links.runbook}|Runbook>`,
  ]);
});

describe("Teams", () => {
  type Card = {
    body: {
      type: string;
      inlines?: { text: string; fontType?: string; color?: string; weight?: string }[];
      facts?: { title: string; value: string }[];
    }[];
    actions: unknown[];
  };
  type Message = { type: string; attachments: { contentType: string; content: Card }[] };
  const cardOf = (body: unknown) => (body as Message).attachments[0]!.content;
  const linesOf = ({ body }: Card) => body.flatMap(({ inlines = [] }) => inlines.map(({ text }) => text));

  test("Teams gets a card with the title, the facts, the sections and the links, and no text that is read as Markdown", async () => {
    const { url, bodies, requests } = await startWebReceiver(202);
    const channel = await open({ type: "teams", url: { env: "TEAMS" } }, { TEAMS: url });
    await channel.send(opened);
    await channel.send(ofIncident("resolved"));
    expect(requests).toEqual(["POST application/json", "POST application/json"]);
    expect(bodies[0]).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: { type: "AdaptiveCard", version: "1.2" },
        },
      ],
    });
    const [card, resolved] = bodies.map(cardOf);
    expect(linesOf(card!)).toEqual([
      opened.subject,
      "All 9 checks since 02:50 UTC got 503 & <nothing> else.",
      "Impact",
      "V1 is down.",
      "Consumers show wrong values.",
      "Next steps",
      "1. Wait.",
      "Reproduce",
      "curl -sS https://api.example.com",
    ]);
    expect(card!.body.map(({ type }) => type).filter((type) => type !== "RichTextBlock")).toEqual([
      "FactSet",
    ]);
    expect(card!.body[1]!.facts).toEqual([
      { title: "Status", value: "PAGE" },
      { title: "Endpoints", value: "passport-list, passport, passport-credentials" },
      { title: "Time", value: "2026-11-01 00:01 UTC" },
    ]);
    expect(card!.body[0]!.inlines).toMatchObject([{ color: "Attention", weight: "Bolder" }]);
    expect(card!.body.at(-1)!.inlines).toMatchObject([{ fontType: "Monospace" }]);
    expect(card!.actions).toEqual([
      { type: "Action.OpenUrl", title: "Open incident", url: links.page },
      { type: "Action.OpenUrl", title: "Runbook", url: links.runbook },
    ]);
    expect(resolved!.body[0]!.inlines).toMatchObject([{ color: "Good" }]);
    expect(resolved!.body[1]!.facts).toContainEqual({ title: "Status", value: "RESOLVED" });
  });

  test("Teams gets at most 28 KB of a long text, which then ends with …", async () => {
    const { url, bodies } = await startWebReceiver(202);
    const channel = await open({ type: "teams", url: { env: "TEAMS" } }, { TEAMS: url });
    for (const line of ["\u20ac".repeat(300), '"'.repeat(300), "a".repeat(500)])
      await channel.send(
        sampleAlert(1, { sections: sentences(...Array.from({ length: 60 }, () => line)), links }),
      );
    for (const body of bodies) {
      const message = JSON.stringify(body);
      // Teams counts UTF-8 in some places and UTF-16 in others.
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(28 * 1_024);
      expect(2 * message.length).toBeLessThanOrEqual(28 * 1_024);
      expect(linesOf(cardOf(body)).length).toBeGreaterThan(10);
      expect(linesOf(cardOf(body)).at(-1)).toBe("…");
    }
  });

  test("Teams gets no empty fact, section or action for what an alert does not have", async () => {
    const { url, bodies } = await startWebReceiver(202);
    const channel = await open({ type: "teams", url: { env: "TEAMS" } }, { TEAMS: url });
    await channel.send(sampleAlert(1, { severity: "info", endpoints: [], sections: [], links: {} }));
    const { body, actions } = cardOf(bodies[0]);
    expect(body).toHaveLength(2);
    expect(body[1]!.facts!.map(({ title }) => title)).toEqual(["Status", "Time"]);
    expect(actions).toEqual([]);
  });

  test("A Teams webhook that refuses or cannot be reached gives distinct errors without its address", async () => {
    const { url, behaviour } = await startWebReceiver(400);
    const channel = await open({ type: "teams", url: { file: "f" } }, { f: url });
    await expect(channel.send(opened)).rejects.toThrow(new RefusedError("status 400"));
    behaviour.status = 429;
    await expect(channel.send(opened)).rejects.toThrow(new UnreachableError("status 429"));
    const missing = await open({ type: "teams", url: { env: "TEAMS" } });
    await expect(missing.send(opened)).rejects.toThrow("the secret is missing");
  });
});

test("A template's places are filled in the names of properties as in texts", async () => {
  const { url, bodies } = await startWebReceiver();
  const body = { "{{severity}} {{rule}}": { "at-{{at}}": ["{{subject}}"] } };
  const channel = await open(
    { type: "template", url: { env: "URL" }, body, escape: {}, maxTextLength: 4_000 },
    { URL: url },
  );
  await channel.send(opened);
  expect(bodies).toEqual([
    { [`${opened.severity} ${opened.rule}`]: { [`at-${opened.at}`]: [opened.subject] } },
  ]);
});

test("Slack's limits hold for a long text, and an alert without endpoints and links has no empty block", () => {
  const [, facts, ...others] = renderSlack(
    sampleAlert(1, { severity: "info", endpoints: [], sections: [] }),
  ).blocks;
  expect(facts).toMatchObject({
    type: "context",
    elements: [{ text: ":large_blue_circle: *INFO*" }, { text: "2026-11-01 00:01 UTC" }],
  });
  expect(others).toEqual([]);

  const textsOf = (given: Alert["sections"]) =>
    renderSlack({ ...sampleAlert(1), sections: given }).blocks.flatMap((block) =>
      block.type === "section" && "text" in block ? [block.text.text] : [],
    );
  const linksOf = (links: Alert["links"]) =>
    renderSlack(sampleAlert(1, { sections: [], links })).blocks.slice(2);
  for (const [shown, one] of [
    [`<${links.page}|Open incident>`, { page: links.page }],
    [`<${links.runbook}|Runbook>`, { runbook: links.runbook }],
    ["<https://x.example/?a=1&amp;b=2|Open v1watch>", { page: "https://x.example/?a=1&b=2" }],
  ] as const)
    expect(linksOf(one)).toEqual([{ type: "section", text: { type: "mrkdwn", text: shown } }]);
  expect(renderSlack(sampleAlert(1, { severity: "warning" })).blocks[1]).toMatchObject({
    elements: [{ text: ":large_orange_circle: *WARNING*" }, {}, {}],
  });
  expect(textsOf(sentences("a".repeat(3_000)))).toEqual(["a".repeat(3_000)]);
  expect(textsOf(sentences("a".repeat(3_001)))).toEqual([`${"a".repeat(2_999)}…`]);
  const [command = ""] = textsOf([{ label: "Reproduce", lines: ["a".repeat(4_000)] }]);
  expect(command.length).toBeLessThanOrEqual(3_000);
  expect(command).toMatch(/^\*Reproduce\*\n```a+```$/);
  // All of them together are limited, too: https://github.com/slackapi/bolt-js/issues/2509
  const long = textsOf(Array.from({ length: 12 }, () => ({ label: "Impact", lines: ["a".repeat(2_900)] })));
  expect([long.length, long.at(-1)]).toEqual([4, "…"]);
  // No line is taken for a label, whatever it looks like.
  expect(textsOf(sentences("Wait.", "The  end"))).toEqual(["Wait.\nThe  end"]);
});

test("PagerDuty gets what it shows, and nothing about what is unknown", () => {
  const head = { routing_key: "key", event_action: "trigger", dedup_key: "down-20261101T000100000Z" };
  const payload = {
    summary: opened.subject,
    source: "v1watch",
    timestamp: opened.at,
    component: "passport-list, passport, passport-credentials",
    group: "api",
    class: "down",
  };
  expect(renderPagerDuty(opened, "key")).toEqual({
    ...head,
    client: "v1watch",
    client_url: links.page,
    links: [
      { href: links.page, text: "Open incident" },
      { href: links.runbook, text: "Runbook" },
    ],
    payload: { ...payload, severity: "critical", custom_details: { event: "opened", ...details } },
  });
  const bare = sampleAlert(1, { severity: "warning", sections, links: {} });
  expect(renderPagerDuty(bare, "key")).toEqual({
    ...head,
    client: "v1watch",
    payload: { ...payload, severity: "warning", custom_details: { event: "opened", ...details } },
  });
  const facts = { checks: 9 } as unknown as Alert["facts"];
  expect(renderPagerDuty({ ...bare, severity: "info", facts }, "key")).toMatchObject({
    payload: { severity: "info", custom_details: { event: "opened", ...details, facts } },
  });
  const { page, runbook } = links;
  expect(renderPagerDuty({ ...bare, links: { page } }, "key")).toMatchObject({
    client_url: page,
    links: [{ href: page, text: "Open incident" }],
  });
  const linked = renderPagerDuty({ ...bare, links: { runbook } }, "key");
  expect(linked).toMatchObject({ links: [{ href: runbook, text: "Runbook" }] });
  expect(linked).toMatchObject({ client_url: undefined });
  expect(renderPagerDuty(ofIncident("resolved"), "key")).toEqual({ ...head, event_action: "resolve" });
});

test("PagerDuty is triggered, acknowledged and resolved under one dedup key", async () => {
  const { url, bodies } = await startWebReceiver(202, '{"status":"success"}');
  const channel = await open({ type: "pagerduty", routingKey: { env: "PD" }, url }, { PD: "a-routing-key" });
  for (const event of ["opened", "changed", "acknowledged", "resolved"] as const)
    await channel.send(event === "opened" ? opened : ofIncident(event));
  expect(bodies.map(({ event_action }) => event_action)).toEqual([
    "trigger",
    "trigger",
    "acknowledge",
    "resolve",
  ]);
  expect(new Set(bodies.map(({ dedup_key }) => dedup_key))).toEqual(new Set([opened.id.split("/")[0]]));
  expect(bodies.every(({ routing_key }) => routing_key === "a-routing-key")).toBe(true);
  expect(bodies[0]).toMatchObject({
    links: [{ href: links.page }, { href: links.runbook }],
    payload: { summary: opened.subject, severity: "critical", timestamp: opened.at, class: "down" },
  });
  // An incident that affects more endpoints replaces others, which get no RESOLVED of their own.
  await channel.send(sampleAlert(4, { supersedes: ["down-passport-1", "down-passport-2"] }));
  expect(bodies.splice(4).map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
    ["trigger", sampleAlert(4).id.split("/")[0]],
    ["resolve", "down-passport-1"],
    ["resolve", "down-passport-2"],
  ]);
  // These leave no open incident behind: none of them gets a RESOLVED.
  for (const event of ["drill", "digest", "countdown"] as const) {
    const rule = event === "countdown" ? "sunset" : event;
    await channel.send(sampleAlert(5, { event, rule, id: `${event}-1/1-${event}`, severity: "info" }));
    expect(bodies.splice(4).map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
      ["trigger", `${event}-1`],
      ["resolve", `${event}-1`],
    ]);
  }
});

test("A receiver has 60 s to answer once it has the whole message", () => {
  expect(defaultTimeouts).toEqual({ sendMs: 10_000, answerMs: 60_000 });
});

/** The answer comes later than any message may take to be sent. */
const slowly: Timeouts = { sendMs: 1_000, answerMs: 60_000 };

test("A webhook that takes its time to answer gets the message once, and one that is cut off may have it", async () => {
  const { url, bodies, behaviour } = await startWebReceiver();
  behaviour.delayMs = 1_200;
  const hook = { type: "webhook", format: "alert", url: { env: "HOOK" } } as const;
  const channel = await open(hook, { HOOK: url }, () => {}, slowly);
  await channel.send(opened);
  expect(bodies).toHaveLength(1);
  behaviour.status = "reset";
  await expect(channel.send(opened)).rejects.toThrow(UnansweredError);
  expect(bodies).toHaveLength(2);
});

test("A webhook is signed over its time and body, and the documented code verifies it", async () => {
  const receiver = await startWebReceiver();
  const secret = "a-long-random-secret";
  const signed = await open(
    { type: "webhook", format: "alert", url: { env: "HOOK" }, signingSecret: { env: "SECRET" } },
    { HOOK: receiver.url, SECRET: secret },
  );
  await signed.send(opened);
  const unsigned = await open(
    { type: "webhook", format: "alert", url: { env: "HOOK" } },
    { HOOK: receiver.url },
  );
  await unsigned.send(opened);
  const [first, second] = receiver.received;
  const documentation = readFileSync(new URL("../../../docs/use/alerts.md", import.meta.url), "utf8");
  const code = /```js\n(import [\s\S]*?isFromV1watch[\s\S]*?)```/.exec(documentation)?.[1] ?? "";
  const { isFromV1watch } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isFromV1watch(headers: IncomingHttpHeaders, body: string, secret: string): boolean;
  };
  const { headers, text } = first!;
  expect(isFromV1watch(headers, text, secret)).toBe(true);
  expect(isFromV1watch(headers, `${text} `, secret)).toBe(false);
  expect(isFromV1watch(headers, text, "another secret")).toBe(false);
  expect(isFromV1watch({ ...headers, "x-v1watch-timestamp": "1700000000" }, text, secret)).toBe(false);
  expect(isFromV1watch(second!.headers, text, secret)).toBe(false);
});

test("A receiver that answers 429 says in its error how long it asked to be left alone", async () => {
  const receiver = await startWebReceiver(429);
  const channel = await open(
    { type: "webhook", format: "alert", url: { env: "HOOK" } },
    { HOOK: receiver.url },
  );
  const readAskedMs = async (retryAfter: string) => {
    receiver.behaviour.retryAfter = retryAfter;
    const error = await channel.send(opened).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(UnreachableError);
    return (error as UnreachableError).retryAfterMs;
  };
  expect(await readAskedMs("90")).toBe(90_000);
  expect(await readAskedMs("soon")).toBeUndefined();
  expect(await readAskedMs("Wed, 18 Nov 2020 10:00:00 GMT")).toBe(0);
  expect(await readAskedMs("Fri, 18 Nov 2095 10:00:00 GMT")).toBeGreaterThan(1e12);
});

describe("email", () => {
  test("Email to a server that takes its time is sent once, and may have arrived where the connection ends", async () => {
    const slow = await startMailServer({ delayMs: 1_200 });
    const channel = await open({ ...settings, port: slow.port }, {}, () => {}, slowly);
    await channel.send(opened);
    expect(slow.mails).toHaveLength(1);
    const cut = await startMailServer({ isCut: true });
    const lost = await open({ ...settings, port: cut.port }, {}, () => {}, slowly);
    await expect(lost.send(opened)).rejects.toThrow(UnansweredError);
    expect(cut.mails).toHaveLength(1);
  });

  const settings = {
    type: "email" as const,
    host: "127.0.0.1",
    security: "none" as const,
    from: "v1watch@example.com",
    to: ["on-call@example.com", "team@example.com"],
  };

  test("Email has the same words as HTML and as text, in one column without images", async () => {
    const { port, mails } = await startMailServer();
    const alert = addActions(opened, {
      kind: "links",
      page: links.page,
      acknowledge: `${links.page}/acknowledge?signature=a&b="<`,
      mute: `${links.page}/mute?signature=b`,
    });
    await (await open({ ...settings, port })).send(alert);
    expect(mails[0]).toMatchObject({ from: settings.from, to: settings.to });
    const mail = await PostalMime.parse(mails[0]!.text);
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: "x-v1watch-severity", value: "page" }),
    );
    const html = mail.html ?? "";
    expect(html).not.toMatch(/<(?:img|table|script|link|iframe)|src=|url\(/i);
    const signs: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
    const body = html
      .slice(html.indexOf("</h1>"), html.indexOf("<a href"))
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => signs[name]!);
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    expect(words(body)).toEqual(words(textOf({ ...alert, links: {} })));
    for (const line of alert.sections.flatMap(({ lines }) => lines)) expect(mail.text).toContain(line);
    const anchors = [...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)];
    expect(anchors.map(([, url, label]) => [label, url])).toEqual([
      ["Open incident", links.page],
      ["Acknowledge", `${links.page}/acknowledge?signature=a&amp;b=&quot;&lt;`],
      ["Mute for 4 h", `${links.page}/mute?signature=b`],
      ["Runbook", links.runbook],
    ]);
  });

  test("Email of one incident is one thread: each refers to the first, and their subjects begin alike", async () => {
    const { port, mails } = await startMailServer();
    const channel = await open({ ...settings, port });
    const incident = incidentOf(opened);
    const said: [Alert, string][] = [
      [opened, "PAGE: V1 is down"],
      [ofIncident("changed"), "PAGE (changed): V1 is down"],
      [ofIncident("resolved"), "RESOLVED: V1 was down"],
    ];
    for (const [alert, words] of said) await channel.send({ ...alert, subject: `[v1watch] ${words}` });
    const parsed = await Promise.all(mails.map(({ text }) => PostalMime.parse(text)));
    const [first, ...others] = parsed;
    expect(first?.messageId).toBe(`<${incident}@v1watch>`);
    expect(first).not.toHaveProperty("inReplyTo", expect.anything());
    expect(others).toHaveLength(2);
    for (const mail of others)
      expect(mail).toMatchObject({ inReplyTo: first?.messageId, references: first?.messageId });
    expect(parsed.map(({ subject }) => subject)).toEqual(
      said.map(([, words]) => `[v1watch ${incident}] ${words}`),
    );
    expect(new Set(parsed.map(({ messageId }) => messageId)).size).toBe(3);
  });

  test("Email that the server refuses, or that cannot be sent, gives distinct errors", async () => {
    const refusing = await startMailServer({ refuseWith: 554 });
    const refused = await open({ ...settings, port: refusing.port });
    await expect(refused.send(opened)).rejects.toThrow(new RefusedError("SMTP 554"));
    const busy = await startMailServer({ refuseWith: 451 });
    const later = await open({ ...settings, port: busy.port });
    await expect(later.send(opened)).rejects.toThrow(new UnreachableError("SMTP 451"));
    const dead = await reserveDeadPort();
    const away = await open({ ...settings, port: Number(new URL(dead.url).port) });
    await expect(away.send(opened)).rejects.toThrow(UnreachableError);
    const slow = await open({ ...settings, port: await startEndlessMailServer() }, {}, () => {}, impatiently);
    await expect(slow.send(opened)).rejects.toThrow(new UnreachableError("timeout"));
  });

  test("Email of a page is marked as urgent, and headers name the rule and the event", () => {
    expect(renderEmail(ofIncident("opened"))).toEqual({
      subject: "[v1watch down-20261101T000100000Z] PAGE: V1 is down on all 3 endpoints",
      text: textOf(opened),
      html: renderHtml(opened),
      references: "<down-20261101T000100000Z@v1watch>",
      messageId: "<down-20261101T000100000Z.2-opened@v1watch>",
      inReplyTo: "<down-20261101T000100000Z@v1watch>",
      priority: "high",
      headers: {
        "Auto-Submitted": "auto-generated",
        "X-V1watch-Severity": "page",
        "X-V1watch-Rule": "down",
        "X-V1watch-Event": "opened",
      },
    });
    expect(renderEmail(ofIncident("resolved")).priority).toBe("normal");
    for (const severity of ["warning", "info"] as const)
      expect(renderEmail({ ...opened, severity }).priority).toBe("normal");
    // A mail program would decode it.
    expect(renderEmail({ ...opened, subject: "=?utf-8?q?down?= =?x" }).subject).toBe(
      "= ?utf-8?q?down?= = ?x",
    );
    expect(renderEmail({ ...opened, id: "down 1@x/2" }).messageId).toBe("<down.1.x.2@v1watch>");
  });

  test("Email is sent with a password where the server takes it, and a refused password is tried again later", async () => {
    const user = { name: "watch", password: "p4ss word" };
    const { port, mails } = await startMailServer({ user, isPlain: true });
    const account = { ...settings, port, user: user.name, password: { env: "SMTP" } };
    await (await open(account, { SMTP: user.password })).send(opened);
    expect(mails).toHaveLength(1);
    await expect((await open(account, { SMTP: "wrong" })).send(opened)).rejects.toThrow(
      new UnreachableError("SMTP 535"),
    );
    await expect((await open(account)).send(opened)).rejects.toThrow("the secret is missing");
    // Without a user a password is not even read.
    const { user: _, ...nobody } = account;
    await expect((await open(nobody)).send(opened)).rejects.toThrow("SMTP 530");
  });

  test.each(["starttls", "tls"] as const)(
    "Email is not sent to a server without encryption with %s",
    async (security) => {
      const { port, mails } = await startMailServer({ isPlain: true });
      const channel = await open({ ...settings, port, security });
      await expect(channel.send(opened)).rejects.toThrow(UnreachableError);
      expect(mails).toEqual([]);
    },
  );

  test("Email without encryption that the server offers is not sent with a password", async () => {
    const { port, mails } = await startMailServer({ user: { name: "watch", password: "p4ss word" } });
    const channel = await open(
      {
        ...settings,
        port,
        security: "starttls" as const,
        user: "watch",
        password: { env: "SMTP" },
      },
      { SMTP: "p4ss word" },
    );
    // The server's certificate is its own, which is not trusted.
    await expect(channel.send(opened)).rejects.toThrow(UnreachableError);
    expect(mails).toEqual([]);
  });
});

test("The console prints, and does not count as a channel that reaches people", async () => {
  const printed: Alert[] = [];
  const channel = await open({ type: "console" }, {}, (alert) => printed.push(alert));
  await channel.send(opened);
  expect(printed).toEqual([opened]);
  expect(channel).toMatchObject({ name: "tested", type: "console", reachesPeople: false });
  const slack = await open({ type: "slack", url: { env: "SLACK" } });
  expect(slack).toMatchObject({ name: "tested", type: "slack", reachesPeople: true });
});

test("An SNS topic gets every alert in its region, through one client", async () => {
  const published: URLSearchParams[] = [];
  const { asked, endpoint } = await startAccount((_, body) => {
    published.push(new URLSearchParams(body));
    const id = "<PublishResult><MessageId>1</MessageId></PublishResult>";
    return { status: 200, body: `<PublishResponse>${id}</PublishResponse>` };
  });
  vi.stubEnv("AWS_ENDPOINT_URL", endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  onTestFinished(() => void vi.unstubAllEnvs());
  const topicArn = "arn:aws:sns:ap-south-1:123456789012:alerts";
  const channel = await open({ type: "sns", topicArn });
  await channel.send(opened);
  // The client of the first message is used for the others.
  vi.stubEnv("AWS_ENDPOINT_URL", "http://127.0.0.1:9");
  await channel.send(ofIncident("resolved"));
  expect(asked.map(({ region, service }) => `${service} ${region}`)).toEqual([
    "sns ap-south-1",
    "sns ap-south-1",
  ]);
  expect(published.map((form) => [form.get("TopicArn"), form.get("Subject")])).toEqual([
    [topicArn, opened.subject],
    [topicArn, opened.subject],
  ]);
});

test("A channel gets the severities and events that it wants, and every drill", async () => {
  const channel = await open({ type: "console", severities: ["page"], events: ["opened", "resolved"] });
  expect(channel.wants?.(opened)).toBe(true);
  expect(channel.wants?.(ofIncident("resolved"))).toBe(true);
  expect(channel.wants?.(ofIncident("reminder"))).toBe(false);
  expect(channel.wants?.({ ...opened, severity: "warning" })).toBe(false);
  expect(channel.wants?.({ ...opened, severity: "info", event: "drill" })).toBe(true);
});
