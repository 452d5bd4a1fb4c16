// Responses of V1 with odd dates and other odd values in every field and header, observed as the prober does it, stored in
// SQLite and in DynamoDB, and read again: every observation must come back, and as it was stored.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { recordTick } from "../../../lib/assess/record-tick.ts";
import { createLedger } from "../../../lib/aws/ledger.ts";
import { createOutbox } from "../../../lib/aws/outbox.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import type { Ledger, Ports } from "../../../lib/ports.ts";
import { createHasher } from "../../../lib/probe/validate/record-hashes.ts";
import { type Observation, observation, toStorable } from "../../../lib/records/observation.ts";
import { startDynamo } from "../../aws/dynamo-server.ts";
import {
  type Body,
  bodyOf,
  bytesOf,
  define,
  now,
  observeBytes,
  placesIn,
} from "../../probe/validate/bodies.ts";
import { createRandom, type Random } from "../../probe/validate/hostile-generator.ts";

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

const dateParts = [
  ["2026", "2024", "0000", "1969", "9999", "10000", "+275760", "-000001", "26"],
  ["-11-16", "-02-29", "-02-30", "-00-00", "-13-01", "-W47-1", "-320", "1116", "-11", ""],
  ["T", "T", "T", "t", " ", ""],
  ["00", "10", "23", "24", "25", "-1", ""],
  [":00", ":59", ":60", ""],
  [":00", ":00", ":59", ":60", ""],
  ["", "", ".5", ".000", ",5", ".123456789", ".0002000000", `.${"1".repeat(40)}`],
  ["Z", "Z", "Z", "z", "", "+00:00", "-00:00", "+14:00", "+24:00", "-23:59", "+0100", "+01", " GMT"],
] as const;

/** From legal ones, such as the end of a day, to impossible ones. */
const oddDate = (random: Random) => dateParts.map((part) => pick(random, part)).join("");

const midnight = (random: Random) => `2026-11-1${Math.floor(random() * 10)}T24:00:00Z`;

const oddValues: readonly ((random: Random) => unknown)[] = [
  oddDate,
  midnight,
  (random) => Math.floor(random() * 2 ** 42),
  () => -1,
  () => 1e308,
  () => 0.1,
  () => null,
  () => true,
  () => "",
  () => "2026-11-16T10:00:00Z\0",
  () => "\u202e\ud800\u2028",
  () => "9".repeat(100_000),
  (random) => ({ date: oddDate(random), at: { at: [null] } }),
  (random) => [oddDate(random)],
  () => [],
];

const oddHeaders: Record<string, readonly ((random: Random) => string)[]> = {
  date: [
    oddDate,
    () => "Fri, 31 Dec 9999 23:59:60 GMT",
    () => "Thu, 01 Jan 1970 00:00:00 GMT",
    () => "Mon, 30 Feb 2026 10:00:00 GMT",
  ],
  sunset: [
    oddDate,
    () => "Fri, 31 Dec 9999 23:59:59 GMT",
    () => "9999-12-31T23:59:59-23:59",
    () => "1900-01-01T00:00:00+23:59",
    () => "Mon, 16 Nov 2026 24:00:00 GMT",
  ],
  deprecation: [oddDate, () => "@253402300799", () => "@99999999999999999999", () => "@-1", () => "true"],
  "retry-after": [oddDate, () => "9".repeat(30), () => "-5", () => "1e3"],
  warning: [() => '299 - "x"', () => "99999999999999999999 -", oddDate],
  age: [() => "9999999999", () => "-1"],
  "x-api-usage-limit": [() => "9".repeat(30), () => "-1", () => "0.5"],
  "x-api-usage-current": [() => "9".repeat(30), () => "1e400"],
  "x-ratelimit-remaining": [() => "-0", () => "9007199254740993"],
};

