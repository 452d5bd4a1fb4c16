// PagerDuty over the life of the warnings of the monitor itself.
import { expect, test } from "vitest";
import { assess } from "../../../lib/assess/assess.ts";
import { createChannel } from "../../../lib/delivery/channels/index.ts";
import { openMemoryStore } from "../../../lib/local/store/store.ts";
import { alertEvents } from "../../../lib/records/alert.ts";
import { severities } from "../../../lib/records/incident.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import type { SubscriptionStatus } from "../../../lib/records/subscription-status.ts";
import { dayMs } from "../../../lib/time.ts";
import { shippedSettings } from "../../config/shipped.ts";
import { startWebReceiver } from "./servers.ts";
import { pagerDutyEvent } from "./services.ts";

const routingKey = "0123456789abcdef0123456789abcdef";
test("PagerDuty gets a resolve under the same dedup key for a budget warning and a subscription warning.", async () => {
  const { url, bodies } = await startWebReceiver(202, '{"status":"success"}');
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
  for (const body of bodies) expect(pagerDutyEvent.safeParse(body).error).toBeUndefined();
});
