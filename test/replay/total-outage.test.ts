// A total outage that begins in each minute of the schedule's cycle: each endpoint is checked every 36 minutes, one of
// them every 12.
import { expect, test } from "vitest";
import { auditAll } from "../assess/auditor.ts";
import { type Played, playStory, playStoryByFunctions } from "../stories/play.ts";
import { HOUR, MINUTE, type Story } from "../stories/types.ts";

const startMs = Date.parse("2026-03-02T00:00:00Z");
const phases = Array.from({ length: 36 }, (_, phase) => phase);

/** A second after the full minute: the check of that minute was still good. The end goes through all phases too. */
function outageOf(phase: number): Story & { onsetMs: number; endMs: number } {
  const onsetMs = startMs + 5 * HOUR + phase * MINUTE + 1_000;
  const endMs = onsetMs + 60 * MINUTE + ((phase * 7) % 36) * MINUTE;
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    name: `total outage in phase ${phase}`,
    kind: "fault",
    description: "nothing is served",
    seed: phase + 1,
    start: at(startMs),
    days: 9 / 24,
    onsetMs,
    endMs,
    timeline: [
      {
        from: at(onsetMs),
        to: at(endMs),
        effect: phase % 2 === 0 ? { kind: "respond", status: 503 } : { kind: "reset" },
      },
    ],
    truth: { messages: [], maxPages: 1, maxMessages: 2 },
  };
}

const isGood = ({ outcome }: Played["observations"][number]) => outcome.kind === "ok";

/** Minutes from the onset to the page, and from the first good check that no bad one follows to RESOLVED. */
function measure(story: ReturnType<typeof outageOf>, { messages, observations }: Played) {
  const alerts = messages.map(({ alert }) => alert).filter(({ event }) => event !== "digest");
  expect(alerts.map(({ event, rule, scope }) => `${event} ${rule} ${scope}`)).toEqual([
    "opened down api",
    "resolved down api",
  ]);
  expect(alerts[0]?.severity).toBe("page");
  expect(auditAll(alerts, observations)).toEqual([]);
  const sentMs = messages.filter(({ alert }) => alert.event !== "digest").map(({ atMs }) => atMs);
  const ordered = observations
    .filter(({ isPrimary }) => isPrimary)
    .map((one) => ({ atMs: Date.parse(one.at), isGood: isGood(one) }))
    .sort((a, b) => a.atMs - b.atMs);
  const firstGood = ordered[ordered.findLastIndex((one) => !one.isGood) + 1];
  expect(firstGood?.atMs).toBeGreaterThanOrEqual(story.endMs);
  return {
    page: ((sentMs[0] ?? 0) - story.onsetMs) / MINUTE,
    resolved: ((sentMs[1] ?? 0) - (firstGood?.atMs ?? 0)) / MINUTE,
    resolvedAfterEnd: ((sentMs[1] ?? 0) - story.endMs) / MINUTE,
  };
}

test.each([
  ["on one machine", playStory, 18],
  ["with a function for each endpoint and an assessment every minute", playStoryByFunctions, 20],
] as const)(
  "A total outage in every phase of the schedule %s is paged and resolved in time",
  async (where, play, limit) => {
    const measured: ({ phase: number } & ReturnType<typeof measure>)[] = [];
    for (const phase of phases) {
      const story = outageOf(phase);
      measured.push({ phase, ...measure(story, await play(story)) });
    }
    const latest = (name: "page" | "resolved" | "resolvedAfterEnd") =>
      Math.max(...measured.map((one) => one[name])).toFixed(1);
    console.log(
      `total outage ${where}: paged at most ${latest("page")} min after the onset, resolved at most ${latest("resolved")} min after the first good check and ${latest("resolvedAfterEnd")} min after the end`,
    );
    expect(measured.filter(({ page, resolved }) => page > limit || resolved > 10)).toEqual([]);
  },
);
