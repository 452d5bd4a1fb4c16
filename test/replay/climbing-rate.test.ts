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
      ...{ from: `${step * 12}h`, to: `${(step + 1) * 12}h`, probability: climbs[kind](step / (steps - 1)) },
      effect: { kind: "respond", status: 503 },
    }),
  );
  return {
    ...{ name: `climbing ${kind}, seed ${seed}`, kind: "fault", description: "an error rate that climbs" },
    ...{ start: "2026-03-02T00:00:00Z", days: steps / 2, seed, timeline },
    truth: { messages: [], maxPages: 16, maxMessages: 16 },
  };
}

const seeds = process.env.V1WATCH_SEED ? [Number(process.env.V1WATCH_SEED)] : [1, 2, 3];
const cases = Object.keys(climbs).flatMap((kind) =>
  seeds.map((seed) => ({ kind: kind as keyof typeof climbs, seed })),
);

test.each(cases)(
  "an error rate that climbs $kind sends at most 16 messages, each true; seed $seed",
  async ({ kind, seed }) => {
    const story = climbing(kind, seed);
    const { messages, observations } = await playStory(story);
    const alerts = messages.map(({ alert }) => alert).filter(({ event }) => event !== "digest");
    const counted = alerts.filter(({ event }) => event !== "reminder");
    const lines = counted.map(
      ({ at, event, severity, rule, subject }) => `${at} ${event} ${severity} ${rule}: ${subject}`,
    );
    console.log(
      `${story.name}: ${counted.length} messages besides ${alerts.length - counted.length} reminders\n${lines.join("\n")}`,
    );
    expect(auditAll(alerts, observations)).toEqual([]);
    expect(counted.length, lines.join("\n")).toBeLessThanOrEqual(story.truth.maxMessages);
    // It is noticed, and at the end it is no rate any more.
    expect(counted.some(({ event, rule }) => event === "opened" && rule === "error-rate")).toBe(true);
    expect(
      counted.some(
        ({ event, rule, severity }) => event !== "resolved" && rule === "down" && severity === "page",
      ),
    ).toBe(true);
  },
);
