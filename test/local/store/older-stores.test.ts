// A store and a table as the first release wrote them, in days with an outage, a drift, decisions, delivered alerts, and an
// incident that has not ended. They have to open.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { type AttributeValue, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { assess, type Memory } from "../../../lib/assess/assess.ts";
import { createLedger } from "../../../lib/aws/ledger.ts";
import { createOutbox } from "../../../lib/aws/outbox.ts";
import { forEach, type Item, openTable } from "../../../lib/aws/table.ts";
import { keyOf } from "../../../lib/aws/table-shape.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Ports } from "../../../lib/ports.ts";
import type { Alert } from "../../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../../lib/records/receipt.ts";
import { observationOf } from "../../assess/observation-builder.ts";
import { startDynamo } from "../../aws/dynamo-server.ts";
import { collect } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";

const readFixture = (name: string) =>
  brotliDecompressSync(readFileSync(new URL(`../../fixtures/older/${name}`, import.meta.url)));

const hourMs = 3_600_000;
const settings = {
  baseUrl: "https://api.example.com",
  monthlyRequests: 100_000,
  silentAfterMs: 3 * hourMs,
};

/** The watch goes on: a check of every endpoint each hour, an assessment, and a new process at every third one. */
async function goOn(
  ports: Pick<Ports, "ledger" | "outbox">,
  clock: { nowMs: number },
  statuses: readonly number[],
): Promise<Alert[]> {
  const sent: Alert[] = [];
  let memory: Memory = {};
  for (const [hour, status] of statuses.entries()) {
    clock.nowMs += hourMs;
    for (const endpoint of endpointIds)
      await ports.ledger.append(observationOf({ endpoint, at: clock.nowMs, status }));
    if (hour % 3 === 0) memory = {};
    await assess(
      {
        ledger: ports.ledger,
        outbox: ports.outbox,
        nowMs: () => clock.nowMs,
        readKey: async () => ({ kind: "none" }),
        receivers: [
          {
            name: "webhook",
            reachesPeople: true,
            async send(alert) {
              sent.push(alert);
              return acceptedByReceiver();
            },
          },
        ],
      },
      settings,
      memory,
    );
  }
  return sent;
}

const idsOf = (alerts: readonly Alert[]) =>
  alerts.map(({ id }) => id).filter((id) => !id.startsWith("digest-"));
const refusedThenServed = [401, 401, 401, 401, 200, 200, 200, 200];

