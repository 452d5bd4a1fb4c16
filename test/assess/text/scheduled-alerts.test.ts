// Alarms about the watch itself whose state is the alerts that were announced: they end by what was seen, not by absence.
import { expect, test } from "vitest";
import {
  drillAlert,
  subscriptionAlerts,
  unreadableAlerts,
} from "../../../lib/assess/text/scheduled-alerts.ts";
import { type Alert, listUnresolved, textOf } from "../../../lib/records/alert.ts";
import type { SubscriptionStatus } from "../../../lib/records/subscription-status.ts";
import { settings, startMs } from "../driver.ts";
import { dayMs, hourMs } from "../observation-builder.ts";

test("Entries that cannot be read are one incident: changed on each later day with more, ended after a day without, which says what is set aside", () => {
  const alerts: Alert[] = [];
  const found: { count: number; latestMs?: number } = { count: 0 };
  for (let hour = 0; hour < 5 * 24; hour += 1) {
    const nowMs = startMs + hour * hourMs;
    if ([5, 6, 30, 31].includes(hour)) Object.assign(found, { count: found.count + 1, latestMs: nowMs });
    const unreadable = { ...found, byTable: { observation: found.count } };
    alerts.push(...unreadableAlerts(unreadable, listUnresolved(alerts), settings, nowMs));
  }
  expect(alerts.map(({ id, at }) => [id, (Date.parse(at) - startMs) / hourMs])).toEqual([
    ["store-20260302/1-opened", 5],
    ["store-20260302/2-changed", 30],
    ["store-20260302/3-resolved", 31 + 25],
  ]);
  const end = textOf(alerts[2]!);
  expect(end).toContain("No stored entry was found unreadable in the last 24 h.");
  expect(end).toContain("4 stored entries could not be read and were set aside");
});

test("A warning about subscriptions does not end because the topic has none", () => {
  const at = new Date(startMs).toISOString();
  const status: SubscriptionStatus = {
    at,
    expected: 1,
    confirmed: 0,
    unconfirmed: ["email t***@example.com"],
  };
  const [opened] = subscriptionAlerts(status, undefined, settings, startMs);
  const judge = (given: Partial<SubscriptionStatus>) =>
    subscriptionAlerts({ ...status, ...given }, opened, settings, startMs + dayMs).map(({ event }) => event);
  expect(judge({ expected: 0, unconfirmed: [] })).toEqual([]);
  expect(judge({ expected: 1, confirmed: 1, unconfirmed: [] })).toEqual(["resolved"]);
});

test("A drill says that it is a test message, and that it says nothing about V1", () => {
  const drill = drillAlert(new Date(startMs).toISOString());
  expect(drill.subject).toBe("[v1watch] DRILL at 00:00 UTC: a test message");
  expect(textOf(drill)).toContain("This is a test message of v1watch");
  expect(textOf(drill)).toContain("It says nothing about V1.");
});
