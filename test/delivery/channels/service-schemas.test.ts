// The messages to Slack, Teams and PagerDuty by the published documents of these services, for any alert.
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { assess } from "../../../lib/assess/assess.ts";
import { createChannel } from "../../../lib/delivery/channels/index.ts";
import { renderPagerDuty } from "../../../lib/delivery/channels/pagerduty.ts";
import { renderSlack } from "../../../lib/delivery/channels/slack.ts";
import { renderTeams } from "../../../lib/delivery/channels/teams.ts";
import { openMemoryStore } from "../../../lib/local/store/store.ts";
import { type Alert, alertEvents, alert as alertSchema } from "../../../lib/records/alert.ts";
import { severities } from "../../../lib/records/incident.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import type { SubscriptionStatus } from "../../../lib/records/subscription-status.ts";
import { dayMs } from "../../../lib/time.ts";
import { shippedSettings } from "../../config/shipped.ts";
import { sampleAlert } from "../../local/samples.ts";
import { fc } from "../../random.ts";
import { startWebReceiver } from "./servers.ts";
import { pagerDutyEvent, slackMessage, teamsMessage } from "./service-schemas.ts";

const routingKey = "0123456789abcdef0123456789abcdef";
const send = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const problemsOf = (schema: z.ZodType, message: unknown) =>
  schema.safeParse(send(message)).error?.issues ?? [];

const link = fc.option(fc.webUrl({ validSchemes: ["https"], withQueryParameters: true }), { nil: undefined });
const alerts: fc.Arbitrary<Alert> = fc
  .record({
    event: fc.constantFrom(...alertEvents),
    severity: fc.constantFrom(...severities),
    subject: fc.stringMatching(/^[\x20-\x7e]{1,100}$/),
    sections: fc.array(
      fc.record({
        label: fc.constantFrom("", "Impact", "Next steps", "Reproduce", "Acknowledge"),
        lines: fc.array(
          fc.oneof(fc.string({ unit: "grapheme", maxLength: 80 }), fc.constant("<&>".repeat(600))),
          { maxLength: 60 },
        ),
      }),
      { maxLength: 12 },
    ),
    links: fc.record({ page: link, acknowledge: link, mute: link, runbook: link }),
  })
  .map((change) => sampleAlert(1, change));

test("Whatever an alert holds, Slack, Teams and PagerDuty get what their documents describe.", () => {
  fc.assert(
    fc.property(alerts, (alert) => {
      expect(alertSchema.safeParse(send(alert)).error).toBeUndefined();
      expect(problemsOf(slackMessage, renderSlack(alert))).toEqual([]);
      expect(problemsOf(teamsMessage, renderTeams(alert))).toEqual([]);
      expect(problemsOf(pagerDutyEvent, renderPagerDuty(alert, routingKey))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

describe("The documents of Slack, Teams and PagerDuty", () => {
  test("The schemas of the services accept the examples that the services publish, and nothing without what these require.", () => {
    const trigger = {
      payload: {
        summary: "Example alert on host1.example.com",
        timestamp: "2015-07-17T08:42:58.315+00:00",
        source: "monitoringtool:cloudvendor:central-region-dc-01:852559987:cluster/api-stats-prod-003",
        severity: "info",
        component: "postgres",
        group: "prod-datapipe",
        class: "deploy",
        custom_details: { "ping time": "1500ms", "load avg": 0.75 },
      },
      routing_key: routingKey,
      dedup_key: "samplekeyhere",
      links: [{ href: "https://example.com/", text: "Link text" }],
      event_action: "trigger",
      client: "Sample Monitoring Service",
      client_url: "https://monitoring.example.com",
    };
    expect(problemsOf(pagerDutyEvent, trigger)).toEqual([]);
    const { routing_key, dedup_key, payload } = trigger;
    for (const event_action of ["acknowledge", "resolve"])
      expect(problemsOf(pagerDutyEvent, { routing_key, dedup_key, event_action })).toEqual([]);
    for (const name of ["summary", "source", "severity"])
      expect(
        problemsOf(pagerDutyEvent, { ...trigger, payload: { ...payload, [name]: undefined } }),
      ).toHaveLength(1);
    const header = { type: "header", text: { type: "plain_text", text: "A Heartfelt Header" } };
    expect(problemsOf(slackMessage, { text: "a", blocks: [header] })).toEqual([]);
    expect(
      problemsOf(slackMessage, { text: "a", blocks: [{ ...header, text: "A Heartfelt Header" }] }),
    ).toHaveLength(1);
  });
});

test("PagerDuty gets a resolve under the same dedup key for a budget warning and a subscription warning.", async () => {
  const { url, bodies } = await startWebReceiver(202);
  const channel = await createChannel(
    {
      type: "pagerduty",
      name: "on-call",
      severities: [...severities],
      events: alertEvents.filter((event) => event !== "digest" && event !== "countdown"),
      routingKey: { env: "PD" },
      url,
    },
    { readSecret: async () => routingKey, print: () => {} },
  );
  let nowMs = Date.parse("2026-03-30T12:00:00Z");
  const { ledger, outbox } = openMemoryStore(() => nowMs, {
    ...emptyProbeState,
    spent: { "2026-03": 4_910 },
  });
  let status: SubscriptionStatus = {
    at: "2026-03-30T12:00:00.000Z",
    expected: 1,
    confirmed: 0,
    unconfirmed: ["email"],
  };
  const ports = {
    nowMs: () => nowMs,
    readKey: async () => ({ kind: "none" }) as const,
    ledger,
    outbox,
    receivers: [channel],
    readSubscriptions: async () => status,
  };
  const memory = {};
  await assess(ports, shippedSettings, memory);
  nowMs += dayMs;
  await assess(ports, shippedSettings, memory);
  status = { ...status, confirmed: 1, unconfirmed: [] };
  nowMs += dayMs;
  await assess(ports, shippedSettings, memory);
  const actionsOf = (start: string) =>
    bodies
      .filter(({ dedup_key }) => String(dedup_key).startsWith(start))
      .map(({ event_action }) => event_action);
  expect(actionsOf("budget-202603")).toEqual(["trigger", "resolve"]);
  expect(actionsOf("subscriptions-20260330")).toEqual(["trigger", "trigger", "resolve"]);
  expect(new Set(bodies.map(({ dedup_key }) => dedup_key)).size).toBe(2);
  for (const body of bodies) expect(problemsOf(pagerDutyEvent, body)).toEqual([]);
});
