// Compares one batch of ids and returns its aggregate.

import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { api, type EndpointId, endpoints, nameInRecord, pathFor } from "../contract/endpoints.ts";
import { isIdInteger } from "../contract/fields.ts";
import { memberAt } from "../mapping/transform.ts";
import type { Shape } from "../mapping/v2-shape.ts";
import type { Mapping, V2Endpoint } from "../records/mapping.ts";
import { emptyParity, type ParityAggregate } from "../records/parity.ts";
import { createSemaphore } from "../semaphore.ts";
import {
  type Bodies,
  compareBodies,
  countNumbers,
  type Differences,
  type Numbers,
  type ReadNumber,
  readNumbers,
} from "./compare.ts";
import type { ParityPlan } from "./plan.ts";
import type { ApiVersion, FetchBody, FetchResult } from "./request.ts";
import { findBreaches } from "./shape.ts";

export type BatchContext = {
  mapping: Mapping;
  plan: ParityPlan;
  fetchBody: FetchBody;
  /** V2's ids of the records of the whole run, and V1's of each, as hashes: nothing of it is stored. */
  knownIds?: Map<string, string>;
  /** V2's own shape. V2's responses are validated against it. */
  shape?: Shape | undefined;
  /** The delay between the two reads of V1. */
  secondReadDelayMs: number;
  /** How many records may be in their first read at once. A low number keeps V2's read close to V1's. */
  concurrentRecords: number;
  /** Called for each compared pair: its place in the batch, and the paths by what they show. */
  onPair?(index: number, seen: PairSeen): void;
  signal?: AbortSignal;
};

/** Paths on which V2 differs from V1 while V1 does not differ from itself, and paths on which both agree. */
export type PairSeen = { differing: string[]; equal: string[] };

/** What was received, and is not what was asked for. */
const unusable: ReadonlySet<string> = new Set(["not-json", "bad-encoding", "too-large"]);

function countAnswer({ v2 }: ParityAggregate, answer: FetchResult): FetchResult {
  if (!v2 || (answer.kind === "failed" && answer.why === "stopped")) return answer;
  const what = answer.kind === "ok" ? "200" : answer.kind === "absent" ? "404" : answer.why;
  v2.sent++;
  if (/^\d+$/.test(what) || unusable.has(what)) v2.answered++;
  if (answer.kind === "ok") v2.usable++;
  increment(v2.by, what);
  return answer;
}

/** Why a record was not compared: the API version and a reason, such as `v2 timeout`. */
type SkippedRecord = { skipped: string };
type FirstRead = { v1: Bodies; raw: Differences; v2Numbers: Numbers; readAt: number; recordId: string };
type Pair = { raw: Differences; noise: Differences; numbers: ReadonlyMap<number, ReadNumber> };

export async function compareBatch(ids: readonly string[], context: BatchContext): Promise<ParityAggregate> {
  const aggregate = emptyParity();
  const counted: Counted = {
    knownIds: new Map(),
    ...context,
    fetchBody: (version, path) => {
      if (context.signal?.aborted) return Promise.resolve({ kind: "failed", why: "stopped" });
      aggregate.requests[version]++;
      const result = context.fetchBody(version, path);
      return version === "v1" ? result : result.then((answer) => countAnswer(aggregate, answer));
    },
  };
  const semaphore = createSemaphore(context.concurrentRecords);
  const numbers: Pair["numbers"][] = [];
  await Promise.all(
    ids.map(async (id, index) => {
      await semaphore.acquire();
      const first = await readFirst(id, counted, aggregate).finally(semaphore.release);
      const pair = "skipped" in first ? first : await readSecond(id, first, counted);
      if ("skipped" in pair) increment(aggregate.skipped, pair.skipped);
      else {
        countPair(aggregate, context.plan, pair.raw, pair.noise);
        context.onPair?.(index, listSeen(context.plan, pair.raw, pair.noise));
        numbers.push(pair.numbers);
      }
    }),
  );
  for (const [slot, path] of context.plan.paths.entries()) {
    const ofField = numbers.flatMap((record) => record.get(slot) ?? []);
    const field = aggregate.fields[path];
    if (field && ofField.length > 0) field.numbers = countNumbers(ofField);
  }
  return aggregate;
}

