// Stores what a prober observed.
import type { Failed, Ports } from "../ports.ts";
import { type Observation, toStorable } from "../records/observation.ts";

/**
 * Undefined where everything is stored; the first failure otherwise. Every observation of a prober is stored here, on one
 * machine and in AWS.
 */
export async function recordTick(
  { ledger }: Pick<Ports, "ledger">,
  observed: readonly Observation[],
): Promise<Failed | undefined> {
  const outcomes = await Promise.all(observed.map((observation) => ledger.append(toStorable(observation))));
  return outcomes.find((outcome): outcome is Failed => outcome.kind === "failed");
}

/** More than a day of ticks at the default cadence. Limits the memory that is used while the store refuses writes. */
const maxUnsavedTicks = 200;

/** How many observations the store has saved, and how many could not be saved and are not kept. */
export type SaveCounts = { saved: number; lost: number };

/**
 * Saves in order until the store refuses; what is left stays in `unsaved`, which the process keeps for the next tick. A
 * partly saved tick is saved again; its ids prevent duplicates. What becomes of the observations is added to `counts`.
 */
export async function recordUnsavedTicks(
  ports: Pick<Ports, "ledger">,
  unsaved: Observation[][],
  counts: SaveCounts = { saved: 0, lost: 0 },
): Promise<Failed | undefined> {
  while (unsaved[0]) {
    const failed = await recordTick(ports, unsaved[0]).catch(toFailed);
    if (failed) {
      const dropped = unsaved.splice(0, Math.max(0, unsaved.length - maxUnsavedTicks));
      counts.lost += dropped.flat().length;
      return failed;
    }
    counts.saved += unsaved[0].length;
    unsaved.shift();
  }
  return undefined;
}

/** An exception of the store becomes an outcome: the next tick tries again, and saved data is not lost. */
export const toFailed = (error: unknown): Failed => ({
  kind: "failed",
  why: (error as Error)?.message ?? String(error),
});
