// Hours in which nothing is stored: the messages say from when to when. The checks before and after them do not.
import { expect, test } from "vitest";
import { planFaults } from "../faults/plan.ts";
import { breakPorts } from "../faults/ports.ts";
import { playStoryByFunctions } from "../stories/play.ts";
import { HOUR, MINUTE } from "../stories/types.ts";

const startMs = Date.parse("2026-03-02T00:00:00Z");

type Gap = { why: "throttled table" | "no prober"; afterMs: number; hours: number };

/** The messages, and the times of the checks next to the gap. */
async function playGap({ why, afterMs, hours }: Gap) {
  const fromMs = startMs + afterMs;
  const untilMs = fromMs + hours * HOUR;
  const isOn = (atMs: number) => atMs >= fromMs && atMs < untilMs;
  const { messages, observations } = await playStoryByFunctions(
    {
      name: "gap",
      kind: "fault",
      description: "Nothing is stored for hours.",
      start: new Date(startMs).toISOString(),
      days: Math.ceil((untilMs - startMs) / HOUR + 6) / 24,
      seed: 1,
      timeline: [],
      truth: { messages: [], maxPages: 0, maxMessages: 0 },
    },
    {
      assessEveryMinutes: 5,
      isStarted: (_, atMs) => why !== "no prober" || !isOn(atMs),
      onRun() {},
      wrapPorts(ports) {
        const outages = why === "throttled table" ? ["ledger", "outbox"] : [];
        return breakPorts(
          ports,
          planFaults({
            seed: 1,
            share: 0,
            outages: outages.map((port) => ({ port, fromMs, untilMs })),
            nowMs: ports.nowMs,
          }),
        );
      },
    },
  );
  const times = observations.map(({ at }) => at).sort();
  const from = times.findLast((at) => Date.parse(at) < fromMs)!;
  const until = times.find((at) => Date.parse(at) >= untilMs)!;
  const told = messages.map(({ alert }) => alert).filter(({ rule }) => rule === "silent");
  return { from: from.slice(11, 16), until: until.slice(11, 16), told };
}

const gaps: [string, Gap & { isToldOnce?: true }][] = [
  [
    "the table is throttled",
    { why: "throttled table", afterMs: 10 * HOUR + 2 * MINUTE, hours: 3, isToldOnce: true },
  ],
  [
    "the table is throttled soon after the first checks",
    { why: "throttled table", afterMs: 40 * MINUTE, hours: 3 },
  ],
  ["no prober is started", { why: "no prober", afterMs: 10 * HOUR + 2 * MINUTE, hours: 5 }],
];

test.each(gaps)(
  "Where nothing is stored for hours (%s), the messages say from when to when",
  async (_, { isToldOnce, ...gap }) => {
    const { from, until, told } = await playGap(gap);
    const [first, last] = [told.find(({ event }) => event === "opened"), told.at(-1)!];
    const text = (alert: typeof last) => alert.sections.flatMap(({ lines }) => lines).join("\n");
    // What is over before anything can be stored again has one message.
    expect(told.map(({ event }) => event)).toEqual(isToldOnce ? ["resolved"] : ["opened", "resolved"]);
    if (first) {
      expect(first.subject).toBe(`[v1watch] PAGE: v1watch does not check all 3 endpoints since ${from} UTC`);
      expect(text(first)).toContain(`was at ${from} UTC`);
      expect(text(first)).toContain("Nothing has been stored since.");
    }
    expect(last.subject).toBe(
      `[v1watch] RESOLVED: v1watch did not check all 3 endpoints from ${from} UTC to ${until} UTC`,
    );
    expect(text(last)).toContain(`Nothing was stored from ${from} UTC to ${until} UTC:`);
    expect(text(last)).not.toMatch(/at least|checks showed it/);
  },
);