async function readFirst(
  id: string,
  context: Counted,
  aggregate: ParityAggregate,
): Promise<FirstRead | SkippedRecord> {
  const { plan, mapping } = context;
  const readAt = performance.now();
  const [single, ...others] = plan.v1Endpoints;
  const read = await context.fetchBody("v1", v1Path(single, id));
  if (read.kind !== "ok") return skipRecord("v1", read);
  const { records } = endpoints[single];
  const record = records === "" ? read.body : memberAt(read.body, [records]);
  const { recordId, other } = identify(id, record, single);
  const { idName, otherId } = api.sample;
  if (otherId && plan.usedVariables.has(otherId.name) && other === undefined) return { skipped: noOtherId };
  const templateValues = new Map([[idName, recordId], ...(otherId ? [[otherId.name, other] as const] : [])]);
  const [otherBodies, v2] = await Promise.all([
    readV1(others, recordId, context),
    Promise.all(
      plan.v2Endpoints.map(async (name) => {
        const template = mapping.v2.endpoints[name];
        const result: FetchResult = template
          ? await context.fetchBody("v2", fillTemplate(template, templateValues))
          : { kind: "absent" };
        return { name, template, result };
      }),
    ),
  ]);
  if ("skipped" in otherBodies) return otherBodies;
  const failed = v2.find(({ result }) => result.kind === "failed");
  if (failed) return skipRecord("v2", failed.result);
  const v2Bodies = new Map<string, unknown>();
  for (const { name, template, result } of v2) {
    if (result.kind !== "ok") continue;
    v2Bodies.set(name, result.body);
    const schema = template && context.shape?.schemaOf(name, template);
    if (!schema || !context.shape) continue;
    for (const { path, kind } of findBreaches(context.shape, schema, result.body)) {
      increment(aggregate.shape, `${name} ${path} ${kind}`.slice(0, 400));
    }
  }
  const v1 = new Map([[single, read.body], ...otherBodies.bodies]);
  countIdentity(aggregate, { context, v1, v2: v2Bodies, recordId });
  const raw = compareBodies(plan.raw, v1, v2Bodies);
  for (const { endpoint, slot } of plan.responseSlots)
    raw[slot] = v2Bodies.has(endpoint) ? "equal" : "missing";
  return { v1, raw, v2Numbers: readNumbers(plan.raw, "right", v2Bodies), readAt, recordId };
}

type Counted = BatchContext & Pick<Required<BatchContext>, "knownIds">;
type NamedRecord = { context: Counted; v1: Bodies; v2: Bodies; recordId: string };

/** Texts and numbers, in small letters: addresses are written in both. */
const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.flat() : [value]).flatMap((one) =>
    (typeof one === "string" && one !== "") || typeof one === "number" ? [String(one).toLowerCase()] : [],
  );

function countIdentity({ identity }: ParityAggregate, { context, v1, v2, recordId }: NamedRecord): void {
  if (!identity) return;
  const { id, names } = context.plan.identity;
  const inV1 = new Set(names.flatMap(({ left, leftEndpoint }) => textsIn(left(v1.get(leftEndpoint)))));
  const inV2 = names.flatMap(({ right, rightEndpoint }) => textsIn(right(v2.get(rightEndpoint))));
  if (inV1.size > 0 && inV2.length > 0) {
    identity.named++;
    if (!inV2.some((name) => inV1.has(name))) identity.others++;
  }
  const [shown] = id ? textsIn(id.read(v2.get(id.endpoint))) : [];
  if (shown === undefined) return;
  const [known, own] = [shown, recordId].map((one) => hash("sha256", one, "base64").slice(0, 12)) as [
    string,
    string,
  ];
  const before = context.knownIds.get(known);
  identity.ids++;
  if (before === undefined) context.knownIds.set(known, own);
  else if (before !== own) identity.repeated++;
}

async function readSecond(
  id: string,
  { v1, raw, v2Numbers, readAt, recordId }: FirstRead,
  context: BatchContext,
): Promise<Pair | SkippedRecord> {
  const { plan, secondReadDelayMs, signal } = context;
  const waitMs = readAt + secondReadDelayMs - performance.now();
  if (waitMs > 0) await pause(waitMs, undefined, signal ? { signal } : {}).catch(() => {});
  const [first, ...rest] = plan.v1Endpoints;
  const [firstRead, otherBodies] = await Promise.all([
    readV1([first], id, context),
    readV1(rest, recordId, context),
  ]);
  if ("skipped" in firstRead) return firstRead;
  if ("skipped" in otherBodies) return otherBodies;
  const second = new Map([...firstRead.bodies, ...otherBodies.bodies]);
  const noise = compareBodies(plan.noise, v1, second);
  for (const { slot } of plan.responseSlots) noise[slot] = "equal";
  const v1Numbers = readNumbers(plan.raw, "left", v1);
  const numbers = new Map<number, ReadNumber>();
  for (const [slot, again] of readNumbers(plan.raw, "left", second)) {
    const [first, inV2] = [v1Numbers.get(slot), v2Numbers.get(slot)];
    if (first !== undefined && inV2 !== undefined) numbers.set(slot, { v1: first, again, v2: inV2 });
  }
  return { raw, noise, numbers };
}

