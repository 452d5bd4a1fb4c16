// The outbox of the embedded store beyond its port: who receives what, drills, and what the page shows of deliveries.
import { expect, test } from "vitest";
import { createOutbox } from "../../../lib/local/store/outbox.ts";
import type { Receiver } from "../../../lib/ports.ts";
import { type Alert, listUnresolved } from "../../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../../lib/records/receipt.ts";
import { fc } from "../../random.ts";
import { acceptAlerts, deliveredAt } from "../receivers.ts";
import { alertMessage, minuteMs, sampleAlert, startMs } from "../samples.ts";
import { openMemoryStore } from "./memory-store.ts";

const channel = (name: string, reachesPeople = true): Receiver => ({
  ...acceptAlerts(),
  name,
  reachesPeople,
});
const [email, page] = [channel("email"), channel("page", false)];
const iso = (ms: number) => new Date(ms).toISOString();
const waits = (atMs: number, why = "status 503") =>
  ({ state: "waiting", tries: 1, nextTryMs: 9_000, atMs, why }) as const;

test("The first receivers get what waits already; a later one gets what is put from then on", async () => {
  const { outbox } = openMemoryStore();
  await outbox.put([alertMessage(1)]);
  expect((await outbox.undelivered()).count).toBe(1);
  expect(await outbox.pending(email, 9)).toEqual([]);
  await outbox.subscribe([email]);
  await outbox.subscribe([email, page]);
  await outbox.put([alertMessage(2)]);
  const idsOf = async (receiver: Receiver) =>
    (await outbox.pending(receiver, 9)).map(({ message }) => message.id);
  expect(await idsOf(email)).toEqual([alertMessage(1).id, alertMessage(2).id]);
  expect(await idsOf(page)).toEqual([alertMessage(2).id]);
});

test("A receiver that is left out gets nothing more, and is not waited for", async () => {
  const { outbox, select } = openMemoryStore();
  await outbox.subscribe([email, page]);
  await outbox.put([alertMessage(1)]);
  await outbox.record(alertMessage(1), email, deliveredAt(startMs));
  expect((await outbox.undelivered()).count).toBe(1);
  await outbox.subscribe([email]);
  expect(await outbox.undelivered()).toEqual({ count: 0, oldestMs: undefined });
  await outbox.put([alertMessage(2)]);
  expect((await outbox.pending(page, 9)).map(({ message }) => message)).toEqual([alertMessage(1)]);
  expect(select("SELECT name, reaches_people FROM receiver")).toEqual([{ name: "email", reaches_people: 1 }]);
});

test("The same receivers in another order write nothing; one that reaches people from now on does", async () => {
  const { outbox, db, select } = openMemoryStore();
  await outbox.subscribe([email, page]);
  db.exec("PRAGMA query_only = ON");
  await outbox.subscribe([page, email]);
  await expect(outbox.subscribe([email, channel("page")])).rejects.toThrow("readonly");
  await expect(outbox.subscribe([email])).rejects.toThrow("readonly");
  await outbox.subscribe([]);
  db.exec("PRAGMA query_only = OFF");
  await outbox.subscribe([email, channel("page")]);
  expect(select("SELECT reaches_people FROM receiver")).toEqual([
    { reaches_people: 1 },
    { reaches_people: 1 },
  ]);
});

test("A message stays undelivered until every receiver has accepted it or does not want it", async () => {
  const { outbox } = openMemoryStore();
  await outbox.subscribe([email, page]);
  await outbox.put([alertMessage(1), alertMessage(2)]);
  expect(await outbox.undelivered()).toEqual({ count: 2, oldestMs: startMs + minuteMs });
  await outbox.record(alertMessage(1), email, deliveredAt(1));
  expect((await outbox.undelivered()).count).toBe(2);
  await outbox.record(alertMessage(1), page, { state: "unwanted", atMs: 1 });
  expect(await outbox.undelivered()).toEqual({ count: 1, oldestMs: startMs + 2 * minuteMs });
});

const events = ["opened", "changed", "reminder", "resolved", "acknowledged"] as const;
const alertsPut = fc.array(
  fc.record({
    incident: fc.nat(3),
    event: fc.constantFrom(...events),
    // A clock is corrected, too.
    minutes: fc.oneof(fc.nat(2), fc.integer({ min: -1_200, max: 1_200 })),
    replaces: fc.option(fc.nat(3), { nil: undefined, freq: 4 }),
    fate: fc.constantFrom("stays", "stays", "stays", "damaged", "damaged"),
  }),
  { maxLength: 14 },
);

