// An error rate that climbs from 1 % to 100 % over three weeks, evenly or ever faster.
import { expect, test } from "vitest";
import { auditAll } from "../assess/auditor.ts";
import { playStory } from "../stories/play.ts";
import type { Behaviour, Story } from "../stories/types.ts";

const steps = 42;
const climbs = {
  evenly: (part: number) => 0.01 + 0.99 * part,
  "ever faster": (part: number) => 0.01 * 100 ** part,
};

/** A step is 12 h. */
function climbing(kind: keyof typeof climbs, seed: number): Story {
  const timeline = Array.from(
    { length: steps },
    (_, step): Behaviour => ({
      from: `${step * 12}h`,
      to: `${(step + 1) * 12}h`,
      probability: climbs[kind](step / (steps - 1)),
      effect: { kind: "respond", status: 503 },
    }),
  );
  return {
    name: `climbing ${kind}, seed ${seed}`,
    kind: "fault",
    description: "an error rate that climbs",
    start: "2026-03-02T00:00:00Z",
    days: steps / 2,
    seed,
    timeline,
    truth: { messages: [], maxPages: 16, maxMessages: 16 },
  };
}

const seeds = process.env.V1WATCH_SEED ? [Number(process.env.V1WATCH_SEED)] : [1, 2];

async function climb(kind: keyof typeof climbs, seed: number): Promise<void> {
  const story = climbing(kind, seed);
  const { messages, observations } = await playStory(story);
  const alerts = messages.map(({ alert }) => alert).filter(({ event }) => event !== "digest");
  const counted = alerts.filter(({ event }) => event !== "reminder");
  const lines = counted
    .map(({ at, event, rule, subject }) => `${at} ${event} ${rule}: ${subject}`)
    .join("\n");
  console.log(
    `${story.name}: ${counted.length} messages, ${alerts.length - counted.length} reminders\n${lines}`,
  );
  expect(auditAll(alerts, observations)).toEqual([]);
  expect(counted.length, lines).toBeLessThanOrEqual(story.truth.maxMessages);
  // It is noticed, and at the end it is an outage.
  expect(counted.some(({ event, rule }) => event === "opened" && rule === "error-rate")).toBe(true);
  expect(counted.some(({ event, rule }) => event !== "resolved" && rule === "down")).toBe(true);
}

test.each(seeds)(
  "An error rate that climbs ever faster sends at most 16 messages, each true; seed %d",
  (seed) => climb("ever faster", seed),
);

test.each(seeds)("An error rate that climbs evenly sends at most 16 messages, each true; seed %d", (seed) =>
  climb("evenly", seed),
);
