// Which observations and messages are deleted, and when.
import { describe, expect, test } from "vitest";
import { thresholds } from "../../../lib/config/thresholds.ts";
import type { Alert } from "../../../lib/records/alert.ts";
import { acceptAlerts, markDelivered, pendingIn } from "../receivers.ts";
import { collect, dayMs, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { assess, foldAll, readState } from "../small-assessment.ts";
import { openMemoryStore } from "./memory-store.ts";

/** A digest, or a message of an incident. */
const messageOf = (number: number, change: Partial<Alert> = { rule: "digest", id: `digest-${number}` }) => {
  const alert = sampleAlert(number, change);
  return { id: alert.id, kind: "alert" as const, alert };
};

type MemoryStore = ReturnType<typeof openMemoryStore>;
const all = ({ ledger }: MemoryStore) => collect(ledger.observations(0, Date.parse("2100-01-01")));

describe("retention", () => {
  /** As many runs as it takes: each deletes its share. */
  const pruneAll = (store: MemoryStore, beforeMs: number) => {
    let total = 0;
    for (let removed = store.prune(beforeMs); removed > 0; removed = store.prune(beforeMs)) total += removed;
    return total;
  };

  test("Retention deletes a tenth of the observations at the most in one run, or one day of them", async () => {
    const store = openMemoryStore();
    for (let number = 0; number < 1_440; number += 1) await store.ledger.append(sampleObservation(number));
    await assess(store.ledger);
    const endMs = startMs + 9 * dayMs;
    expect(store.prune(endMs)).toBe(144);
    expect(store.prune(endMs)).toBe(144);
    expect(pruneAll(store, endMs)).toBe(7 * 144);
  });

  test("Retention deletes observations, keeps their assessment, and refuses appends to deleted days", async () => {
    const store = openMemoryStore();
    const samples = Array.from({ length: 1_440 }, (_, number) => sampleObservation(number));
    for (const sample of samples) await store.ledger.append(sample);
    expect(store.prune(startMs + 5 * dayMs)).toBe(0);
    await assess(store.ledger);
    const state = await readState(store.ledger);
    expect(state).toEqual(foldAll(samples));
    // Only complete days are deleted: the half day after the seventh stays.
    const cutoffMs = startMs + 7 * dayMs;
    expect(pruneAll(store, cutoffMs + dayMs / 2)).toBe(7 * 144);
    expect(store.prune(cutoffMs)).toBe(0);
    expect(await all(store)).toHaveLength(1_440 - 7 * 144);
    expect(await readState(store.ledger)).toEqual(state);
    expect(await store.ledger.append(samples[0] ?? sampleObservation(0))).toEqual({ kind: "too-old" });
    const late = sampleObservation(0, { id: "late", at: new Date(cutoffMs).toISOString() });
    expect(await store.ledger.append(late)).toEqual({ kind: "new" });
    expect(await assess(store.ledger)).toBe(true);
    expect(await readState(store.ledger)).toEqual(foldAll([...samples, late]));
  });

  test("Retention deletes the ids of delivered alerts after 100 days, and keeps pending messages", async () => {
    const clock = { nowMs: startMs };
    const store = openMemoryStore(() => clock.nowMs);
    await store.outbox.subscribe([acceptAlerts()]);
    const [sentAlert, pending] = [messageOf(1), messageOf(2)];
    /** Puts the sent message again: a known id is ignored, a deleted one is pending again. */
    const findDeleted = async () => {
      await store.outbox.put([sentAlert]);
      const found = await pendingIn(store.outbox, 10);
      await markDelivered(store.outbox, sentAlert);
      return found.filter(({ id }) => id !== pending.id);
    };
    await store.ledger.append(sampleObservation(0));
    await store.ledger.append(sampleObservation(145));
    await assess(store.ledger);
    await store.outbox.put([pending]);
    expect(await findDeleted()).toEqual([sentAlert]);
    clock.nowMs = startMs + thresholds.countdownDays[0] * dayMs;
    expect(store.prune(clock.nowMs - dayMs)).toBe(1);
    expect(await findDeleted()).toEqual([]);
    clock.nowMs = startMs + 102 * dayMs;
    store.prune(clock.nowMs - dayMs);
    expect(await findDeleted()).toEqual([sentAlert]);
    // If observations are kept for longer, the ids of their alerts are kept as well.
    store.prune(startMs);
    expect(await findDeleted()).toEqual([]);
    expect(await pendingIn(store.outbox, 10)).toEqual([pending]);
  });

  test("Retention deletes nothing without a checkpoint, or while an observation of that time is not assessed", async () => {
    const store = openMemoryStore();
    for (const number of [0, 144, 288]) await store.ledger.append(sampleObservation(number));
    expect(store.prune(startMs + 9 * dayMs)).toBe(0);
    await store.ledger.commit({ version: 0, folded: [], checkpoints: [{ day: "2026-11-02", state: {} }] });
    expect(store.prune(startMs + 9 * dayMs)).toBe(0);
    expect(await store.ledger.append(sampleObservation(1))).toEqual({ kind: "new" });
    const { version, unassessed } = await store.ledger.backlog();
    // Those of the checkpoint's day need not be assessed.
    const folded = unassessed.filter(({ at }) => at < "2026-11-02");
    const checkpoints = [{ day: "2026-11-02", state: {} }];
    expect(await store.ledger.commit({ version, folded, checkpoints })).toBe(true);
    expect(store.prune(startMs + dayMs - 1)).toBe(0);
    expect(store.prune(startMs + 9 * dayMs)).toBe(2);
    expect((await all(store)).map(({ at }) => at)).toEqual([
      "2026-11-02T00:00:00.000Z",
      "2026-11-03T00:00:00.000Z",
    ]);
  });

  test("Retention keeps the limit of an earlier run that deleted more", async () => {
    const store = openMemoryStore();
    for (const number of [0, 144, 288, 432]) await store.ledger.append(sampleObservation(number));
    await assess(store.ledger);
    expect(pruneAll(store, startMs + 3 * dayMs)).toBe(3);
    expect(store.prune(startMs + dayMs)).toBe(0);
    expect(await store.ledger.append(sampleObservation(300))).toEqual({ kind: "too-old" });
    expect(await store.ledger.append(sampleObservation(432))).toEqual({ kind: "known" });
    expect(store.select("SELECT value FROM metadata WHERE name = 'pruned_before_ms'")).toEqual([
      { value: startMs + 3 * dayMs },
    ]);
  });

  test("Retention deletes more than one batch of a thousand observations in a run", async () => {
    const store = openMemoryStore();
    store.db.exec(`WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 2499)
      INSERT INTO observation SELECT n + 1, 'id-' || n, ${startMs} + n, 1, '{}' FROM number`);
    await store.ledger.append(sampleObservation(300));
    const checkpoints = [{ day: "2026-11-02", state: {} }];
    await store.ledger.commit({ version: 0, folded: [sampleObservation(300)], checkpoints });
    expect(store.prune(startMs + 9 * dayMs)).toBe(2_500);
    expect(store.select("SELECT count(*) AS count FROM observation_summary")).toEqual([{ count: 1 }]);
  });

  test("Retention of an empty store deletes nothing", () => {
    expect(openMemoryStore().prune(startMs)).toBe(0);
  });

  test("Retention deletes the deliveries of a message with it, and no other", async () => {
    const store = openMemoryStore(() => startMs + 200 * dayMs);
    await store.outbox.subscribe([acceptAlerts()]);
    await store.outbox.put([messageOf(1), messageOf(2)]);
    await markDelivered(store.outbox, messageOf(1));
    for (const number of [0, 144]) await store.ledger.append(sampleObservation(number));
    await assess(store.ledger);
    expect(store.prune(startMs + 9 * dayMs)).toBe(1);
    expect(store.select("SELECT message_id AS id FROM delivery ORDER BY id")).toEqual([
      { id: messageOf(2).id },
    ]);
    expect(store.select("SELECT id FROM outbox_message ORDER BY id")).toEqual([{ id: messageOf(2).id }]);
  });

  test("Retention keeps what was told of an incident that is open or ended lately: the page shows who got it", async () => {
    const clock = { nowMs: startMs + 200 * dayMs };
    const store = openMemoryStore(() => clock.nowMs);
    await store.outbox.subscribe([acceptAlerts()]);
    const lately = new Date(clock.nowMs - 50 * dayMs).toISOString();
    const messages = [
      messageOf(1, { id: "open/1-opened" }),
      messageOf(2, { id: "ended/1-opened" }),
      messageOf(3, { id: "ended/2-resolved", event: "resolved", at: lately }),
      messageOf(4, { id: "forgotten/1-opened" }),
      messageOf(5, { id: "forgotten/2-resolved", event: "resolved" }),
    ];
    await store.outbox.put(messages);
    for (const message of messages) await markDelivered(store.outbox, message);
    for (const number of [0, 144]) await store.ledger.append(sampleObservation(number));
    await assess(store.ledger);
    expect(store.prune(startMs + 9 * dayMs)).toBe(1);
    const kept = ["ended/1-opened", "ended/2-resolved", "open/1-opened"];
    expect(store.select("SELECT id FROM outbox_message ORDER BY id")).toEqual(kept.map((id) => ({ id })));
    expect((await store.outbox.announced()).map(({ id }) => id)).toEqual(["open/1-opened"]);
  });
});
