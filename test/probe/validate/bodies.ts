// Bodies of V1 for tests: as documented, realistic, and mutated at random.

import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Exchange } from "../../../lib/probe/http/exchange.ts";
import type { Hasher } from "../../../lib/probe/validate/record-hashes.ts";
import { observe, readBody } from "../../../lib/probe/validate/validate-body.ts";
import type { Finding, Observation, Variant } from "../../../lib/records/observation.ts";
import { createBodies } from "../../../lib/simulator/bodies.ts";
import { createPopulation } from "../../../lib/simulator/population.ts";
import type { ProfileName } from "../../../lib/simulator/profile.ts";
import { configure } from "../../config/configure.ts";
import { fc } from "../../random.ts";

export const now = Date.UTC(2026, 10, 14, 12);
export const clock = { nowMs: now, maxSkewSeconds: 300 };

const population = createPopulation({ seed: 1, size: 120 });
const profiles = {
  documented: createBodies(population, "documented"),
  realistic: createBodies(population, "realistic"),
};

// biome-ignore lint/suspicious/noExplicitAny: tests break these bodies field by field
export type Body = any;

export function bodyOf(endpoint: EndpointId, profile: ProfileName = "documented", rank = 0): Body {
  const id = String(population.idOf(population.ranked()[rank]!));
  return profiles[profile][endpoint]({ id, keyword: "", page: 1 }, { now });
}

export const bytesOf = (body: unknown) => Buffer.from(JSON.stringify(body));

export function findingsOf(endpoint: EndpointId, body: unknown, context: object = {}): Finding[] {
  const { validation } = readBody(endpoint, bytesOf(body), "application/json", { clock, ...context });
  return validation?.findings ?? [];
}

export const idsOf = (endpoint: EndpointId, body: unknown, context: object = {}) =>
  findingsOf(endpoint, body, context).map(({ id }) => id);

export const config = configure();

type ResponseOptions = {
  status?: number;
  headers?: Record<string, string>;
  variant?: Variant;
  keyword?: string;
  /** The key in use. */
  apiKey?: string;
  atMs?: number;
  hasher?: Hasher;
};

/** The observation of a response, made without a network. */
export function observeBytes(
  endpoint: EndpointId,
  body: Uint8Array,
  response: ResponseOptions = {},
): Observation {
  const { status = 200, headers = { "content-type": "application/json" }, keyword } = response;
  const kind =
    status === 200 || status === 202 || status === 203
      ? "ok"
      : status === 401
        ? "unauthorized"
        : status < 400
          ? "redirect"
          : "status";
  const exchange: Exchange = {
    outcome: { kind, status },
    attempts: [{ kind, totalMs: 12 }],
    timings: { totalMs: 12 },
    bytes: { wire: body.length, body: body.length },
    tls: null,
    headers,
    status,
    body,
  };
  const request = {
    endpoint,
    variant: response.variant ?? ("authenticated" as const),
    tickMs: response.atMs ?? now,
    atMs: response.atMs ?? now,
    hasher: response.hasher,
    reason: "scheduled" as const,
    isPrimary: true,
    apiKey: response.apiKey,
  };
  const url = new URL("https://api.example.com/api/v1/passports");
  return observe(
    request,
    { url, isSampled: true, ...(keyword !== undefined && { keyword }) },
    exchange,
    config,
  ).observation;
}

export const anyEndpoint = fc.constantFrom(...endpointIds);

const dateTexts = [
  "2024-10-01T12:35:50.602Z",
  "2024-10-01T12:35:50+02:00",
  "2024-10-01T12:35:50",
  "2024-02-30T00:00:00Z",
  "2024-10-01",
  "1727786150",
  "",
];
const anyLeaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 0.5, 1e20, 2 ** 53, [], {}, "lens", "Activity"),
  fc.constantFrom(...dateTexts),
  fc.jsonValue({ maxDepth: 2 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anyKey = fc.oneof(
  fc.constantFrom("score", "__proto__", "constructor", "toString", "passports", "passport", "points", "slug"),
  fc.string({ maxLength: 60 }),
);

type Place = { holder: Body; key: string | number };

export function placesIn(value: Body, places: Place[] = []): Place[] {
  if (typeof value !== "object" || value === null) return places;
  for (const key of Object.keys(value)) {
    places.push({ holder: value, key });
    placesIn(value[key], places);
  }
  return places;
}

export function define(holder: Body, key: string | number, value: unknown): void {
  // An assignment to __proto__ would set the prototype and not a member.
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom("replace", "remove", "add", "rename", "everywhere"),
  key: anyKey,
  leaf: anyLeaf,
});

function applyChange(
  body: Body,
  { at, how, key, leaf }: { at: number; how: string; key: string; leaf: unknown },
) {
  const places = placesIn(body);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return;
  const { holder } = place;
  if (how === "everywhere") {
    for (const other of places) if (other.key === place.key) define(other.holder, other.key, leaf);
  } else if (how === "replace" || Array.isArray(holder)) define(holder, place.key, leaf);
  else if (how === "remove") delete holder[place.key];
  else if (how === "add") define(holder, key, leaf);
  else {
    define(holder, key, holder[place.key]);
    delete holder[place.key];
  }
}

/** A body of V1 with up to eight random changes. */
export const mutatedBody = (endpoint: EndpointId) =>
  fc
    .record({
      profile: fc.constantFrom<ProfileName>("documented", "realistic"),
      rank: fc.nat(24),
      changes: fc.array(change, { maxLength: 8 }),
    })
    .map(({ profile, rank, changes }) => {
      const body = structuredClone(bodyOf(endpoint, profile, rank));
      for (const one of changes) applyChange(body, one);
      return body;
    });
