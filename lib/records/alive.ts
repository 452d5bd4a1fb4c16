// Signs of life of a prober: an answer, or the mark of one that found nothing to ask. Without zod, for the planner.
import type { EndpointId } from "../contract/endpoints.ts";
import type { Pace } from "./pace.ts";

/** A prober that has nothing to ask writes down this often that it lives. */
export const signEveryMs = 15 * 60_000;

/** A sign from far ahead was written by a clock that has since moved back: it says nothing. */
function isWithin(ms: number, nowMs: number, pace: Pace, endpoint: EndpointId): boolean {
  const known = pace.endpoints[endpoint];
  const signs = [known?.idleMs ?? 0, ...Object.values(known?.lastMs ?? {})];
  return signs.some((atMs) => Math.abs(nowMs - atMs) < ms);
}

/** Two signs in vain, and a prober is not heard any more. */
export const isAlive = (nowMs: number, pace: Pace, endpoint: EndpointId) =>
  isWithin(2 * signEveryMs, nowMs, pace, endpoint);

/** The same pace where the last sign is young enough: most minutes of a prober write nothing. */
export function giveSign(pace: Pace, tickMs: number, probed: readonly EndpointId[]): Pace {
  const quiet = probed.filter((endpoint) => !isWithin(signEveryMs, tickMs, pace, endpoint));
  if (quiet.length === 0) return pace;
  const signed = quiet.map((endpoint) => [
    endpoint,
    { lastMs: {}, ...pace.endpoints[endpoint], idleMs: tickMs },
  ]);
  return { ...pace, endpoints: { ...pace.endpoints, ...Object.fromEntries(signed) } };
}
