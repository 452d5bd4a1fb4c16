// The queries over observation summaries and sent alerts: buckets, percentiles, pruning and ranges.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bucketMsFor, findRange } from "../../../lib/local/page/series.ts";
import type { CheckFilter } from "../../../lib/local/store/history.ts";
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

const listObservation = (minute: number, totalMs: number, change: Partial<Observation> = {}): Observation => {
  const at = new Date(startMs + minute * minuteMs).toISOString();
  return sampleObservation(0, {
    id: `passport-list/authenticated/${at}`,
    at,
    timings: { totalMs },
    ...change,
  });
};

const hour = { fromMs: startMs, untilMs: startMs + 60 * minuteMs };

describe("history", () => {
  test("counts the responses of each bucket and computes the p95 of the successful ones", async () => {
    const store = own();
    for (let minute = 0; minute < 20; minute += 1)
      await store.ledger.append(listObservation(minute, 100 + minute));
    await store.ledger.append(listObservation(31, 9_999, { outcome: { kind: "unauthorized", status: 401 } }));
    await store.ledger.append(listObservation(32, 50));
    const { total, buckets } = store.history.buckets("passport-list", hour, 30 * minuteMs);
    expect(total).toMatchObject({ responses: 22, ok: 21, unauthorized: 1, p95Ms: 118 });
    expect(buckets).toEqual([
      { index: 0, responses: 20, ok: 20, unauthorized: 0, breaking: 0, newestAgeSeconds: null, p95Ms: 118 },
      { index: 1, responses: 2, ok: 1, unauthorized: 1, breaking: 0, newestAgeSeconds: null, p95Ms: 50 },
    ]);
    store.close();
  });

  test("excludes unsent requests and 429 responses from every rate", async () => {
    const store = own();
    await store.ledger.append(listObservation(1, 1, { outcome: { kind: "no-secret" } }));
    await store.ledger.append(listObservation(2, 1, { outcome: { kind: "refused", detail: "address" } }));
    await store.ledger.append(listObservation(3, 1, { outcome: { kind: "status", status: 429 } }));
    await store.ledger.append(listObservation(4, 1));
    expect(store.history.buckets("passport-list", hour, 60 * minuteMs).total?.responses).toBe(1);
    store.close();
  });

  test("reports no age if V1's clock and ours differ too much", async () => {
    const store = own();
    const ages = { newest: 60, p50: 60, p95: 60, oldest: 60 };
    const counts = { records: 1, dated: 1, missing: 0, null: 0, future: 0, unparsable: 0, calculating: 0 };
    await store.ledger.append(listObservation(1, 1, { staleness: { ...counts, ages, muted: true } }));
    await store.ledger.append(listObservation(31, 1, { staleness: { ...counts, ages, muted: false } }));
    const [skewed, known] = store.history.buckets("passport-list", hour, 30 * minuteMs).buckets;
    expect([skewed?.newestAgeSeconds, known?.newestAgeSeconds]).toEqual([null, 60]);
    store.close();
  });

  test("prunes the summaries with their observations and keeps the sent alerts", async () => {
    const store = own();
    for (let number = 0; number < 1_440; number += 1) await store.ledger.append(sampleObservation(number));
    store.history.saveSentAlert(sampleAlert(1));
    await assess(store.ledger);
    const all = { fromMs: startMs, untilMs: startMs + 20 * dayMs };
    const count = () => store.history.buckets("passport", all, 20 * dayMs).total?.responses;
    expect(count()).toBe(480);
    // A run deletes at most its share.
    while (store.prune(startMs + 7 * dayMs) > 0);
    expect(count()).toBe(480 - 7 * 48);
    expect(store.history.sentAlerts(10)).toHaveLength(1);
    store.close();
  });

  test("returns the alerts after a sequence number, each once and in order", () => {
    const store = own();
    for (const number of [1, 2, 3, 2]) store.history.saveSentAlert(sampleAlert(number));
    const [first] = store.history.sentAlertsAfter(0, 10);
    expect(store.history.sentAlertsAfter(first?.seq ?? 0, 10).map(({ alert }) => alert.id)).toEqual(
      [2, 3].map((number) => sampleAlert(number).id),
    );
    store.close();
  });
});

describe("findRange", () => {
  test.each(["1h", "24h", "7d", "30d", "all"] as const)("%s contains the current time", (name) => {
    for (const ageMs of [0, minuteMs, dayMs, 40 * dayMs, 400 * dayMs]) {
      const nowMs = startMs + 12_345;
      const range = findRange({ range: name }, "7d", nowMs, nowMs - ageMs);
      expect(range.fromMs).toBeLessThan(nowMs);
      expect(range.untilMs).toBeGreaterThan(nowMs);
      // A young watch fills its charts.
      expect(range.fromMs).toBeGreaterThanOrEqual(nowMs - Math.max(ageMs, 10_000));
      expect((range.untilMs - range.fromMs) / bucketMsFor(range, 60)).toBeLessThanOrEqual(60);
    }
  });

  test("a selected range is kept, also where its end is left out or before its start", () => {
    const nowMs = startMs + dayMs;
    const [from, until] = [new Date(startMs).toISOString(), new Date(startMs + minuteMs).toISOString()];
    expect(findRange({ from, until }, "7d", nowMs)).toEqual({
      ...{ name: "selected", fromMs: startMs, untilMs: startMs + minuteMs },
    });
    expect(findRange({ from }, "7d", nowMs).untilMs).toBe(nowMs);
    const turned = findRange({ from: until, until: from }, "7d", nowMs);
    expect(turned.fromMs).toBeLessThan(turned.untilMs);
  });
});

describe("a filtered list of checks", () => {
  test("has the checks of the filter, newest first, and the neighbours of a check", async () => {
    const store = own();
    for (let minute = 0; minute < 30; minute += 1)
      await store.ledger.append(
        listObservation(minute, 100, minute % 10 === 3 ? { outcome: { kind: "status", status: 503 } } : {}),
      );
    const minutes = (filter: Omit<CheckFilter, "limit">) =>
      store.history
        .observationRows({ limit: 4, ...filter })
        .map(({ at }) => (Date.parse(at) - startMs) / minuteMs);
    expect(minutes({})).toEqual([29, 28, 27, 26]);
    expect(minutes({ result: "failed" })).toEqual([23, 13, 3]);
    expect(minutes({ result: "ok", beforeMs: startMs + 4 * minuteMs })).toEqual([2, 1, 0]);
    expect(
      minutes({ endpoint: "passport-list", variant: "authenticated", fromMs: startMs + 28 * minuteMs }),
    ).toEqual([29, 28]);
    expect(minutes({ endpoint: "passport" })).toEqual([]);
    const third = listObservation(3, 100);
    expect(store.history.neighbours(third)).toEqual({
      previous: listObservation(2, 1).id,
      next: listObservation(4, 1).id,
    });
    store.close();
  });
});