/** One response: a body of V1 in which some fields, or all fields of one name, have another value. */
function observeOdd(random: Random, number: number): Observation {
  const endpoint = pick(random, endpointIds);
  const body: Body = structuredClone(bodyOf(endpoint, pick(random, ["documented", "realistic"]), number % 5));
  const places = placesIn(body);
  const isDate = ({ key }: { key: string | number }) => /_at$/.test(String(key));
  const dates = places.filter(isDate);
  for (let changes = Math.floor(random() * 5); changes > 0; changes -= 1) {
    const from = random() < 0.5 && dates.length > 0 ? dates : places;
    const { holder, key } = pick(random, from);
    const value = pick(random, oddValues)(random);
    const isEvery = random() < 0.4;
    for (const place of isEvery ? places.filter((one) => one.key === key) : [{ holder, key }])
      define(place.holder, place.key, value);
  }
  const headers: Record<string, string> = { "content-type": "application/json" };
  for (let changes = Math.floor(random() * 3); changes > 0; changes -= 1) {
    const name = pick(random, Object.keys(oddHeaders));
    headers[name] = pick(random, oddHeaders[name] ?? [])(random);
  }
  return observeBytes(endpoint, bytesOf(body), {
    headers,
    status: pick(random, [200, 200, 200, 200, 401, 410, 429, 503]),
    atMs: now + number * 1_000,
    hasher: createHasher("odd bodies"),
    apiKey: "a-key",
  });
}

/** Whether it is the same observation, apart from what had to be left out, which has a finding then. */
function isSameCheck(read: Observation, made: Observation): boolean {
  const { id, endpoint, variant, at, outcome, timings, bytes, reason } = made;
  const own = { id, endpoint, variant, at, outcome, timings, bytes, reason };
  const isWhole = isDeepStrictEqual(read, made);
  const isReported = read.findings.some(({ kind }) => kind === "left-out");
  return isWhole || (isReported && isDeepStrictEqual({ ...own, ...pickOwn(read) }, own));
}

const pickOwn = ({ id, endpoint, variant, at, outcome, timings, bytes, reason }: Observation) => ({
  id,
  endpoint,
  variant,
  at,
  outcome,
  timings,
  bytes,
  reason,
});

/** In which a property that is undefined is absent. */
const asJson = (value: Observation): Observation => JSON.parse(JSON.stringify(value));

async function compare(name: string, made: readonly Observation[], ledger: Ledger): Promise<string[]> {
  const read = new Map<string, Observation>();
  for await (const one of ledger.observations(now - 1, now + (made.length + 1) * 1_000))
    read.set(one.id, one);
  return made.flatMap((one) => {
    const found = read.get(one.id);
    if (!found) return [`${name}: ${one.id} is lost`];
    if (!observation.safeParse(found).success) return [`${name}: ${one.id} does not fit its own schema`];
    if (!isDeepStrictEqual(found, asJson(toStorable(one))))
      return [`${name}: ${one.id} is not as it was stored`];
    return isSameCheck(found, asJson(one)) ? [] : [`${name}: ${one.id} is another check`];
  });
}

export type OddBodies = { bodies: number; leftOut: number; faults: string[] };

const tickSize = 25;

export async function readBackOddBodies(bodies: number, seed: number): Promise<OddBodies> {
  const random = createRandom(seed);
  const made = Array.from({ length: bodies }, (_, number) => observeOdd(random, number));
  const folder = mkdtempSync(join(tmpdir(), "v1watch-odd-"));
  const stops: (() => Promise<void>)[] = [];
  try {
    const dynamo = await startDynamo((stop) => stops.push(stop));
    const table = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
    const opened = openStore(join(folder, "odd.db"), { mode: "own", nowMs: () => now });
    if (opened.kind !== "open") throw new Error(`the store is ${opened.kind}`);
    const { store } = opened;
    const stores: Record<string, Pick<Ports, "ledger" | "outbox">> = {
      SQLite: store,
      DynamoDB: { ledger: createLedger({ ...table, nowMs: () => now }), outbox: createOutbox(table) },
    };
    const faults: string[] = [];
    for (const [name, ports] of Object.entries(stores)) {
      for (let from = 0; from < made.length; from += tickSize) {
        const failed = await recordTick(ports, made.slice(from, from + tickSize));
        if (failed) faults.push(`${name}: not stored: ${failed.why}`);
      }
      faults.push(...(await compare(name, made, ports.ledger)));
    }
    const { count } = store.unreadable();
    if (count > 0) faults.push(`SQLite: ${count} rows could not be read`);
    store.close();
    return { bodies, leftOut: made.filter((one) => !observation.safeParse(one).success).length, faults };
  } finally {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
