// The one step of a comparison: a batch of ids in, an aggregate out. It remembers nothing, so batches
// may run anywhere and in any order.
import { setTimeout as pause } from "node:timers/promises";
import { endpoints } from "../contract/endpoints.ts";
import { memberAt } from "../mapping/path.ts";
import type { Shape } from "../mapping/v2-shape.ts";
import type { Mapping, V2Endpoint } from "../records/mapping.ts";
import { emptyParity, type ParityAggregate } from "../records/parity.ts";
import { type Bodies, compareBodies, type Differences } from "./compare.ts";
import { createSemaphore } from "./limits.ts";
import type { LookupEndpoint, ParityPlan } from "./plan.ts";
import type { Answer, Ask, Side } from "./request.ts";
import { findBreaches } from "./v2-shape.ts";

export type BatchContext = {
  mapping: Mapping;
  plan: ParityPlan;
  ask: Ask;
  /** V2's own shape, which its answers are validated against. */
  shape?: Shape;
  /** Between the two reads of V1. */
  apartMs: number;
  /** Passports whose first read is under way at once: few, so that V2 is read soon after V1. */
  atOnce: number;
  signal?: AbortSignal;
};

const walletForm = /^0x[0-9a-fA-F]{40}$/;

/** Why a passport has no pair: the side and our own word. */
type Skip = { skipped: string };
type FirstRead = { v1: Bodies; raw: Differences; readAt: number; passportId: string };

export async function compareBatch(ids: readonly string[], context: BatchContext): Promise<ParityAggregate> {
  const aggregate = emptyParity();
  const counted: BatchContext = {
    ...context,
    ask: (side, path) => {
      if (context.signal?.aborted) return Promise.resolve({ kind: "failed", why: "stopped" });
      aggregate.requests[side]++;
      return context.ask(side, path);
    },
  };
  const gate = createSemaphore(context.atOnce);
  await Promise.all(
    ids.map(async (id) => {
      await gate.enter();
      const first = await readFirst(id, counted, aggregate).finally(gate.leave);
      const pair = "skipped" in first ? first : await readAgain(id, first, counted);
      if ("skipped" in pair) increment(aggregate.skipped, pair.skipped);
      else count(aggregate, context.plan, pair.raw, pair.noise);
    }),
  );
  return aggregate;
}

async function readFirst(
  id: string,
  context: BatchContext,
  aggregate: ParityAggregate,
): Promise<FirstRead | Skip> {
  const { plan, mapping } = context;
  const readAt = performance.now();
  const passport = await context.ask("v1", v1Path("passport", id));
  if (passport.kind !== "ok") return skip("v1", passport);
  const { passportId, wallet } = identify(id, passport.body);
  if (plan.variables.has("wallet") && wallet === undefined) return { skipped: "v1 no-wallet" };
  const known = { passport_id: passportId, wallet: wallet ?? "" };
  const [others, v2] = await Promise.all([
    readV1(plan.v1Endpoints.slice(1), passportId, context),
    Promise.all(
      plan.v2Endpoints.map(async (name) => {
        const template = mapping.v2.endpoints[name];
        const answer: Answer = template
          ? await context.ask("v2", fillTemplate(template, known))
          : { kind: "absent" };
        return { name, template, answer };
      }),
    ),
  ]);
  if ("skipped" in others) return others;
  const failed = v2.find(({ answer }) => answer.kind === "failed");
  if (failed) return skip("v2", failed.answer);
  const right = new Map<string, unknown>();
  for (const { name, template, answer } of v2) {
    if (answer.kind !== "ok") continue;
    right.set(name, answer.body);
    const schema = template && context.shape?.schemaOf(name, template);
    if (!schema || !context.shape) continue;
    for (const { path, kind } of findBreaches(context.shape, schema, answer.body)) {
      increment(aggregate.shape, `${name} ${path} ${kind}`.slice(0, 400));
    }
  }
  const v1 = new Map([["passport", passport.body], ...others.bodies]);
  const raw = compareBodies(plan.raw, v1, right);
  for (const { endpoint, slot } of plan.answers) raw[slot] = right.has(endpoint) ? "equal" : "missing";
  return { v1, raw, readAt, passportId };
}

