// Histories that sent hundreds of messages before there were limits, played by the engine of `v1watch replay`.
import { expect, test } from "vitest";
import type { Alert } from "../../lib/records/alert.ts";
import { failureRules, type RuleId } from "../../lib/records/incident.ts";
import { dayMs } from "../../lib/time.ts";
import { playStory } from "../stories/play.ts";
import type { Behaviour, Story } from "../stories/types.ts";

const isFailure = (rule: Alert["rule"]) => (failureRules as readonly RuleId[]).includes(rule as RuleId);
const groupOf = ({ rule }: Alert) => (isFailure(rule) ? "failure" : rule);

/** The most messages in any 24 h. */
const mostInADay = (alerts: readonly Alert[]) =>
  Math.max(
    0,
    ...alerts.map((first) => {
      const fromMs = Date.parse(first.at);
      return alerts.filter(({ at }) => Date.parse(at) >= fromMs && Date.parse(at) < fromMs + dayMs).length;
    }),
  );

const storyOf = (name: string, days: number, timeline: Behaviour[]): Story => ({
  name,
  kind: "fault",
  description: name,
  start: "2026-03-02T00:00:00Z",
  days,
  seed: 7,
  timeline,
  truth: { messages: [], maxPages: 0, maxMessages: 0 },
});

const sunset = (value: string): Behaviour["effect"] => ({ kind: "headers", headers: { Sunset: value } });

test.each([
  ["a Sunset that is always 30 days ahead", { from: "1d", effect: sunset("{http-date:+30d}") }],
  ["a Sunset that is always 2 days ahead", { from: "1d", effect: sunset("{http-date:+2d}") }],
  [
    "a Sunset from one backend of three",
    { from: "1d", probability: 1 / 3, effect: sunset("Thu, 31 Dec 2026 23:59:59 GMT") },
  ],
  [
    "a Sunset from one backend of three, always 30 days ahead",
    { from: "1d", probability: 1 / 3, effect: sunset("{http-date:+30d}") },
  ],
  [
    "a V1 that fails for 25 minutes in every hour",
    { from: "1d", recur: { everyMinutes: 60, minutes: 25 }, effect: { kind: "respond", status: 503 } },
  ],
] satisfies [string, Behaviour][])(
  "The scenario %s stays within the limits of messages",
  async (name, behaviour) => {
    const { messages } = await playStory(storyOf(name, 6, [behaviour]));
    const alerts = messages.map(({ alert }) => alert);
    expect(alerts.length).toBeGreaterThan(0);
    for (const [group, own] of Map.groupBy(alerts, groupOf))
      expect(mostInADay(own), group).toBeLessThanOrEqual(group === "failure" ? 14 : 8);
    const { length: opened } = alerts.filter(({ event }) => event === "opened");
    const { length: resolved } = alerts.filter(({ event }) => event === "resolved");
    expect(resolved).toBeLessThanOrEqual(opened);
  },
);
