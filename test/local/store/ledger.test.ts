// The ledger of the embedded store beyond its port: refused writes, a probe state that is built again, and rows that a
// damaged file returns out of order.
import { expect, test } from "vitest";
import type { Decision } from "../../../lib/records/incident.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { collect, minuteMs, sampleObservation, startMs } from "../samples.ts";
import { openMemoryStore } from "./memory-store.ts";

const iso = (ms: number) => new Date(ms).toISOString();
const decision = (subject: string, change: Partial<Decision> = {}): Decision => ({
  schema: "v1watch/decision/1",
  kind: "ack",
  subject,
  reason: "known",
  at: iso(startMs),
  ...change,
});

test("A store that refuses writes says so, and keeps what it has", async () => {
  const { ledger, db, database } = openMemoryStore();
  await ledger.append(sampleObservation(0));
  db.exec("PRAGMA query_only = ON");
  const failed = { kind: "failed", why: "read-only" };
  expect(await ledger.append(sampleObservation(1))).toEqual(failed);
  expect(await ledger.writeProbeState(emptyProbeState, 0)).toEqual(failed);
  const status = { at: iso(startMs), expected: 1, confirmed: 1, unconfirmed: [] };
  for (const write of [
    () => ledger.decide(decision("down")),
    () => ledger.saveSubscriptionStatus(status),
    () => ledger.commit({ version: 0, folded: [], checkpoints: [] }),
  ])
    await expect(write()).rejects.toThrow("readonly");
  expect(database.health()).toEqual({ state: "DEGRADED", why: "read-only", sinceMs: startMs });
  expect(await collect(ledger.observations(0, 1e15))).toEqual([sampleObservation(0)]);
});

test("A commit drops the checkpoints after the earliest observation of any order, and keeps those of other days", async () => {
  const { ledger, select } = openMemoryStore();
  const commit = (version: number, folded: Observation[], days: string[]) =>
    ledger.commit({ version, folded, checkpoints: days.map((day) => ({ day, state: {} })) });
  const of = (day: string) => sampleObservation(0, { id: day, at: `${day}T10:00:00Z` });
  for (const day of ["2026-11-04", "2026-11-02"]) await ledger.append(of(day));
  await commit(0, [], ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-05"]);
  expect(await commit(1, [of("2026-11-04"), of("2026-11-02")], ["2026-11-06"])).toBe(true);
  expect(select("SELECT day FROM checkpoint ORDER BY day").map(({ day }) => day)).toEqual([
    ...["2026-11-01", "2026-11-02", "2026-11-06"],
  ]);
  expect(await ledger.backlog()).toEqual({ version: 2, unassessed: [] });
});

test("The backlog has the id and the time of each observation", async () => {
  const { ledger } = openMemoryStore();
  for (const number of [3, 0]) await ledger.append(sampleObservation(number));
  expect(await ledger.backlog()).toEqual({
    version: 0,
    unassessed: [sampleObservation(0), sampleObservation(3)].map(({ id, at }) => ({ id, at })),
  });
});

test("Decisions of the same time are in the order of their kind and subject, and one can be replaced", async () => {
  const { ledger } = openMemoryStore();
  const [mute, second, first] = [decision("a", { kind: "mute" }), decision("b"), decision("a")];
  const earlier = decision("z", { at: iso(startMs - 1) });
  for (const one of [mute, { ...second, reason: "other" }, second, first, earlier]) await ledger.decide(one);
  expect(await ledger.decisions()).toEqual([earlier, first, second, mute]);
});

async function openDamagedProbeState() {
  const store = openMemoryStore();
  const { ledger, db } = store;
  const attempt = { kind: "ok", totalMs: 1 } as const;
  const check = (minute: number, change: Partial<Observation>) =>
    ledger.append(
      sampleObservation(0, { id: String(minute), at: iso(startMs + minute * minuteMs), ...change }),
    );
  await check(-1, { attempts: [attempt] });
  await check(1, { attempts: [attempt, attempt] });
  await check(2, { variant: "anonymous" });
  await check(5, {});
  await check(3, { endpoint: "passport", attempts: [] });
  await ledger.writeProbeState({ ...emptyProbeState, hashKey: "key" }, 0);
  await ledger.writeProbeState(emptyProbeState, 1);
  db.exec("UPDATE probe_state SET body = 'damaged'");
  const value = {
    ...emptyProbeState,
    spent: { "2026-10": 1, "2026-11": 4 },
    endpoints: {
      "passport-list": {
        last: {
          authenticated: { atMs: startMs + 5 * minuteMs },
          anonymous: { atMs: startMs + 2 * minuteMs },
        },
      },
      passport: { last: { authenticated: { atMs: startMs + 3 * minuteMs } } },
    },
  };
  return { ...store, value };
}

test("A damaged probe state is built again from the observations, with a version that nobody has read", async () => {
  const { ledger, value } = await openDamagedProbeState();
  expect(await ledger.readProbeState()).toEqual({ value, version: 3 });
  expect(await ledger.writeProbeState(emptyProbeState, 2)).toEqual({ kind: "conflict" });
  expect(await ledger.readProbeState()).toEqual({ value, version: 3 });
  expect(await ledger.writeProbeState(emptyProbeState, 3)).toEqual({ kind: "written" });
});

test("A damaged probe state that cannot be replaced keeps its version", async () => {
  const { ledger, db, value } = await openDamagedProbeState();
  db.exec("PRAGMA query_only = ON");
  expect(await ledger.readProbeState()).toEqual({ value, version: 2 });
});

test("Observations that come again and again end with an error, and the file counts as damaged", async () => {
  const { ledger, db, database } = openMemoryStore();
  // Ids that are no text come after the text that is read of them.
  db.exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 500)
    INSERT INTO observation SELECT n, CAST(x'ff' || CAST(n AS BLOB) AS TEXT), ${startMs}, 0, '{}' FROM number;
    PRAGMA query_only = ON`);
  await expect(collect(ledger.observations(0, 1e15))).rejects.toThrow("rows are out of order");
  expect(database.damaged.aborted).toBe(true);
});