async function readAgain(
  id: string,
  { v1, raw, readAt, passportId }: FirstRead,
  context: BatchContext,
): Promise<{ raw: Differences; noise: Differences } | Skip> {
  const { plan, apartMs, signal } = context;
  const waitMs = readAt + apartMs - performance.now();
  if (waitMs > 0) await pause(waitMs, undefined, signal ? { signal } : {}).catch(() => {});
  const [first, ...rest] = plan.v1Endpoints;
  const [own, others] = await Promise.all([
    readV1(first ? [first] : [], id, context),
    readV1(rest, passportId, context),
  ]);
  if ("skipped" in own) return own;
  if ("skipped" in others) return others;
  const noise = compareBodies(plan.noise, v1, new Map([...own.bodies, ...others.bodies]));
  for (const { slot } of plan.answers) noise[slot] = "equal";
  return { raw, noise };
}

async function readV1(
  names: readonly LookupEndpoint[],
  id: string,
  { ask }: BatchContext,
): Promise<{ bodies: [string, unknown][] } | Skip> {
  const answers = await Promise.all(names.map((name) => ask("v1", v1Path(name, id))));
  const bodies: [string, unknown][] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.kind !== "ok") return skip("v1", answer);
    bodies.push([names[index] ?? "", answer.body]);
  }
  return { bodies };
}

const skip = (side: Side, answer: Answer): Skip => ({
  skipped: `${side} ${answer.kind === "failed" ? answer.why : answer.kind}`,
});

function v1Path(name: LookupEndpoint, id: string): string {
  const { path } = endpoints[name];
  const value = encodeURIComponent(id);
  return name === "passport" ? path.replace("{id}", value) : `${path}?passport_id=${value}`;
}

/** The id as asked, or as V1 itself tells it. */
function identify(id: string, body: unknown): { passportId: string; wallet: string | undefined } {
  const told = memberAt(body, ["passport", "passport_id"]);
  const listed = memberAt(body, ["passport", "verified_wallets"]);
  const candidates = [
    id,
    memberAt(body, ["passport", "main_wallet"]),
    ...(Array.isArray(listed) ? listed : []),
  ];
  const wallet = candidates.find((one) => typeof one === "string" && walletForm.test(one));
  return {
    passportId: Number.isSafeInteger(told) ? String(told) : id,
    wallet: typeof wallet === "string" ? wallet : undefined,
  };
}

function fillTemplate({ path, query = {} }: V2Endpoint, known: Record<string, string>): string {
  const fill = (template: string) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(known, name) ? encodeURIComponent(known[name] ?? "") : whole,
    );
  const pairs = Object.entries(query).map(([name, value]) => {
    const [before = "", ...rest] = value.split(/(\{\w+\})/);
    const filled = [before, ...rest].map((part) =>
      part.startsWith("{") ? fill(part) : encodeURIComponent(part),
    );
    return `${encodeURIComponent(name)}=${filled.join("")}`;
  });
  return fill(path) + (pairs.length > 0 ? `?${pairs.join("&")}` : "");
}

function increment(counts: Partial<Record<string, number>>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** A slot counts only where both comparisons could be made, so that the two rates are of the same pairs. */
function count(aggregate: ParityAggregate, plan: ParityPlan, raw: Differences, noise: Differences): void {
  aggregate.pairs++;
  for (const [slot, path] of plan.paths.entries()) {
    aggregate.fields[path] ??= { compared: 0, raw: {}, noise: {} };
    const field = aggregate.fields[path];
    const [here, there] = [raw[slot], noise[slot]];
    if (here === undefined || there === undefined) continue;
    field.compared++;
    if (here !== "equal") increment(field.raw, here);
    if (there !== "equal") increment(field.noise, there);
  }
}
