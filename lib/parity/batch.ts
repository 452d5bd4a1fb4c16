// Compares one batch of passport ids and returns its aggregate. A batch keeps no state, so batches can run
// in any process and in any order.

import { setTimeout as pause } from "node:timers/promises";
import { type EndpointId, endpoints, pathFor } from "../contract/endpoints.ts";
import { memberAt } from "../mapping/transform.ts";
import type { Shape } from "../mapping/v2-shape.ts";
import type { Mapping, V2Endpoint } from "../records/mapping.ts";
import { emptyParity, type ParityAggregate } from "../records/parity.ts";
import { type Bodies, compareBodies, type Differences } from "./compare.ts";
import { createSemaphore } from "./limits.ts";
import type { ParityPlan } from "./plan.ts";
import type { ApiVersion, FetchBody, FetchResult } from "./request.ts";
import { findBreaches } from "./shape.ts";

export type BatchContext = {
  mapping: Mapping;
  plan: ParityPlan;
  fetchBody: FetchBody;
  /** V2's own shape. V2's responses are validated against it. */
  shape?: Shape | undefined;
  /** The delay between the two reads of V1. */
  secondReadDelayMs: number;
  /** How many passports may be in their first read at once. A low number keeps V2's read close to V1's. */
  concurrentPassports: number;
  signal?: AbortSignal;
};

const walletForm = /^0x[0-9a-fA-F]{40}$/;

/** Why a passport was not compared: the API version and a reason, such as `v2 timeout`. */
type SkippedPassport = { skipped: string };
type FirstRead = { v1: Bodies; raw: Differences; readAt: number; passportId: string };

export async function compareBatch(ids: readonly string[], context: BatchContext): Promise<ParityAggregate> {
  const aggregate = emptyParity();
  const counted: BatchContext = {
    ...context,
    fetchBody: (version, path) => {
      if (context.signal?.aborted) return Promise.resolve({ kind: "failed", why: "stopped" });
      aggregate.requests[version]++;
      return context.fetchBody(version, path);
    },
  };
  const semaphore = createSemaphore(context.concurrentPassports);
  await Promise.all(
    ids.map(async (id) => {
      await semaphore.acquire();
      const first = await readFirst(id, counted, aggregate).finally(semaphore.release);
      const pair = "skipped" in first ? first : await readSecond(id, first, counted);
      if ("skipped" in pair) increment(aggregate.skipped, pair.skipped);
      else countPair(aggregate, context.plan, pair.raw, pair.noise);
    }),
  );
  return aggregate;
}

async function readFirst(
  id: string,
  context: BatchContext,
  aggregate: ParityAggregate,
): Promise<FirstRead | SkippedPassport> {
  const { plan, mapping } = context;
  const readAt = performance.now();
  const [single, ...others] = plan.v1Endpoints;
  const passport = await context.fetchBody("v1", v1Path(single, id));
  if (passport.kind !== "ok") return skipPassport("v1", passport);
  const { passportId, wallet } = identify(id, memberAt(passport.body, [endpoints[single].records]));
  if (plan.usedVariables.has("wallet") && wallet === undefined) return { skipped: "v1 no-wallet" };
  const templateValues = new Map(Object.entries({ passport_id: passportId, wallet }));
  const [otherBodies, v2] = await Promise.all([
    readV1(others, passportId, context),
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
  if (failed) return skipPassport("v2", failed.result);
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
  const v1 = new Map([[single, passport.body], ...otherBodies.bodies]);
  const raw = compareBodies(plan.raw, v1, v2Bodies);
  for (const { endpoint, slot } of plan.responseSlots)
    raw[slot] = v2Bodies.has(endpoint) ? "equal" : "missing";
  return { v1, raw, readAt, passportId };
}

async function readSecond(
  id: string,
  { v1, raw, readAt, passportId }: FirstRead,
  context: BatchContext,
): Promise<{ raw: Differences; noise: Differences } | SkippedPassport> {
  const { plan, secondReadDelayMs, signal } = context;
  const waitMs = readAt + secondReadDelayMs - performance.now();
  if (waitMs > 0) await pause(waitMs, undefined, signal ? { signal } : {}).catch(() => {});
  const [first, ...rest] = plan.v1Endpoints;
  const [passportRead, otherBodies] = await Promise.all([
    readV1([first], id, context),
    readV1(rest, passportId, context),
  ]);
  if ("skipped" in passportRead) return passportRead;
  if ("skipped" in otherBodies) return otherBodies;
  const noise = compareBodies(plan.noise, v1, new Map([...passportRead.bodies, ...otherBodies.bodies]));
  for (const { slot } of plan.responseSlots) noise[slot] = "equal";
  return { raw, noise };
}

async function readV1(
  names: readonly EndpointId[],
  id: string,
  { fetchBody }: BatchContext,
): Promise<{ bodies: [string, unknown][] } | SkippedPassport> {
  const results = await Promise.all(names.map((name) => fetchBody("v1", v1Path(name, id))));
  const bodies: [string, unknown][] = [];
  for (const [index, result] of results.entries()) {
    if (result.kind !== "ok") return skipPassport("v1", result);
    bodies.push([names[index] ?? "", result.body]);
  }
  return { bodies };
}

const skipPassport = (version: ApiVersion, result: FetchResult): SkippedPassport => ({
  skipped: `${version} ${result.kind === "failed" ? result.why : result.kind}`,
});

const v1Path = (endpoint: EndpointId, id: string) => pathFor(endpoints[endpoint], encodeURIComponent(id));

/** The passport's id and wallet from V1's response; falls back to the requested id. */
function identify(id: string, passport: unknown): { passportId: string; wallet: string | undefined } {
  const passportIdInBody = memberAt(passport, ["passport_id"]);
  const verifiedWallets = memberAt(passport, ["verified_wallets"]);
  const candidates = [
    id,
    memberAt(passport, ["main_wallet"]),
    ...(Array.isArray(verifiedWallets) ? verifiedWallets : []),
  ];
  const wallet = candidates.find((one) => typeof one === "string" && walletForm.test(one));
  return {
    passportId: Number.isSafeInteger(passportIdInBody) ? String(passportIdInBody) : id,
    wallet: typeof wallet === "string" ? wallet : undefined,
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
