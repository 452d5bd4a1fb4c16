// The narrow rows say what the observations say: buckets, percentiles, and nothing of what was forgotten.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRange } from "../../../lib/local/page/cards.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { dayMs, minuteMs, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { assess } from "../small-assessment.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder();
let files = 0;
const newPath = () => join(folder, `history-${files++}.db`);

function own(path = newPath()): Store {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  return opened.store;
}

const listed = (minute: number, totalMs: number, change: Partial<Observation> = {}): Observation => {
  const at = new Date(startMs + minute * minuteMs).toISOString();
  return sampleObservation(0, {
    id: `passport-list/authenticated/${at}`,
    at,
    timings: { totalMs },
    ...change,
  });
};

const hour = { fromMs: startMs, untilMs: startMs + 60 * minuteMs };

describe("the history", () => {
  test("counts answers by bucket, with the p95 of those that were ok", async () => {
    const store = own();
    for (let minute = 0; minute < 20; minute += 1) await store.ledger.append(listed(minute, 100 + minute));
    await store.ledger.append(listed(31, 9_999, { outcome: { kind: "unauthorized", status: 401 } }));
    await store.ledger.append(listed(32, 50));
    const { whole, parts } = store.history.buckets("passport-list", "authenticated", hour, 30 * minuteMs);
    expect(whole).toMatchObject({ answers: 22, ok: 21, unauthorized: 1, p95Ms: 118 });
    expect(parts).toEqual([
      { index: 0, answers: 20, ok: 20, unauthorized: 0, breaking: 0, newestAgeSeconds: null, p95Ms: 118 },
      { index: 1, answers: 2, ok: 1, unauthorized: 1, breaking: 0, newestAgeSeconds: null, p95Ms: 50 },
    ]);
    store.close();
  });

  test("leaves our own faults and our own request rate out of every rate", async () => {
    const store = own();
    await store.ledger.append(listed(1, 1, { outcome: { kind: "no-secret" } }));
    await store.ledger.append(listed(2, 1, { outcome: { kind: "refused", detail: "address" } }));
    await store.ledger.append(listed(3, 1, { outcome: { kind: "status", status: 429 } }));
    await store.ledger.append(listed(4, 1));
    expect(store.history.buckets("passport-list", "authenticated", hour, 60 * minuteMs).whole?.answers).toBe(
      1,
    );
    store.close();
  });

  test("does not take an age for known where the clocks are too far apart", async () => {
    const store = own();
    const ages = { newest: 60, p50: 60, p95: 60, oldest: 60 };
    const counts = { records: 1, dated: 1, missing: 0, null: 0, future: 0, unparsable: 0, calculating: 0 };
    await store.ledger.append(listed(1, 1, { staleness: { ...counts, ages, muted: true } }));
    await store.ledger.append(listed(31, 1, { staleness: { ...counts, ages, muted: false } }));
    const [muted, known] = store.history.buckets("passport-list", "authenticated", hour, 30 * minuteMs).parts;
    expect([muted?.newestAgeSeconds, known?.newestAgeSeconds]).toEqual([null, 60]);
    store.close();
  });

  test("forgets with the observations, and keeps what people were told", async () => {
    const store = own();
    for (let number = 0; number < 1_440; number += 1) await store.ledger.append(sampleObservation(number));
    store.history.keepTold(sampleAlert(1));
    await assess(store.ledger);
    const all = { fromMs: startMs, untilMs: startMs + 20 * dayMs };
    const count = () => store.history.buckets("passport", "authenticated", all, 20 * dayMs).whole?.answers;
    expect(count()).toBe(480);
    store.prune(startMs + 7 * dayMs);
    expect(count()).toBe(480 - 7 * 48);
    expect(store.history.told(10)).toHaveLength(1);
    store.close();
  });

  test("gives a reader who was away what was told meanwhile, once, in order", () => {
    const store = own();
    for (const number of [1, 2, 3, 2]) store.history.keepTold(sampleAlert(number));
    const [first] = store.history.toldSince(0, 10);
    expect(store.history.toldSince(first?.seq ?? 0, 10).map(({ alert }) => alert.id)).toEqual(
      [2, 3].map((number) => sampleAlert(number).id),
    );
    store.close();
  });
});

describe("a range", () => {
  test.each(["1h", "24h", "7d", "30d", "all"] as const)("%s holds now and at most 62 buckets", (name) => {
    for (const ageMs of [0, minuteMs, dayMs, 40 * dayMs, 400 * dayMs]) {
      const nowMs = startMs + 12_345;
      const { fromMs, untilMs, bucketMs } = findRange(name, nowMs, nowMs - ageMs);
      expect(fromMs).toBeLessThanOrEqual(nowMs);
      expect(untilMs).toBeGreaterThan(nowMs);
      expect((untilMs - fromMs) / bucketMs).toBeLessThanOrEqual(62);
      expect((untilMs - fromMs) % bucketMs).toBe(0);
      if (name === "all") expect(fromMs).toBeLessThanOrEqual(nowMs - ageMs);
    }
  });
});
