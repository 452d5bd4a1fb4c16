// The scheduler as the product runs it, on a virtual clock: plan, results of a made-up V1, and what is remembered.
import { expect } from "vitest";
import type { Config } from "../../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { monthOf } from "../../../lib/probe/schedule/budget.ts";
import { findNextTick, forgetDue, type Plan, planRequests } from "../../../lib/probe/schedule/plan.ts";
import { applyResults, type RequestResult } from "../../../lib/probe/schedule/probe-state.ts";
import { emptyProbeState, type ProbeState } from "../../../lib/records/probe-state.ts";
import { configure } from "../../config/configure.ts";

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
/** A midnight is a slot of the list. */
export const start = Date.UTC(2026, 10, 1);

export const usual = configure();

export const withBudget = (monthlyRequests: number, from: Config = usual): Config => ({
  ...from,
  budget: { monthlyRequests },
});
/** Beyond what validation allows, so that every limit is met often. */
export const hasty: Config = {
  ...usual,
  cadence: { calm: "1m", confirm: "10s", rare: "1h" },
  timeouts: { deadlineMs: 5_000 },
};

export type Response = Partial<
  Pick<RequestResult, "class" | "findings" | "retryAfterSeconds"> & { attempts: number }
>;
export const good: Response = { class: "ok", findings: "none" };
export const bad: Response = { class: "failed" };
export const unauthorized: Response = { class: "unauthorized" };

/** What a probe makes of a plan where V1 responds as `respond` says. */
export function carryOut(
  { requests, notSent }: Plan,
  atMs: number,
  respond: (endpoint: EndpointId, variant: RequestResult["variant"], atMs: number) => Response,
): RequestResult[] {
  const results: RequestResult[] = [];
  for (const { endpoint, variant, reason, slotMs, attempts, isIfUnauthorized } of requests) {
    const primary = results.find((row) => row.endpoint === endpoint && row.variant === "authenticated");
    if (isIfUnauthorized && primary?.class !== "unauthorized") continue;
    const { attempts: wanted = 1, ...row } = respond(endpoint, variant, atMs);
    const sent = Math.min(wanted, attempts);
    results.push({
      endpoint,
      variant,
      reason,
      atMs,
      requests: sent,
      ...row,
      ...(slotMs !== undefined && { slotMs }),
    });
  }
  for (const { endpoint, variant, reason, slotMs, notSent: why } of notSent)
    results.push({ endpoint, variant, reason, atMs, requests: 0, slotMs, notSent: why });
  return results;
}

export type Sent = { atMs: number; row: RequestResult };

/** One process, or one function for each endpoint: both as the product runs them, on a virtual clock. */
export function watch(options: {
  config?: Config;
  from?: ProbeState;
  fromMs?: number;
  untilMs: number;
  perEndpointFunctions?: boolean;
  respond(endpoint: EndpointId, variant: RequestResult["variant"], atMs: number): Response;
}): { probeState: ProbeState; sent: Sent[]; notSent: Sent[] } {
  const { config = usual, fromMs = start, untilMs, respond, perEndpointFunctions } = options;
  let probeState = options.from ?? emptyProbeState;
  const sent: Sent[] = [];
  const notSent: Sent[] = [];
  let tickMs = fromMs;
  while (tickMs < untilMs) {
    const seen = probeState;
    for (const only of perEndpointFunctions ? endpointIds : [undefined]) {
      const scope = only ? [only] : endpointIds;
      const results = carryOut(planRequests(tickMs, seen, config, only), tickMs, respond);
      for (const row of results) (row.notSent ? notSent : sent).push({ atMs: tickMs, row });
      probeState = applyResults(forgetDue(probeState, tickMs, config, scope), results, { tickMs, config });
    }
    const nextMs = perEndpointFunctions ? tickMs + minute : findNextTick(tickMs, probeState, config);
    expect(nextMs).toBeGreaterThan(tickMs);
    tickMs = nextMs;
  }
  return { probeState, sent, notSent };
}

export const sum = (rows: readonly Sent[]) => rows.reduce((total, { row }) => total + row.requests, 0);

export function spentByMonth(sent: readonly Sent[]): number[] {
  return Object.values(Object.groupBy(sent, ({ atMs }) => monthOf(atMs))).map((rows) => sum(rows ?? []));
}

export function mostInTenSeconds(sent: readonly Sent[]): number {
  let most = 0;
  let [first, total] = [0, 0];
  for (const { atMs, row } of sent) {
    total += row.requests;
    while (sent[first] && atMs - (sent[first]?.atMs ?? 0) >= 10 * second)
      total -= sent[first++]?.row.requests ?? 0;
    most = Math.max(most, total);
  }
  return most;
}

/** `minutes endpoint variant reason`, after an instant. */
export const lines = (sent: readonly Sent[], fromMs: number, untilMs = Infinity) =>
  sent
    .filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
    .map(({ atMs, row }) => `${(atMs - fromMs) / minute} ${row.endpoint} ${row.variant} ${row.reason}`);
