// The queries over observation summaries and sent alerts: checks, pruning and ranges.
import { describe, expect, test } from "vitest";
import { bucketMsFor, findRange } from "../../../lib/local/dashboard/series.ts";
import type { CheckFilter } from "../../../lib/local/store/history.ts";
import type { Observation, Variant } from "../../../lib/records/observation.ts";
import { hourMs } from "../../../lib/time.ts";
import { fc } from "../../random.ts";
import { dayMs, minuteMs, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { assess } from "../small-assessment.ts";
import { openMemoryStore } from "./memory-store.ts";

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
  test("History reports no age if V1's clock and ours differ too much", async () => {
    const store = openMemoryStore();
    const ages = { newest: 60, p50: 60, p95: 60, oldest: 60 };
    const counts = { records: 1, dated: 1, missing: 0, null: 0, future: 0, unparsable: 0, calculating: 0 };
    await store.ledger.append(listObservation(1, 1, { staleness: { ...counts, ages, muted: true } }));
    await store.ledger.append(listObservation(31, 1, { staleness: { ...counts, ages, muted: false } }));
    const checks = store.history.checks("passport-list", hour);
    expect(checks.map(({ newestAgeSeconds }) => newestAgeSeconds)).toEqual([null, 60]);
  });

  test("History prunes the summaries with their observations and keeps the sent alerts", async () => {
    const store = openMemoryStore();
    for (let number = 0; number < 1_440; number += 1) await store.ledger.append(sampleObservation(number));
    store.history.saveSentAlert(sampleAlert(1));
    await assess(store.ledger);
    const all = { fromMs: startMs, untilMs: startMs + 20 * dayMs };
    const count = () => store.history.checks("passport", all).length;
    expect(count()).toBe(480);
    // A run deletes at most its share.
    while (store.prune(startMs + 7 * dayMs) > 0);
    expect(count()).toBe(480 - 7 * 48);
    expect(store.history.sentAlerts(10)).toHaveLength(1);
  });

  test("History returns the alerts after a sequence number, each once and in order", () => {
    const store = openMemoryStore();
    for (const number of [1, 2, 3, 2]) store.history.saveSentAlert(sampleAlert(number));
    const [first] = store.history.sentAlertsAfter(0, 10);
    expect(store.history.sentAlertsAfter(first?.seq ?? 0, 10).map(({ alert }) => alert.id)).toEqual(
      [2, 3].map((number) => sampleAlert(number).id),
    );
  });
});

describe("findRange", () => {
  const lengths = { "1h": hourMs, "24h": dayMs, "7d": 7 * dayMs, "30d": 30 * dayMs };
  const nowMs = startMs + 12_345;

  test("A range that was chosen is exactly as long as its name says, however young the watch is", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("1h", "24h", "7d", "30d"),
        fc.integer({ min: 0, max: 400 * dayMs }),
        (name, ageMs) => {
          const range = findRange({ range: name }, "7d", nowMs, nowMs - ageMs);
          expect(range).toEqual({ name, fromMs: nowMs - lengths[name], untilMs: nowMs + 1 });
          expect(Math.floor((range.untilMs - range.fromMs) / bucketMsFor(range, 60))).toBeLessThanOrEqual(60);
        },
      ),
    );
  });

  test("Without a choice the range is everything since the first check, until that is longer than the usual range", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 400 * dayMs }), (ageMs) => {
        const range = findRange({}, "7d", nowMs, nowMs - ageMs);
        const lengthMs = Math.min(ageMs, 7 * dayMs);
        expect(range).toEqual({
          name: ageMs < 7 * dayMs ? "all" : "7d",
          fromMs: nowMs - lengthMs,
          untilMs: nowMs + 1,
        });
      }),
    );
  });

  test("A selected range is kept, also where its end is left out or before its start", () => {
    const nowMs = startMs + dayMs;
    const [from, until] = [new Date(startMs).toISOString(), new Date(startMs + minuteMs).toISOString()];
    expect(findRange({ from, until }, "7d", nowMs)).toEqual({
      name: "selected",
      fromMs: startMs,
      untilMs: startMs + minuteMs,
    });
    expect(findRange({ from }, "7d", nowMs).untilMs).toBe(nowMs);
    const turned = findRange({ from: until, until: from }, "7d", nowMs);
    expect(turned.fromMs).toBeLessThan(turned.untilMs);
  });
});

describe("a filtered list of checks", () => {
  test("A filtered list of checks has the checks of the filter, newest first, and the neighbours of a check", async () => {
    const store = openMemoryStore();
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
  });
});

