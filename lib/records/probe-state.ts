// The state that the scheduler keeps between runs, so that the request budget is never exceeded.
import * as z from "zod";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { outcomeKinds, variants } from "./observation.ts";

export const maxRecent = 200;
export const maxMonths = 12;

const instantMs = z.int().nonnegative();
const count = z.int().nonnegative();

/**
 * Why a check has to be confirmed: an outcome other than ok, or breaking drift or a notice in an ok response.
 */
const confirmationReason = z.enum([...outcomeKinds, "drift", "notice"]).exclude(["ok"]);
export type ConfirmationReason = z.infer<typeof confirmationReason>;

export const probeState = z.strictObject({
  schema: z.literal("v1watch/probe-state/1"),
  /**
   * The number of requests sent by month (UTC), such as 2026-11. Several months are kept in case the clock is
   * set back.
   */
  spent: z.record(z.string().regex(/^\d{4}-\d{2}$/), count),
  /** The latest requests, for the burst limit. */
  recent: z.array(z.strictObject({ atMs: instantMs, requests: count })).max(maxRecent),
  endpoints: z.partialRecord(
    z.enum(endpointIds),
    z.strictObject({
      lastMs: z.partialRecord(z.enum(variants), instantMs),
      /** From Retry-After. */
      notBeforeMs: instantMs.optional(),
      /** Present while a failed check is being confirmed, and until a check succeeds. */
      confirmation: z.strictObject({ why: confirmationReason, sinceMs: instantMs }).optional(),
      /** The last heartbeat of a prober that had no request due. */
      idleMs: instantMs.optional(),
    }),
  ),
});
export type ProbeState = z.infer<typeof probeState>;

/** The state before the first request. */
export const emptyProbeState: ProbeState = {
  schema: "v1watch/probe-state/1",
  spent: {},
  recent: [],
  endpoints: {},
};

/** How often a prober that has no request due writes a heartbeat. A request counts as a heartbeat as well. */
export const heartbeatIntervalMs = 15 * 60_000;

/** A heartbeat from the future was written before the clock was set back, so it is ignored. */
function hasHeartbeatWithin(
  ms: number,
  nowMs: number,
  probeState: ProbeState,
  endpoint: EndpointId,
): boolean {
  const state = probeState.endpoints[endpoint];
  const heartbeatsMs = [state?.idleMs ?? 0, ...Object.values(state?.lastMs ?? {})];
  return heartbeatsMs.some((atMs) => Math.abs(nowMs - atMs) < ms);
}

/** A prober counts as alive until it has missed two heartbeats. */
export const isAlive = (nowMs: number, probeState: ProbeState, endpoint: EndpointId) =>
  hasHeartbeatWithin(2 * heartbeatIntervalMs, nowMs, probeState, endpoint);

/** Returns the same state while the last heartbeat is recent enough, so that most ticks write nothing. */
export function recordHeartbeat(
  probeState: ProbeState,
  tickMs: number,
  probed: readonly EndpointId[],
): ProbeState {
  const due = probed.filter(
    (endpoint) => !hasHeartbeatWithin(heartbeatIntervalMs, tickMs, probeState, endpoint),
  );
  if (due.length === 0) return probeState;
  const updated = due.map((endpoint) => [
    endpoint,
    { lastMs: {}, ...probeState.endpoints[endpoint], idleMs: tickMs },
  ]);
  return { ...probeState, endpoints: { ...probeState.endpoints, ...Object.fromEntries(updated) } };
}