test("What is announced is the latest alert of each incident without a RESOLVED, after whatever was put, discarded or damaged", async () => {
  await fc.assert(
    fc.asyncProperty(alertsPut, async (steps) => {
      const { outbox, db } = openMemoryStore();
      await outbox.subscribe([email]);
      const kept: Alert[] = [];
      const hasReplacements = steps.some(({ replaces }) => replaces !== undefined);
      let minute = 0;
      for (const [number, { incident, event, minutes, replaces, fate }] of steps.entries()) {
        minute += minutes;
        const id = `incident-${incident}/${number + 1}-${event}`;
        const supersedes =
          replaces === undefined || replaces === incident ? undefined : [`incident-${replaces}`];
        // The RESOLVED that was put has ended its incident, whatever becomes of its text.
        const isKept = fate === "stays" || event === "resolved" || hasReplacements;
        const alert = sampleAlert(minute, { id, event, supersedes: isKept ? supersedes : undefined });
        const message = { id, kind: "alert" as const, alert };
        await outbox.put([message]);
        if (isKept) kept.push(alert);
        else db.prepare("UPDATE outbox_message SET body = 'damaged' WHERE id = ?").run(id);
      }
      const byId = (alerts: readonly Alert[]) => alerts.map(({ id }) => id).toSorted();
      expect(byId(await outbox.announced())).toEqual(byId(listUnresolved(kept)));
    }),
    { numRuns: 200 },
  );
});

test("What a tick asks of the outbox is answered from an index, however many messages were delivered", async () => {
  const { db, database, rows } = openMemoryStore();
  const asked = new Set<string>();
  const noted: typeof database = {
    ...database,
    all: (sql, ...values) => database.all(asked.add(sql) && sql, ...values),
    get: (sql, ...values) => database.get(asked.add(sql) && sql, ...values),
  };
  const outbox = createOutbox(noted, rows);
  await outbox.subscribe([email]);
  await outbox.put([alertMessage(1)]);
  asked.clear();
  await outbox.announced();
  await outbox.undelivered();
  await outbox.pending(email, 9);
  await outbox.status(email);
  outbox.lastProof();
  expect(asked.size).toBeGreaterThan(7);
  for (const sql of asked) {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    const ofAll = /^SCAN (?:outbox_message|delivery|[dm])$|PRIMARY KEY \(receiver=\?\)$/;
    expect(
      steps.map(({ detail }) => detail).filter((detail) => ofAll.test(detail)),
      sql,
    ).toEqual([]);
  }
});

test("At most 100 undelivered alerts are counted", async () => {
  const { outbox } = openMemoryStore();
  await outbox.put(Array.from({ length: 101 }, (_, number) => alertMessage(number)));
  expect(await outbox.undelivered()).toEqual({ count: 100, oldestMs: startMs });
});

test("The status of a receiver has the first failure, the latest cause and the latest delivery", async () => {
  const { outbox } = openMemoryStore();
  await outbox.subscribe([email, page]);
  await outbox.put([1, 2, 3, 4].map(alertMessage));
  expect(await outbox.status(email)).toEqual({ waiting: 4, setAside: [] });
  await outbox.record(alertMessage(2), email, waits(5_000, "timeout"));
  await outbox.record(alertMessage(1), email, waits(6_000));
  await outbox.record(alertMessage(2), email, { ...waits(7_000, "dns"), tries: 2 });
  await outbox.record(alertMessage(3), email, deliveredAt(8_000));
  await outbox.record(alertMessage(4), email, deliveredAt(7_500));
  expect(await outbox.status(email)).toEqual({
    waiting: 2,
    failing: { since: iso(5_000), why: "dns" },
    setAside: [],
    deliveredAt: iso(8_000),
  });
  expect(await outbox.status(page)).toEqual({ waiting: 4, setAside: [] });
  // A message that was accepted in the end is no failure any more.
  await outbox.record(alertMessage(2), email, deliveredAt(9_000));
  expect(await outbox.status(email)).toMatchObject({
    waiting: 1,
    failing: { since: iso(6_000), why: "status 503" },
  });
  expect(outbox.deliveriesOf(alertMessage(2).id)[0]).toMatchObject({ state: "delivered", why: null });
});

test("The latest 20 messages that were given up are named, the latest first", async () => {
  const { outbox } = openMemoryStore();
  await outbox.subscribe([email]);
  const messages = Array.from({ length: 21 }, (_, number) => alertMessage(number));
  await outbox.put(messages);
  for (const [number, message] of messages.entries())
    await outbox.record(message, email, { state: "set-aside", atMs: number, tries: 3, why: "status 400" });
  const { setAside, waiting } = await outbox.status(email);
  expect(waiting).toBe(0);
  expect(setAside.map(({ id }) => id)).toEqual(
    messages
      .slice(1)
      .toReversed()
      .map(({ id }) => id),
  );
  expect(setAside[0]).toEqual({ id: alertMessage(20).id, at: iso(20), why: "status 400" });
});