const drift = (level: "breaking" | "additive" | "notice", number = 0): Observation["findings"][number] => ({
  id: `passport ${level} ${number}`,
  path: "passport.score",
  kind: "missing",
  level,
  expected: "number",
  observed: "nothing",
  count: 1,
  of: 1,
});
const idAt = (minute: number) => listObservation(minute, 1).id;

describe("the checks of a span", () => {
  test("The checks of a span are the primary checks of one endpoint from the start of the span to before its end", async () => {
    const { ledger, history } = openMemoryStore();
    for (const minute of [-1, 0, 59, 60]) await ledger.append(listObservation(minute, 1));
    await ledger.append(listObservation(5, 1, { id: "other", endpoint: "passport" }));
    await ledger.append(listObservation(6, 1, { id: "anonymous", isPrimary: false }));
    const checks = history.checks("passport-list", hour);
    expect(checks.map(({ atMs }) => (atMs - startMs) / minuteMs)).toEqual([0, 59]);
    const { seq: _, ...first } = checks[0] ?? { seq: 0 };
    expect(first).toEqual({
      atMs: startMs,
      outcome: "ok",
      status: 200,
      totalMs: 1,
      newestAgeSeconds: null,
      breaking: 0,
      sample: null,
    });
    const nothing = { fromMs: 0, untilMs: startMs - minuteMs };
    expect(history.checks("passport-list", nothing)).toEqual([]);
  });

  test("The checks of a span are listed oldest first, also those that no rate includes, with their ids", async () => {
    const { ledger, history } = openMemoryStore();
    await ledger.append(listObservation(9, 1));
    await ledger.append(listObservation(3, 1, { outcome: { kind: "no-secret" } }));
    await ledger.append(listObservation(3, 1, { id: "second", outcome: { kind: "status", status: 429 } }));
    const checks = history.checks("passport-list", hour);
    expect(checks.map(({ atMs, status }) => [(atMs - startMs) / minuteMs, status])).toEqual([
      [3, null],
      [3, 429],
      [9, 200],
    ]);
    const seqs = checks.map(({ seq }) => seq);
    expect(history.checkIds([...seqs, 99])).toEqual(
      new Map([idAt(3), "second", idAt(9)].map((id, index) => [seqs[index], id])),
    );
  });
});

describe("a refusal that such a request must get", () => {
  test("An expected refusal is among the good checks and not among the failed ones", async () => {
    const store = openMemoryStore();
    const add = (minute: number, variant: Variant, status: number) =>
      store.ledger.append(
        listObservation(minute, 1, {
          variant,
          isPrimary: false,
          outcome: status === 401 ? { kind: "unauthorized" } : { kind: "status", status },
        }),
      );
    await add(1, "unknown-id", 404);
    await add(2, "unknown-id", 503);
    await add(3, "bad-key", 401);
    await add(4, "bad-key", 404);
    await add(5, "authenticated", 404);
    const minutes = (result: "ok" | "failed") =>
      store.history
        .observationRows({ limit: 9, result })
        .map(({ at, isExpected }) => [(Date.parse(at) - startMs) / minuteMs, isExpected]);
    expect(minutes("ok")).toEqual([
      [3, true],
      [1, true],
    ]);
    expect(minutes("failed")).toEqual([
      [5, false],
      [4, false],
      [2, false],
    ]);
  });
});

