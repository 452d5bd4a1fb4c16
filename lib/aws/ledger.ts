// The ledger on DynamoDB. An observation is one item, written once: its id is its key, so the first one wins, and the same
// write puts it into the queue of what is still to be assessed and to be published as data points.

import { randomUUID } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { dayOf, type Ledger, type Unassessed, uselessCheckpoints } from "../ports.ts";
import { storedSettings } from "../records/assessment-settings.ts";
import { decision } from "../records/incident.ts";
import { endpointIds, type Observation, readObservation } from "../records/observation.ts";
import type { ProbeState } from "../records/probe-state.ts";
import type { SubscriptionStatus } from "../records/subscription-status.ts";
import { dayMs } from "../time.ts";
import {
  readCheckpoint,
  readHead,
  removePieces,
  writeHead,
  writePieces,
  writeVersioned,
} from "./checkpoints.ts";
import {
  byOrder,
  forEach,
  type Item,
  listPartition,
  listQueue,
  openTable,
  parseBody,
  readItems,
  readOrSetAside,
  type Table,
  type TableOptions,
  tryWrite,
} from "./table.ts";
import { expiresAt, keyOf, orderKey, orderMs, tableShape, text } from "./table-shape.ts";

const { byTime, toDo } = tableShape.indexes;
const probeStateKey = { pk: "ledger", sk: "probe-state" };
const subscriptionStatusKey = { pk: "ledger", sk: "subscription-status" };
const settingsKey = { pk: "ledger", sk: "settings" };
const observationKey = (id: string) => ({ pk: `observation#${id}`, sk: "observation" });

/** DynamoDB's expiry is late by up to days; ours starts later still, so that no day is half there. */
const expirySlackDays = 2;
const lateDays = 35;