test("The deliveries of an incident or of one alert are listed by time and channel, without unwanted ones", async () => {
  const { outbox } = openMemoryStore();
  await outbox.subscribe([page, email]);
  const message = (id: string, number: number) => ({
    id,
    kind: "alert" as const,
    alert: sampleAlert(number, { id }),
  });
  const [opened, ended] = [message("down-1/1-opened", 1), message("down-1/2-ended", 5)];
  const others = [message("down-10/1-opened", 2), message("down-1", 3)];
  await outbox.put([ended, opened, ...others]);
  await outbox.record(opened, email, waits(5_000));
  await outbox.record(ended, page, { state: "unwanted", atMs: 1 });
  const waiting = { state: "waiting", tries: 0, at: null, why: null };
  const rows = [
    { alert: opened.id, channel: "email", state: "waiting", tries: 1, at: iso(5_000), why: "status 503" },
    { alert: opened.id, channel: "page", ...waiting },
    { alert: "down-1", channel: "email", ...waiting },
    { alert: "down-1", channel: "page", ...waiting },
    { alert: ended.id, channel: "email", ...waiting },
  ];
  expect(outbox.deliveriesOf("down-1")).toEqual(rows);
  expect(outbox.deliveriesOf(opened.id)).toEqual(rows.slice(0, 2));
  expect(outbox.deliveriesOf("down")).toEqual([]);
});

test("A drill proves the channels that accepted it and reach people", async () => {
  const { outbox } = openMemoryStore();
  expect(outbox.lastProof()).toBe("none");
  const drill = sampleAlert(3, { id: "drill-1", event: "drill" });
  await outbox.recordDrill(drill, [{ name: "page", reachesPeople: false, receipts: acceptedByReceiver() }]);
  expect(outbox.lastProof()).toBe("none");
  await outbox.recordDrill(drill, [{ name: "email", reachesPeople: true, receipts: acceptedByReceiver() }]);
  const atMs = Date.parse(drill.at);
  expect(outbox.lastProof()).toEqual({ atMs, isDrill: true, channel: "email" });
  expect(outbox.deliveriesOf("drill-1")).toEqual(
    ["email", "page"].map((name) => ({
      alert: "drill-1",
      channel: name,
      state: "delivered",
      tries: 0,
      at: drill.at,
      why: null,
    })),
  );
  expect((await outbox.undelivered()).count).toBe(0);
  // An alert that people got later is the proof from then on.
  await outbox.subscribe([email, page]);
  await outbox.put([alertMessage(1)]);
  await outbox.record(alertMessage(1), page, deliveredAt(atMs + 2));
  expect(outbox.lastProof()).toMatchObject({ isDrill: true });
  await outbox.record(alertMessage(1), email, deliveredAt(atMs + 1));
  expect(outbox.lastProof()).toEqual({ atMs: atMs + 1, isDrill: false, channel: "email" });
});

test("A proof counts also where the text of its alert is damaged", async () => {
  const { outbox, db } = openMemoryStore();
  await outbox.recordDrill(sampleAlert(1, { event: "drill" }), [
    { name: "email", reachesPeople: true, receipts: acceptedByReceiver() },
  ]);
  db.exec("UPDATE outbox_message SET body = 'damaged'");
  expect(outbox.lastProof()).toMatchObject({ isDrill: false, channel: "email" });
});

test("A store that refuses writes keeps nothing, says so, and accepts the same messages later", async () => {
  const { outbox, db, database } = openMemoryStore();
  await outbox.subscribe([email]);
  db.exec("PRAGMA query_only = ON");
  expect(await outbox.put([alertMessage(1)])).toEqual({ kind: "failed", why: "read-only" });
  await expect(outbox.record(alertMessage(1), email, waits(1))).rejects.toThrow("readonly");
  await expect(outbox.recordDrill(sampleAlert(1), [])).rejects.toThrow("readonly");
  expect(database.health()).toEqual({ state: "DEGRADED", why: "read-only", sinceMs: startMs });
  db.exec("PRAGMA query_only = OFF");
  expect(await outbox.put([alertMessage(1)])).toEqual({ kind: "kept" });
  expect(database.health()).toEqual({ state: "ok" });
  expect((await outbox.undelivered()).count).toBe(1);
});
