// What a prober saw goes into the ledger, and its metrics on their way.

import type { EndpointId } from "../contract/endpoints.ts";
import type { Failed, Parcel, Ports } from "../ports.ts";
import type { Case, Observation } from "../records/observation.ts";
import { pointsOfTick, recordAgePoints } from "./metrics.ts";

export type Tick = {
  tickMs: number;
  observations: readonly Observation[];
  /** keyed, or keyless where there is no key. */
  leading: Case;
  /** Where each endpoint has a prober of its own. */
  only?: EndpointId;
};

/** Undefined where all is kept; the first failure otherwise. A replayed tick changes nothing. */
export async function recordTick(
  ports: Pick<Ports, "ledger" | "outbox">,
  tick: Tick,
): Promise<Failed | undefined> {
  const at = new Date(tick.tickMs).toISOString();
  const parcels: Parcel[] = [
    {
      id: `metrics/${tick.only ?? "all"}/${at}`,
      kind: "metrics",
      points: pointsOfTick(tick.tickMs, tick.observations, tick.leading),
    },
  ];
  for (const observation of tick.observations) {
    const points = recordAgePoints(observation, tick.leading);
    // One a day: the outbox knows the id for the rest of it.
    if (points.length > 0) {
      parcels.push({
        id: `metrics/ages/${observation.endpoint}/${at.slice(0, 10)}`,
        kind: "metrics",
        points,
      });
    }
  }
  const outcomes = await Promise.all([
    ...tick.observations.map((observation) => ports.ledger.append(observation)),
    ports.outbox.put(parcels),
  ]);
  return outcomes.find((outcome): outcome is Failed => outcome.kind === "failed");
}
