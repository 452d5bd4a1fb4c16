// What the planner remembers of one installation, so that V1 is never asked too often.
import * as z from "zod";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { outcomeKinds, variants } from "./observation.ts";

export const maxRecent = 200;
export const maxMonths = 12;

const instantMs = z.int().nonnegative();
const count = z.int().nonnegative();

/** Why an endpoint is asked again soon: an outcome that is not ok, or what an ok one held. */
const suspicion = z.enum([...outcomeKinds, "drift", "notice"]).exclude(["ok"]);
export type Suspicion = z.infer<typeof suspicion>;

export const probeState = z.strictObject({
  schema: z.literal("v1watch/probe-state/1"),
  /** Requests made, by month (UTC), such as 2026-11; a clock that jumps back finds its month again. */
  spent: z.record(z.string().regex(/^\d{4}-\d{2}$/), count),
  /** The latest requests, for the limit on bursts. */
  recent: z.array(z.strictObject({ atMs: instantMs, requests: count })).max(maxRecent),
  endpoints: z.partialRecord(
    z.enum(endpointIds),
    z.strictObject({
      lastMs: z.partialRecord(z.enum(variants), instantMs),
      /** From Retry-After. */
      notBeforeMs: instantMs.optional(),
      suspicion: z.strictObject({ why: suspicion, sinceMs: instantMs }).optional(),
      /** When its prober last found nothing to ask; an answer is a sign of life as well. */
      idleMs: instantMs.optional(),
    }),
  ),
});
export type ProbeState = z.infer<typeof probeState>;

// The probe state of an installation that has not asked anything yet.
export const emptyProbeState: ProbeState = {
  schema: "v1watch/probe-state/1",
  spent: {},
  recent: [],
  endpoints: {},
};

// Signs of life of a prober: an answer, or the mark of one that found nothing to ask. Without zod, for the planner.
/** A prober that has nothing to ask writes down this often that it lives. */
export const signEveryMs = 15 * 60_000;

/** A sign from far ahead was written by a clock that has since moved back: it says nothing. */
function isWithin(ms: number, nowMs: number, probeState: ProbeState, endpoint: EndpointId): boolean {
  const known = probeState.endpoints[endpoint];
  const signs = [known?.idleMs ?? 0, ...Object.values(known?.lastMs ?? {})];
  return signs.some((atMs) => Math.abs(nowMs - atMs) < ms);
}

/** Two signs in vain, and a prober is not heard any more. */
export const isAlive = (nowMs: number, probeState: ProbeState, endpoint: EndpointId) =>
  isWithin(2 * signEveryMs, nowMs, probeState, endpoint);

/** The same state where the last sign is young enough: most minutes of a prober write nothing. */
export function giveSign(probeState: ProbeState, tickMs: number, probed: readonly EndpointId[]): ProbeState {
  const quiet = probed.filter((endpoint) => !isWithin(signEveryMs, tickMs, probeState, endpoint));
  if (quiet.length === 0) return probeState;
  const signed = quiet.map((endpoint) => [
    endpoint,
    { lastMs: {}, ...probeState.endpoints[endpoint], idleMs: tickMs },
  ]);
  return { ...probeState, endpoints: { ...probeState.endpoints, ...Object.fromEntries(signed) } };
}