async function readV1(
  names: readonly EndpointId[],
  id: string,
  { fetchBody }: BatchContext,
): Promise<{ bodies: [string, unknown][] } | SkippedRecord> {
  const results = await Promise.all(names.map((name) => fetchBody("v1", v1Path(name, id))));
  const bodies: [string, unknown][] = [];
  for (const [index, result] of results.entries()) {
    if (result.kind !== "ok") return skipRecord("v1", result);
    bodies.push([names[index] ?? "", result.body]);
  }
  return { bodies };
}

const skipRecord = (version: ApiVersion, result: FetchResult): SkippedRecord => ({
  skipped: `${version} ${result.kind === "failed" ? result.why : result.kind}`,
});

const v1Path = (endpoint: EndpointId, id: string) => pathFor(endpoints[endpoint], encodeURIComponent(id));

/** A record that V1 served without what V2 is asked for: V1 has answered. */
export const noOtherId = `v1 no-${api.sample.otherId?.name ?? "other-id"}`;

/** The record's id, and what is accepted in its place, from V1's response; falls back to the requested id. */
function identify(
  id: string,
  record: unknown,
  single: EndpointId,
): { recordId: string; other: string | undefined } {
  const { idForm, otherId } = api.sample;
  const name = nameInRecord(endpoints[single], endpoints[single].recordId) ?? "";
  const shown = memberAt(record, name.split("."));
  const isPlain = isIdInteger ? Number.isSafeInteger(shown) : typeof shown === "string";
  const candidates = [id, ...(otherId?.fields ?? []).flatMap((field) => memberAt(record, [field]))];
  const other = candidates.find((one) => typeof one === "string" && otherId?.form.test(one));
  return {
    recordId: isPlain && idForm.test(String(shown)) ? String(shown) : id,
    other: typeof other === "string" ? other : undefined,
  };
}

function fillTemplate(
  { path, query = {} }: V2Endpoint,
  templateValues: ReadonlyMap<string, string | undefined>,
): string {
  const fill = (template: string) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = templateValues.get(name);
      return value === undefined ? whole : encodeURIComponent(value);
    });
  const pairs = Object.entries(query).map(([name, value]) => {
    const filled = value
      .split(/(\{\w+\})/)
      .map((part) => (part.startsWith("{") ? fill(part) : encodeURIComponent(part)));
    return `${encodeURIComponent(name)}=${filled.join("")}`;
  });
  return fill(path) + (pairs.length > 0 ? `?${pairs.join("&")}` : "");
}

function listSeen({ paths }: ParityPlan, raw: Differences, noise: Differences): PairSeen {
  const steady = paths.flatMap((path, slot) => (noise[slot] === "equal" ? [{ path, inV2: raw[slot] }] : []));
  const of = (isWanted: (inV2: Differences[number]) => boolean) =>
    steady.flatMap(({ path, inV2 }) => (isWanted(inV2) ? [path] : []));
  return {
    differing: of((inV2) => inV2 !== undefined && inV2 !== "equal"),
    equal: of((inV2) => inV2 === "equal"),
  };
}

function increment(counts: Partial<Record<string, number>>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** A slot counts only if both comparisons were possible, so that both rates refer to the same pairs. */
function countPair(aggregate: ParityAggregate, plan: ParityPlan, raw: Differences, noise: Differences): void {
  aggregate.pairs++;
  for (const [slot, path] of plan.paths.entries()) {
    aggregate.fields[path] ??= { compared: 0, raw: {}, noise: {} };
    const field = aggregate.fields[path];
    const [rawResult, noiseResult] = [raw[slot], noise[slot]];
    if (rawResult === undefined || noiseResult === undefined) continue;
    field.compared++;
    if (rawResult !== "equal") increment(field.raw, rawResult);
    if (noiseResult !== "equal") increment(field.noise, noiseResult);
  }
}
