import { describe, expect, test } from "vitest";
import type { Finding } from "../../lib/records/observation.ts";
import { type Request, type Service, startMs, summary, type WatchOptions, watch } from "../assess/driver.ts";
import { auditAllFacts } from "../assess/fact-auditor.ts";
import { dayMs, hourMs, minuteMs } from "../assess/observation-builder.ts";

const atOnce = startMs + 2 * dayMs;
const during =
  (fromMs: number, lengthMs: number) =>
  ({ atMs }: Request) =>
    atMs >= fromMs && atMs < fromMs + lengthMs;

function once(outcome: object, isIt: (request: Request) => boolean): Service {
  let isDone = false;
  return (request) => {
    if (isDone || request.atMs < atOnce || !isIt(request)) return {};
    isDone = true;
    return outcome;
  };
}

const order: Finding = {
  id: "passport-list score order",
  path: "score",
  kind: "order",
  expected: "sorted",
  observed: "unsorted",
  count: 1,
  of: 1,
  level: "breaking",
};

/** The newest date moves every 4 h on working days from 8 to 18. */
function officeHours(atMs: number): number {
  for (let ms = Math.floor(atMs / hourMs) * hourMs; ; ms -= hourMs) {
    const at = new Date(ms);
    const isWorkday = at.getUTCDay() !== 0 && at.getUTCDay() !== 6;
    if (isWorkday && at.getUTCHours() >= 8 && at.getUTCHours() < 18 && at.getUTCHours() % 4 === 0) return ms;
  }
}

const rows: [string, Service, Partial<WatchOptions>?][] = [
  [
    "a restart of 3 min every day",
    ({ atMs }) => ((atMs - startMs) % dayMs < 3 * minuteMs && atMs > atOnce ? { status: 503 } : {}),
    { days: 14 },
  ],
  [
    "weekends and nights at rest",
    ({ atMs }) => ({
      staleness: {
        ages: { newest: (atMs - officeHours(atMs)) / 1_000, p50: 86_400, p95: 500_000, oldest: 2_000_000 },
      },
    }),
    { days: 30 },
  ],
  [
    "a list out of order for one check",
    once({ findings: [order] }, ({ endpoint }) => endpoint === "passport-list"),
  ],
  [
    "a finding that was there from the start",
    () => ({ findings: [{ ...order, id: "x retyped", kind: "retyped" }] }),
  ],
  [
    "one deleted sample",
    ({ sample, atMs }) => (sample === "00000000b2" && atMs > atOnce ? { status: 404 } : {}),
    { days: 8 },
  ],
  ["one stray header", once({ notices: { sunset: "2026-06-01T00:00:00.000Z" } }, () => true)],
  ["one stray 401", once({ status: 401 }, () => true)],
  ["skewed server clocks", () => ({ staleness: { muted: true, skewSeconds: 90_000 } }), { days: 10 }],
  ["429 for 20 min", (request) => (during(atOnce, 20 * minuteMs)(request) ? { status: 429 } : {})],
  [
    "one endpoint that fails for 10 min",
    (request) =>
      during(atOnce, 10 * minuteMs)(request) && request.endpoint === "passport" ? { status: 500 } : {},
  ],
  [
    "a total that grows and shrinks by a tenth",
    ({ atMs }) => ({ staleness: { total: Math.round(1_000 * (1 + 0.1 * Math.sin(atMs / dayMs))) } }),
    { days: 20 },
  ],
  ["one slow response", once({ timings: { totalMs: 9_000 } }, () => true)],
];

describe("what must stay calm sends nothing", () => {
  test.each(rows)("What must stay calm sends nothing: %s", (_what, service, options) => {
    for (const phase of [0, 7]) expect(summary(watch(service, { days: 5, phase, ...options }))).toEqual([]);
  });

  test("Restarts of 3 min and 1 % of 502s over 90 days send at most one message a week, none of them a page, and each true", () => {
    const seed = Number(process.env.V1WATCH_SEED ?? 1);
    const { alerts, observations } = watch(
      ({ atMs, random }) => ((atMs - startMs) % dayMs < 3 * minuteMs || random < 0.01 ? { status: 502 } : {}),
      { days: 90, seed },
    );
    const told = alerts.filter(({ event }) => event !== "digest");
    expect(told.filter(({ severity }) => severity === "page").map(({ subject }) => subject)).toEqual([]);
    expect(told.length).toBeLessThanOrEqual(12);
    expect(auditAllFacts(alerts, observations)).toEqual([]);
  });
});
