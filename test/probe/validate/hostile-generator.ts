// Random responses that are built to do harm, reproduced by their seed, and the observation of many of them: a part in
// the tests, a million by `npm run soak`.
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { observation, variants } from "../../../lib/records/observation.ts";
import { naughtyStrings } from "../../naughty-strings.ts";
import { type Body, define, observeBytes, placesIn } from "./bodies.ts";
import { type HostileBody, jsonTexts, smallBody } from "./hostile-corpus.ts";

export type Random = () => number;

/** Mulberry32: small, and the same numbers on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const below = (random: Random, limit: number) => Math.floor(random() * limit);

const oddValues: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -0, -1, 0.5, 1e20, 2 ** 53, 1e308, "", "lens", "2024-02-30T00:00:00Z"].map(
    (one) => () => one,
  ),
  ...[
    () => [],
    () => ({}),
    () => [[]],
    () => [{}],
    () => ({ length: 1e9 }),
    () => Array(200).fill(0),
    () => Array(60).fill({}),
  ],
];

const baseBodies = endpointIds.flatMap((endpoint) =>
  (["documented", "realistic"] as const).flatMap((profile) =>
    [0, 1, 2, 3].map((rank) => ({ endpoint, text: JSON.stringify(smallBody(endpoint, profile, rank)) })),
  ),
);

function changeOnce(body: Body, random: Random, marks: readonly string[]): void {
  const places = placesIn(body);
  if (places.length === 0) return;
  const { holder, key } = pick(random, places);
  const text = () => (random() < 0.2 ? pick(random, marks) : pick(random, naughtyStrings));
  const value = () => (random() < 0.5 ? text() : pick(random, oddValues)());
  switch (below(random, 6)) {
    case 0:
      define(holder, key, value());
      return;
    case 1:
      if (Array.isArray(holder)) holder.push(value());
      else define(holder, text(), value());
      return;
    case 2:
      if (!Array.isArray(holder)) delete holder[key];
      return;
    case 3:
      if (Array.isArray(holder)) holder.splice(0, 1);
      else {
        define(holder, text(), holder[key]);
        delete holder[key];
      }
      return;
    case 4: {
      const shared = value();
      for (const other of places) if (other.key === key) define(other.holder, other.key, shared);
      return;
    }
    default: {
      let deep: unknown = value();
      for (let level = below(random, 80); level > 0; level--)
        deep = random() < 0.5 ? [deep] : { [text()]: deep };
      define(holder, key, deep);
    }
  }
}

/** Changes of the text that JSON.stringify cannot write: repeated keys, numbers that no double holds, escapes. */
function changeText(text: string, random: Random): string {
  switch (below(random, 6)) {
    case 0:
      return text.replace(/\{"/, `{${'"score":1,'.repeat(1 + below(random, 40))}"`);
    case 1:
      return text.replace(
        /:\d+/,
        `:${pick(random, ["1e400", "-1e999", "9007199254740993", "1E-400", "0.1e1000000000"])}`,
      );
    case 2:
      return text.replace(/"(\w)/g, (match, letter: string) =>
        random() < 0.3 ? `"\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}` : match,
      );
    case 3:
      return text.slice(0, below(random, text.length));
    case 4:
      return text + pick(random, jsonTexts);
    default:
      return pick(random, jsonTexts);
  }
}

export type GeneratedResponse = HostileBody & {
  status: number;
  headers: Record<string, string>;
  variant: (typeof variants)[number];
};

const headerNames = [
  ...[
    "content-type",
    "sunset",
    "deprecation",
    "link",
    "warning",
    "retry-after",
    "date",
    "age",
    "location",
    "ratelimit",
  ],
  ...[
    "x-api-usage-limit",
    "x-api-usage-current",
    "x-api-usage-status",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
  ],
];
const statuses = [200, 200, 200, 200, 200, 204, 301, 302, 401, 403, 404, 410, 418, 429, 500, 503];

/** One random response. `marks` are texts that must not be stored. */
export function generateResponse(random: Random, marks: readonly string[]): GeneratedResponse {
  const { endpoint, text } = pick(random, baseBodies);
  const body: Body = JSON.parse(text);
  for (let changes = below(random, 7); changes > 0; changes--) changeOnce(body, random, marks);
  let written = JSON.stringify(body);
  for (let changes = below(random, 3); changes > 0; changes--) written = changeText(written, random);
  const bytes = Buffer.from(written);
  if (random() < 0.1 && bytes.length > 0)
    for (let at = 0; at < 3; at++) bytes[below(random, bytes.length)] = below(random, 256);
  const headers: Record<string, string> = { "content-type": "application/json" };
  for (let count = below(random, 4); count > 0; count--)
    headers[pick(random, headerNames)] = random() < 0.3 ? pick(random, marks) : pick(random, naughtyStrings);
  return {
    name: "generated",
    endpoint,
    bytes,
    headers,
    status: pick(random, statuses),
    variant: pick(random, variants),
  };
}

export type HostileResult = {
  bodies: number;
  faults: string[];
  largestRecordBytes: number;
  slowestMs: number;
  slowest: string;
  outcomes: Record<string, number>;
};

const maxRecordBytes = 8_192;
export const hostileKey = "sentinel_hostile_key";
/** Marks in forms that are never kept. The key has the form of a label, which is kept where it is not the key. */
const marks = [
  hostileKey,
  hostileKey.toUpperCase(),
  `see ${hostileKey}`,
  "Sentinel Person",
  "sentinel@example.org",
  "0xsentinel",
];

/** Observes each body and counts what must not happen: an exception, an invalid or large record, a mark that is kept. */
export function observeHostile(
  responses: Iterable<HostileBody & Partial<GeneratedResponse>>,
  isHit: (record: string) => boolean = (record) => /sentinel/i.test(record),
): HostileResult {
  const result: HostileResult = {
    bodies: 0,
    faults: [],
    largestRecordBytes: 0,
    slowestMs: 0,
    slowest: "",
    outcomes: {},
  };
  for (const { name, endpoint, bytes, status, headers, variant } of responses) {
    const number = result.bodies++;
    const fault = (what: string) =>
      result.faults.length < 20 && result.faults.push(`body ${number} (${name}): ${what}`);
    try {
      const startedMs = performance.now();
      const record = observeBytes(endpoint, bytes, {
        ...(status !== undefined && { status }),
        ...(headers && { headers }),
        ...(variant && { variant }),
        apiKey: hostileKey,
      });
      const ms = performance.now() - startedMs;
      if (ms > result.slowestMs) Object.assign(result, { slowestMs: ms, slowest: name });
      const { kind } = record.outcome;
      result.outcomes[kind] = (result.outcomes[kind] ?? 0) + 1;
      const text = JSON.stringify(record);
      const size = Buffer.byteLength(text);
      result.largestRecordBytes = Math.max(result.largestRecordBytes, size);
      if (size >= maxRecordBytes) fault(`a record of ${size} bytes`);
      if (observation.safeParse(record).error) fault("an invalid record");
      if (!/^[\x20-\x7e…]+$/.test(text)) fault("a record with an unsafe character");
      if (isHit(text)) fault("a mark was kept");
    } catch (error) {
      fault(`an exception: ${(error as Error).name}`);
    }
  }
  if (Object.hasOwn(Object.prototype, "polluted")) result.faults.push("a prototype was changed");
  return result;
}

export function* generateResponses(count: number, seed: number): Generator<GeneratedResponse> {
  const random = createRandom(seed);
  for (let number = 0; number < count; number++) yield generateResponse(random, marks);
}