describe("a SQLite store of the first release", () => {
  const clockOf = () => ({ nowMs: Date.parse("2026-11-06T14:00:00Z") });
  const openIncident = "maybe-retired-20261106T0800Z";

  function writeStore(change: (db: DatabaseSync) => void = () => {}): string {
    const path = join(makeFolder(), "older.db");
    writeFileSync(path, readFixture("store-9.db.br"));
    const db = new DatabaseSync(path);
    change(db);
    db.close();
    return path;
  }

  function open(path: string, clock = clockOf(), mode: "own" | "read" = "own"): Store {
    const opened = openStore(path, { mode, nowMs: () => clock.nowMs });
    if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
    return opened.store;
  }

  /** As if another version of the rules had written the checkpoints. */
  const withOtherState = (db: DatabaseSync) => {
    const rows = db.prepare("SELECT day, state FROM checkpoint").all() as {
      day: string;
      state: Uint8Array;
    }[];
    expect(rows.length).toBeGreaterThan(2);
    for (const { day, state } of rows)
      db.prepare("UPDATE checkpoint SET state = ? WHERE day = ?").run(
        gzipSync(gunzipSync(state).toString().replace("v1watch/state/4", "v1watch/state/other")),
        day,
      );
  };

  const rename = (db: DatabaseSync, name: string) => {
    for (const [table, column] of [
      ["outbox_message", "id"],
      ["outbox_message", "body"],
      ["delivery", "message_id"],
    ])
      db.exec(`UPDATE ${table} SET ${column} = replace(${column}, '${openIncident}', '${name}')`);
  };

  /** As if other rules had named the incident that has not ended. */
  const withOtherName = (db: DatabaseSync) => {
    withOtherState(db);
    rename(db, "another-name");
  };

  test("A SQLite store of the first release opens, keeps every observation, alert and decision", async () => {
    const path = writeStore();
    const before = new DatabaseSync(path);
    const count = (sql: string) =>
      (before.prepare(`SELECT count(*) AS count FROM ${sql}`).get() as { count: number }).count;
    const [stored, sent] = [count("observation"), count("sent_alert")];
    before.close();
    const store = open(path);
    expect(store.unreadable().count).toBe(0);
    const observations = await collect(store.ledger.observations(0, 1e15));
    expect(observations).toHaveLength(stored);
    expect(store.history.sentAlerts(10_000)).toHaveLength(sent);
    expect((await store.ledger.decisions()).map(({ subject }) => subject)).toEqual(["slow", openIncident]);
    store.close();
    expect(openStore(path, { mode: "read" }).kind).toBe("open");
  });

  test("A SQLite store of the first release is brought up to date for a command that only reads it", async () => {
    const reader = open(writeStore(), clockOf(), "read");
    expect(await collect(reader.ledger.observations(0, 1e15))).toHaveLength(258);
    reader.close();
  });

  test("A SQLite store of the first release announces nothing twice, and nothing of the past", async () => {
    const clock = clockOf();
    const store = open(writeStore(), clock);
    expect(idsOf(await goOn(store, clock, refusedThenServed))).toEqual([`${openIncident}/2-resolved`]);
    store.close();
  });

  test("A SQLite store of the first release with checkpoints of another schema is assessed again without a message about the past", async () => {
    const clock = clockOf();
    const store = open(writeStore(withOtherState), clock);
    expect(idsOf(await goOn(store, clock, refusedThenServed))).toEqual([`${openIncident}/2-resolved`]);
    const { state } = (await store.ledger.checkpointAt("2026-11-06")) ?? {};
    expect(state).toMatchObject({ schema: "v1watch/state/8" });
    store.close();
  });

  test("A SQLite store of the first release whose incident has another name in these rules keeps the name that people know", async () => {
    const clock = clockOf();
    const store = open(writeStore(withOtherName), clock);
    expect(idsOf(await goOn(store, clock, refusedThenServed))).toEqual(["another-name/2-resolved"]);
    store.close();
  });

  test("A SQLite store of the first release ends an announced incident that these rules do not find", async () => {
    const clock = clockOf();
    const path = writeStore((db) => {
      withOtherState(db);
      // Of a family that finds nothing in these days.
      rename(db, "slow-20261106T0800Z");
      db.exec(`UPDATE outbox_message SET body = replace(body, '"rule":"maybe-retired"', '"rule":"slow"')`);
    });
    const store = open(path, clock);
    const sent = idsOf(await goOn(store, clock, refusedThenServed));
    expect(sent.filter((id) => id.startsWith("slow-"))).toEqual(["slow-20261106T0800Z/2-resolved"]);
    // People were not told of the one that these rules find.
    expect(sent.filter((id) => id.startsWith("maybe-retired-"))).toHaveLength(2);
    store.close();
  });

  test("A SQLite store of the first release is rebuilt in parts, and a process that ends between two parts goes on with the next", async () => {
    const clock = clockOf();
    const store = open(writeStore(withOtherName), clock);
    const ports: Ports = {
      ledger: store.ledger,
      outbox: store.outbox,
      nowMs: () => clock.nowMs,
      readKey: async () => ({ kind: "none" }),
      receivers: [],
    };
    const limits = { observationsAtOnce: 1, untilMs: clock.nowMs };
    // Every run has time for one day.
    for (let run = 0; run < 3; run += 1)
      expect((await assess(ports, settings, {}, limits)).outlook).toBeUndefined();
    expect(idsOf(await goOn(store, clock, refusedThenServed))).toEqual(["another-name/2-resolved"]);
    store.close();
  });
});

describe("a DynamoDB table of the first release", async () => {
  const dynamo = await startDynamo();
  const clockOf = () => ({ nowMs: Date.parse("2026-11-05T08:00:00Z") });

  type StoredValue = { S?: string; N?: string; B?: string; M?: Record<string, StoredValue> };
  const toAttribute = (value: StoredValue): AttributeValue =>
    value.B === undefined ? (value as AttributeValue) : { B: Buffer.from(value.B, "base64") };

  async function writeTable() {
    const tableName = await dynamo.createTable();
    const items = JSON.parse(readFixture("table-9.json.br").toString()) as Record<string, StoredValue>[];
    await forEach(items, (item) =>
      dynamo.client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toAttribute(value)])),
        }),
      ),
    );
    return { tableName, retentionDays: 400, client: dynamo.client };
  }

  const openAt = (options: Awaited<ReturnType<typeof writeTable>>, clock: { nowMs: number }) => ({
    ledger: createLedger({ ...options, nowMs: () => clock.nowMs }),
    outbox: createOutbox(options),
  });

  test("A DynamoDB table of the first release is read as a whole", async () => {
    const { ledger } = openAt(await writeTable(), clockOf());
    const observations = await collect(ledger.observations(0, 1e15));
    expect(observations).toHaveLength(168);
    expect(await ledger.decisions()).toHaveLength(2);
  });

  test("A DynamoDB table of the first release with checkpoints of another schema announces nothing twice", async () => {
    const clock = clockOf();
    const options = await writeTable();
    const table = openTable(options);
    for (const day of ["2026-11-03", "2026-11-04", "2026-11-05"])
      for await (const item of table.query({
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": `checkpoint#${day}` },
      }))
        await table.put(withOtherState(item));
    const ports = openAt(options, clock);
    expect(idsOf(await goOn(ports, clock, refusedThenServed))).toEqual([
      "maybe-retired-20261105T0200Z/2-resolved",
    ]);
    expect(await ports.outbox.announced()).toEqual([]);
  });

  function withOtherState(item: Item): Item {
    const text = gunzipSync(item.bytes as Uint8Array).toString();
    expect(text).toContain("v1watch/state/4");
    const bytes = gzipSync(text.replace("v1watch/state/4", "v1watch/state/other"));
    return { ...item, ...keyOf(item), bytes };
  }
});
