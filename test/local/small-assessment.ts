// A minimal assessment for tests of the ledger. Its state is a hash chain, so that any lost, repeated or reordered
// observation changes the result.
import { createHash } from "node:crypto";
import { dayOf, type Ledger } from "../../lib/ports.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { dayMs } from "./samples.ts";

export type Folded = { count: number; digest: string };
export const emptyState: Folded = { count: 0, digest: "" };

export function fold({ count, digest }: Folded, observation: Observation): Folded {
  const hash = createHash("sha256").update(digest).update(JSON.stringify(observation)).digest("hex");
  return { count: count + 1, digest: hash };
}

export const foldAll = (observations: readonly Observation[]) =>
  observations
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : 1))
    .reduce(fold, emptyState);

const endMs = Date.parse("2100-01-01");
const nextDay = (day: string) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

async function resume(ledger: Ledger, day: string) {
  const checkpoint = await ledger.checkpointAt(day);
  return {
    state: (checkpoint?.state as Folded | undefined) ?? emptyState,
    day: checkpoint?.day ?? "1970-01-01",
  };
}

/** The state of all observations: the newest valid checkpoint, and the observations after it. */
export async function readState(ledger: Ledger): Promise<Folded> {
  const first = (await ledger.backlog()).unassessed[0];
  const { day, ...resumed } = await resume(ledger, first ? dayOf(first.at) : "2100-01-01");
  let { state } = resumed;
  for await (const observation of ledger.observations(Date.parse(day), endMs))
    state = fold(state, observation);
  return state;
}

/** Calls `beforeCommit` between reading and committing. Returns false if another assessment committed first. */
export async function assess(ledger: Ledger, beforeCommit = async () => {}): Promise<boolean> {
  const { version, unassessed } = await ledger.backlog();
  const first = unassessed[0];
  if (!first) return true;
  let { state, day } = await resume(ledger, dayOf(first.at));
  const checkpoints = new Map<string, Folded>();
  const folded = new Set<string>();
  for await (const observation of ledger.observations(Date.parse(day), endMs)) {
    for (const today = dayOf(observation.at); day < today; ) {
      // The gap from 1970 to the first observation needs no checkpoints.
      day = day === "1970-01-01" ? today : nextDay(day);
      checkpoints.set(day, state);
    }
    state = fold(state, observation);
    folded.add(observation.id);
  }
  await beforeCommit();
  return ledger.commit({
    version,
    folded: unassessed.filter(({ id }) => folded.has(id)),
    checkpoints: [...checkpoints].map(([checkpointDay, checkpointState]) => ({
      day: checkpointDay,
      state: checkpointState,
    })),
  });
}