export function createLedger(options: TableOptions & { nowMs?(): number }): Ledger {
  const { retentionDays, nowMs = Date.now } = options;
  const table = openTable(options);
  /** How late an observation may come: so many days have a checkpoint each. */
  const lateMs = Math.min(retentionDays, lateDays) * dayMs;
  /** The head is written with every commit, so it stays short; the newest is what the next fold begins with. */
  function thinOut(pieces: Record<string, string>): Record<string, string> {
    const oldest = dayOf(new Date(nowMs() - lateMs).toISOString());
    const days = Object.keys(pieces);
    const newest = days.toSorted().at(-1);
    const useless = uselessCheckpoints(days);
    return Object.fromEntries(
      Object.entries(pieces).filter(([day]) => day === newest || (day >= oldest && !useless.includes(day))),
    );
  }

  return {
    async append(observation) {
      const atMs = Date.parse(observation.at);
      if (atMs < nowMs() - lateMs) return { kind: "too-old" };
      return tryWrite(async () => {
        const order = orderKey(atMs, observation.id);
        const item = {
          ...observationKey(observation.id),
          [byTime.partitionKey]: observation.endpoint,
          [byTime.sortKey]: order,
          [toDo.partitionKey]: queues.both,
          [toDo.sortKey]: order,
          [tableShape.timeToLive]: expiresAt(atMs, retentionDays + expirySlackDays),
          body: compress(observation),
        };
        const isNew = await table.put(item, { if: "attribute_not_exists(pk)" });
        return { kind: isNew ? "new" : "known" };
      });
    },
    async *observations(fromMs, untilMs) {
      yield* merge(endpointIds.map((endpoint) => readTimes(table, endpoint, fromMs, untilMs)));
    },
    async backlog() {
      // The version first: a commit after it makes ours start again.
      const { version } = await readHead(table);
      const items = await listQueues(table, [queues.both, queues.assess]);
      const unassessed = await readItems(table, items, (item): Unassessed => {
        const order = text(item, toDo.sortKey);
        return { id: order.slice(order.indexOf("#") + 1), at: new Date(orderMs(order)).toISOString() };
      });
      return { version, unassessed };
    },
    async commit({ version, folded, checkpoints }) {
      const writer = randomUUID();
      for (const checkpoint of checkpoints) await writePieces(table, checkpoint, writer);
      const head = await readHead(table);
      const firstAt = folded.map(({ at }) => at).toSorted()[0] ?? "9999";
      const kept = Object.entries(head.pieces).filter(([day]) => day <= firstAt);
      const pieces = thinOut(
        Object.fromEntries([...kept, ...checkpoints.map(({ day }) => [day, writer] as const)]),
      );
      const isOurs = head.version === version && (await writeHead(table, { version, writer, pieces }));
      const useless = isOurs ? head.pieces : Object.fromEntries(checkpoints.map(({ day }) => [day, writer]));
      if (isOurs) await forEach(folded, ({ id }) => markDone(table, id, "assess"));
      async function removeUseless(): Promise<void> {
        // Ours may count after all: written, its answer lost, and another assessment has committed since.
        const counting = isOurs ? pieces : (await readHead(table)).pieces;
        await forEach(Object.entries(useless), async ([day, name]) => {
          if (counting[day] !== name) await removePieces(table, day, name);
        });
      }
      // What fails here is litter, and no reason to do it all again.
      await removeUseless().catch(() => {});
      return isOurs;
    },
    async checkpointAt(day) {
      return readCheckpoint(table, day);
    },
    async readProbeState() {
      const item = await table.get(probeStateKey);
      return item && { value: JSON.parse(text(item, "body")) as ProbeState, version: Number(item.version) };
    },
    async writeProbeState(probeState, version) {
      return tryWrite(async () => {
        const writer = randomUUID();
        const item = {
          ...probeStateKey,
          version: version + 1,
          writer,
          body: JSON.stringify(probeState),
        };
        const isWritten = await writeVersioned(table, item, version, writer);
        return { kind: isWritten ? "written" : "conflict" };
      });
    },
    async decide(decided) {
      const sk = orderKey(Date.parse(decided.at), `${decided.kind}#${decided.subject}`);
      await table.put({ pk: "decision", sk, body: JSON.stringify(decided) });
    },
    decisions: async () => readItems(table, await listPartition(table, "decision"), parseBody(decision)),
    async saveSubscriptionStatus(status) {
      const checkedMs = Date.parse(status.at);
      // A request that is late, or arrives a second time, does not replace a later check.
      const isNewer = "attribute_not_exists(checkedMs) OR checkedMs <= :checked";
      const item = { ...subscriptionStatusKey, checkedMs, body: JSON.stringify(status) };
      await table.put(item, { if: isNewer, values: { ":checked": checkedMs } });
    },
    async subscriptionStatus() {
      const item = await table.get(subscriptionStatusKey);
      return item && (JSON.parse(text(item, "body")) as SubscriptionStatus);
    },
    async saveSettings(settings) {
      await table.put({ ...settingsKey, body: JSON.stringify(storedSettings.parse(settings)) });
    },
    async settings() {
      const item = await table.get(settingsKey);
      return item && readOrSetAside(table, item, parseBody(storedSettings));
    },
  };
}

/** DynamoDB bills by the kilobyte, and the findings of one response repeat themselves: 5 KB become 1 KB. */
const compress = (observation: Observation) => deflateRawSync(JSON.stringify(observation));
const decompress = (body: unknown): unknown => JSON.parse(inflateRawSync(body as Uint8Array).toString());

/** Undefined where the body is damaged, or is that of another item or instant than its keys say. */
function readItem(item: Item): Observation | undefined {
  const observation = readObservation(decompress(item.body));
  const isOwn =
    observation &&
    observationKey(observation.id).pk === item.pk &&
    orderKey(Date.parse(observation.at), observation.id) === item[byTime.sortKey];
  return isOwn ? observation : undefined;
}

// What is still to be done with an observation is the name of its queue in the index to-do.
const queues = { both: "assess-and-publish", assess: "assess", publish: "publish" } as const;

