// What a prober saw goes into the ledger, and its metrics on their way.
import type { Failed, OutboxMessage, Ports } from "../ports.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import type { Observation, Variant } from "../records/observation.ts";
import { toDataPoints } from "./metrics.ts";

export type Tick = {
  tickMs: number;
  observations: readonly Observation[];
  /** authenticated, or anonymous where there is no key. */
  primary: Variant;
  /** Left out, everything is published with every check. */
  sparing?: {
    /** How often the latency and the age of a good check are published. */
    everyMs: number;
  };
};

/**
 * By what they tell, so that a replayed tick changes nothing, and so that of a day or of an interval only the
 * first is told: the outbox knows the id for the rest of it.
 */
export function metricsMessages({ tickMs, observations, primary, sparing }: Tick): OutboxMessage[] {
  const at = new Date(tickMs).toISOString();
  const [first] = observations;
  const isOne = observations.every(({ endpoint }) => endpoint === first?.endpoint);
  const tick = `metrics/${isOne ? first?.endpoint : "all"}/${at}`;
  const slotMs = sparing && Math.floor(tickMs / sparing.everyMs) * sparing.everyMs;
  const slot = slotMs === undefined ? undefined : new Date(slotMs).toISOString();
  const messages = new Map<string, MetricPoint[]>();
  const add = (id: string, points: readonly MetricPoint[]) => {
    if (points.length > 0) messages.set(id, [...(messages.get(id) ?? []), ...points]);
  };
  for (const observation of observations) {
    const { endpoint } = observation;
    const { now, sampled, daily } = toDataPoints(observation, primary);
    add(tick, now);
    // One by one: an age that is not known yet must not lose its place to the latency.
    for (const point of sampled) add(slot ? `metrics/${endpoint}/${point.metric}/${slot}` : tick, [point]);
    add(slot ? `metrics/${endpoint}/daily/${at.slice(0, 10)}` : tick, daily);
  }
  return [...messages].map(([id, points]) => ({ id, kind: "metrics", points }));
}

/** Undefined where all is kept; the first failure otherwise. */
export async function recordTick(
  ports: Pick<Ports, "ledger" | "outbox">,
  tick: Tick,
): Promise<Failed | undefined> {
  const outcomes = await Promise.all([
    ...tick.observations.map((observation) => ports.ledger.append(observation)),
    ports.outbox.put(metricsMessages(tick)),
  ]);
  return outcomes.find((outcome): outcome is Failed => outcome.kind === "failed");
}
