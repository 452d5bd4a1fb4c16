// Stores what a prober observed, and puts the data points of each check into the outbox.
import type { Failed, OutboxMessage, Ports } from "../ports.ts";
import { type Observation, toStorable } from "../records/observation.ts";
import {
  type FunctionName,
  heartbeatEveryMs,
  heartbeatPoint,
  statusPoints,
  toDataPoints,
} from "./metrics.ts";
import type { AssessState } from "./state.ts";

/** One message a check, under the check's own id, so that a repeated tick publishes nothing twice. */
export function metricsMessages(observations: readonly Observation[]): OutboxMessage[] {
  return observations.flatMap((observation) => {
    const points = toDataPoints(observation);
    return points.length === 0 ? [] : [{ id: `metrics/${observation.id}`, kind: "metrics" as const, points }];
  });
}

/** In every 15 minutes the outbox accepts an id once. */
export function heartbeatMessage(name: FunctionName, tickMs: number): OutboxMessage {
  const slot = new Date(Math.floor(tickMs / heartbeatEveryMs) * heartbeatEveryMs).toISOString();
  return { id: `metrics/heartbeat/${name}/${slot}`, kind: "metrics", points: [heartbeatPoint(tickMs, name)] };
}

/**
 * Undefined where everything is stored; the first failure otherwise. Every observation of a prober is stored here, on one
 * machine and in AWS.
 */
export async function recordTick(
  ports: Pick<Ports, "ledger" | "outbox">,
  observed: readonly Observation[],
  heartbeats: readonly OutboxMessage[] = [],
): Promise<Failed | undefined> {
  const observations = observed.map(toStorable);
  const outcomes = await Promise.all([
    ...observations.map((observation) => ports.ledger.append(observation)),
    ports.outbox.put([...metricsMessages(observations), ...heartbeats]),
  ]);
  return outcomes.find((outcome): outcome is Failed => outcome.kind === "failed");
}

/** More than a day of ticks at the default cadence. Limits the memory that is used while the store refuses writes. */
const maxUnsavedTicks = 200;

/**
 * Saves in order until the store refuses; what is left stays in `unsaved`, which the process keeps for the next tick. A
 * partly saved tick is saved again; its ids prevent duplicates.
 */
export async function recordUnsavedTicks(
  ports: Pick<Ports, "ledger" | "outbox">,
  unsaved: Observation[][],
): Promise<Failed | undefined> {
  while (unsaved[0]) {
    const failed = await recordTick(ports, unsaved[0]).catch(toFailed);
    if (failed) {
      unsaved.splice(0, Math.max(0, unsaved.length - maxUnsavedTicks));
      return failed;
    }
    unsaved.shift();
  }
  return undefined;
}

/** An exception of the store becomes an outcome: the next tick tries again, and saved data is not lost. */
export const toFailed = (error: unknown): Failed => ({
  kind: "failed",
  why: (error as Error)?.message ?? String(error),
});

/** Within a slot the outbox takes an id once. */
export const slotOf = (nowMs: number, everyMs: number) =>
  new Date(Math.floor(nowMs / everyMs) * everyMs).toISOString();

/** With every heartbeat, so that CloudWatch has a data point for each of them all the time. */
export async function publishHeartbeat(ports: Ports, state: AssessState, nowMs: number): Promise<void> {
  const undelivered = await ports.outbox.undelivered().catch(() => undefined);
  const points = [
    heartbeatPoint(nowMs, "assess"),
    ...statusPoints({
      atMs: nowMs,
      openIncidents: countOpen(state),
      undeliveredAlerts: undelivered?.count,
    }),
  ];
  const id = `metrics/heartbeat/assess/${slotOf(nowMs, heartbeatEveryMs)}`;
  await ports.outbox.put([{ id, kind: "metrics", points }]);
}

const countOpen = ({ incidents }: AssessState) => incidents.filter(({ state }) => state === "firing").length;
