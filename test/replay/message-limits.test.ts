// Histories that sent hundreds of messages before there were limits, played by the engine of `v1watch replay`.
import { expect, test } from "vitest";
import { ruleOf } from "../../lib/assess/rules/table.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { type Alert, incidentOf } from "../../lib/records/alert.ts";
import type { RuleId } from "../../lib/records/incident.ts";
import { countInDay, type JudgedMessage, judgeMessages } from "../assess/judge-messages.ts";
import { playStory } from "../stories/play.ts";
import type { Behaviour, Story } from "../stories/types.ts";

const outside: readonly Alert["rule"][] = ["monitor", "digest", "drill"];

const toJudged = (alert: Alert): JudgedMessage => ({
  atMs: Date.parse(alert.at),
  incident: alert.event === "countdown" ? alert.id : incidentOf(alert),
  group: outside.includes(alert.rule) ? alert.rule : ruleOf(alert.rule as RuleId).family,
  event: alert.event,
  severity: alert.severity,
  isWide: alert.endpoints.length === endpointIds.length,
  replaces: alert.supersedes ?? [],
});

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
  ["a Sunset that is always 30 days ahead", { from: "1d", effect: sunset("{http-date:30d}") }],
  ["a Sunset that is always 2 days ahead", { from: "1d", effect: sunset("{http-date:2d}") }],
  [
    "a Sunset from one backend of three",
    { from: "1d", probability: 1 / 3, effect: sunset("Thu, 31 Dec 2026 23:59:59 GMT") },
  ],
  [
    "a Sunset from one backend of three, always 30 days ahead",
    { from: "1d", probability: 1 / 3, effect: sunset("{http-date:30d}") },
  ],
  [
    "a V1 that fails for 20 minutes in every hour",
    {
      from: "1d",
      recur: { everyMinutes: 60, minutes: 25 },
      effect: { kind: "respond", status: 503 },
    },
  ],
] satisfies [string, Behaviour][])("%s stays within the limits of messages", async (name, behaviour) => {
  const days = Number(process.env.V1WATCH_DAYS ?? 6);
  const { messages } = await playStory(storyOf(name, days, [behaviour]));
  const judged = messages.map(({ alert }) => toJudged(alert));
  console.log(`${name}: ${judged.length} messages in ${days} days, at most ${countInDay(judged)} in 24 h`);
  expect(judgeMessages(judged)).toEqual([]);
  expect(judged.length).toBeGreaterThan(0);
});