/** Oldest first. The index may lag behind: an item may be in the next queue already, or in none. */
async function listQueues(table: Table, names: readonly string[], limit?: number): Promise<Item[]> {
  const lists = await Promise.all(names.map((name) => listQueue(table, name, limit)));
  const keyed = new Map(lists.flat().map((item) => [text(item, "pk"), item]));
  return [...keyed.values()].sort(byOrder);
}

/**
 * To the queue of what is left, or out of both. No item ever comes back to the queue of both, so that the two steps need
 * not be one; an observation that has expired is not made anew.
 */
async function markDone(table: Table, id: string, done: "assess" | "publish"): Promise<void> {
  const left = done === "assess" ? queues.publish : queues.assess;
  const isMoved = await table.update(observationKey(id), "SET toDo = :left", {
    if: "toDo = :both",
    values: { ":left": left, ":both": queues.both },
  });
  if (isMoved) return;
  await table.update(observationKey(id), "REMOVE toDo, toDoOrder", {
    if: "toDo = :done",
    values: { ":done": queues[done] },
  });
}

/** The observations whose data points CloudWatch has not accepted yet. */
export type Unpublished = {
  /**
   * Of one endpoint, oldest first; also those of `own` ids, which the index may not list yet. Each is read when its turn
   * comes, so that a table that fails now and then does not hold back those before the failure.
   */
  each(endpoint: Observation["endpoint"], own: readonly string[]): AsyncGenerator<Observation>;
  markPublished(id: string): Promise<void>;
};

/** More than two weeks of three endpoints at the default cadence; the next run goes on. */
const maxListed = 2_000;

export function createUnpublished(options: TableOptions): Unpublished {
  const table = openTable(options);
  const isUnpublished = (item: Item) =>
    [queues.both, queues.publish].some((queue) => queue === text(item, toDo.partitionKey));
  return {
    async *each(endpoint, own) {
      const listed = await listQueues(table, [queues.both, queues.publish], maxListed);
      const ownKeys = own.map(observationKey);
      const keys = new Map([...listed.map(keyOf), ...ownKeys].map((key) => [key.pk, key]));
      const wanted = [...keys.values()].filter(({ pk }) => pk.startsWith(observationKey(`${endpoint}/`).pk));
      for (const key of wanted) {
        // The item itself tells what was published a moment ago.
        const item = await table.get(key);
        const observation = item && isUnpublished(item) && (await readOrSetAside(table, item, readItem));
        if (observation) yield observation;
      }
    },
    markPublished: (id) => markDone(table, id, "publish"),
  };
}

type Row = { order: string; observation: Observation };

async function* readTimes(
  table: Table,
  endpoint: string,
  fromMs: number,
  untilMs: number,
): AsyncGenerator<Row> {
  // DynamoDB refuses an empty range.
  if (untilMs <= fromMs) return;
  const items = table.query({
    IndexName: byTime.name,
    KeyConditionExpression: "endpoint = :endpoint AND atId BETWEEN :from AND :until",
    ExpressionAttributeValues: {
      ":endpoint": endpoint,
      ":from": orderKey(Math.max(Math.ceil(fromMs), 0)),
      // Every stored key is longer than a bare instant, so the end itself is excluded.
      ":until": orderKey(Math.min(Math.ceil(untilMs), 8.64e15)),
    },
  });
  for await (const item of items) {
    const observation = await readOrSetAside(table, item, readItem);
    if (observation) yield { order: text(item, byTime.sortKey), observation };
  }
}

async function* merge(sources: readonly AsyncGenerator<Row>[]): AsyncGenerator<Observation> {
  const heads = await Promise.all(sources.map(async (source) => ({ source, next: await source.next() })));
  while (true) {
    const [first] = heads
      .filter(({ next }) => !next.done)
      .sort((one, other) => (one.next.value.order < other.next.value.order ? -1 : 1));
    if (!first) return;
    yield first.next.value.observation;
    first.next = await first.source.next();
  }
}