describe("a check in the list", () => {
  test("A check in the list has its outcome in words and its differences", async () => {
    const { ledger, history } = openMemoryStore();
    const outcome = { kind: "refused", detail: "no-sample" } as const;
    await ledger.append(listObservation(1, 7, { outcome, isPrimary: false, variant: "anonymous" }));
    const findings = [drift("breaking"), drift("additive"), drift("additive", 1), drift("notice")];
    await ledger.append(listObservation(2, 8, { findings }));
    await ledger.append(listObservation(3, 9, { outcome: { kind: "status", status: 503 } }));
    const at = (minute: number) => new Date(startMs + minute * minuteMs).toISOString();
    const common = {
      endpoint: "passport-list",
      variant: "authenticated",
      isPrimary: true,
      isExpected: false,
    };
    const counts = { breaking: 0, additive: 0 };
    const rows = [
      {
        ...common,
        ...counts,
        id: idAt(3),
        at: at(3),
        outcome: "status",
        status: 503,
        word: "503",
        totalMs: 9,
      },
      {
        ...common,
        id: idAt(2),
        at: at(2),
        outcome: "ok",
        status: 200,
        word: "ok",
        totalMs: 8,
        breaking: 1,
        additive: 2,
      },
      {
        ...common,
        ...counts,
        id: idAt(1),
        at: at(1),
        outcome: "refused",
        status: null,
        totalMs: 7,
        variant: "anonymous",
        isPrimary: false,
        word: "not requested: no sample",
      },
    ];
    expect(history.observationRows({ limit: 9 })).toEqual(rows);
    expect(history.observationRows({ limit: 9, isPrimary: false })).toEqual(rows.slice(2));
    expect(history.observationRows({ limit: 9, isPrimary: true })).toEqual(rows.slice(0, 2));
    expect(history.observationRows({ limit: 9, result: "drift" })).toEqual([rows[1]]);
    expect(history.observationRows({ limit: 9, variant: "anonymous" })).toEqual([rows[2]]);
  });

  test("A check in the list is listed also where its text is damaged, and is then no check of its own any more", async () => {
    const { ledger, history, db, select } = openMemoryStore();
    await ledger.append(listObservation(1, 7, { outcome: { kind: "timeout", detail: "headers" } }));
    db.exec("UPDATE observation SET body = 'damaged'");
    expect(history.observationRows({ limit: 9 })).toMatchObject([{ id: idAt(1), outcome: "timeout" }]);
    expect(history.observation(idAt(1))).toBeUndefined();
    expect(history.observationRows({ limit: 9 })).toEqual([]);
    expect(select("SELECT * FROM observation_summary")).toEqual([]);
  });

  test("A check in the list of the same time comes after the one that was stored later", async () => {
    const { ledger, history } = openMemoryStore();
    for (const id of ["b", "c", "a"]) await ledger.append(listObservation(1, 1, { id }));
    const ids = (limit: number) => history.observationRows({ limit }).map(({ id }) => id);
    expect(ids(9)).toEqual(["a", "c", "b"]);
    expect(ids(1)).toEqual(["a"]);
  });

  test("A check in the list is found by its id, and its neighbours are of the same endpoint and variant", async () => {
    const { ledger, history } = openMemoryStore();
    expect(history.firstMs()).toBeUndefined();
    for (const minute of [5, 2, 9, 7]) await ledger.append(listObservation(minute, 1));
    await ledger.append(listObservation(4, 1, { id: "passport", endpoint: "passport" }));
    await ledger.append(listObservation(6, 1, { id: "anonymous", variant: "anonymous" }));
    expect(history.firstMs()).toBe(startMs + 2 * minuteMs);
    expect(history.observation(idAt(5))).toEqual(listObservation(5, 1));
    expect(history.observation("unknown")).toBeUndefined();
    expect(history.neighbours(listObservation(5, 1))).toEqual({ previous: idAt(2), next: idAt(7) });
    expect(history.neighbours(listObservation(2, 1))).toEqual({ next: idAt(5) });
    expect(history.neighbours(listObservation(9, 1))).toEqual({ previous: idAt(7) });
    expect(history.neighbours({ ...listObservation(6, 1), variant: "anonymous" })).toEqual({});
  });
});

test("An observation without the values of a summary is stored, and deleted with its summary", () => {
  const { db, select } = openMemoryStore();
  db.exec("INSERT INTO observation VALUES (1, 'old', 7, 0, '{}')");
  expect(select("SELECT * FROM observation_summary")).toEqual([
    {
      at_ms: 7,
      seq: 1,
      endpoint: "",
      variant: "",
      outcome: null,
      status: null,
      total_ms: null,
      newest_age_s: null,
      breaking: 0,
      additive: 0,
      is_primary: 0,
      sample: null,
    },
  ]);
  db.exec("DELETE FROM observation");
  expect(select("SELECT * FROM observation_summary")).toEqual([]);
});

test("Sent alerts are listed newest first, and those of one incident oldest first", () => {
  const { history, db } = openMemoryStore();
  const save = (id: string, minute: number) => history.saveSentAlert(sampleAlert(minute, { id }));
  save("down-1/2-ended", 5);
  save("down-1/1-opened", 1);
  // What is known is saved once.
  save("down-1/2-ended", 5);
  save("down-10/1-opened", 2);
  save("slow-1/1-opened", 5);
  const ids = (alerts: readonly { alert: { id: string } }[]) => alerts.map(({ alert }) => alert.id);
  expect(ids(history.sentAlerts(9))).toEqual([
    ...["slow-1/1-opened", "down-1/2-ended", "down-10/1-opened", "down-1/1-opened"],
  ]);
  expect(history.sentAlerts(1)).toEqual([{ seq: 4, alert: sampleAlert(5, { id: "slow-1/1-opened" }) }]);
  expect(history.sentAlertsOf("down-1")).toEqual([
    sampleAlert(1, { id: "down-1/1-opened" }),
    sampleAlert(5, { id: "down-1/2-ended" }),
  ]);
  expect(ids(history.sentAlertsAfter(1, 2))).toEqual(["down-1/1-opened", "down-10/1-opened"]);
  db.exec("PRAGMA query_only = ON");
  expect(() => save("other", 1)).toThrow("readonly");
});
