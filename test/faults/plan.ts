// Which call of which port fails, and how: decided by a seed alone. Every port method and every channel has numbered calls
// of its own, so that the faults of one do not depend on the order in which the others are called.
import { HOUR, unit } from "../stories/types.ts";

export type FaultKind =
  /** The call has no effect, and fails. */
  | "error"
  /** The call takes its time, so that others overtake it. */
  | "delay"
  /** The call has its effect twice. */
  | "duplicate"
  /** The call has its effect, and fails. */
  | "lost-answer"
  /** The call has a part of its effect, and fails. */
  | "partial"
  /** What the call is given arrives in another order. */
  | "order";

export type FaultPlan = {
  /** The fault of the next call of this port method, if any: one of those that are possible. */
  draw(call: string, possible: readonly FaultKind[]): FaultKind | undefined;
  /** A number from 0 to 1 for the latest call of this port method. */
  chance(call: string): number;
  /** From now on nothing fails any more. */
  end(): void;
  /** How often each kind of fault was drawn for each port method. */
  drawn: ReadonlyMap<string, ReadonlyMap<FaultKind, number>>;
};

export type Outage = { port: string; fromMs: number; untilMs: number };

export type PlanOptions = {
  seed: number;
  /** The share of calls with a fault. */
  share: number;
  /** The share of hours in which a port fails nearly always. */
  outShare?: number;
  /** Times in which a port fails always: "outbox" is all of its methods. */
  outages?: readonly Outage[];
  nowMs(): number;
};

/** While a port is out, so many of its calls fail. */
const failingWhileOut = 0.9;

export function planFaults({ seed, share, outShare = 0, outages = [], nowMs }: PlanOptions): FaultPlan {
  const calls = new Map<string, number>();
  const drawn = new Map<string, Map<FaultKind, number>>();
  let isEnded = false;
  const random = (call: string, what: string) => unit(seed, call, what, calls.get(call) ?? 0);
  /** All methods of a port are out together: "outbox.put" belongs to "outbox". */
  function isOut(call: string): boolean {
    const port = call.split(".")[0] ?? "";
    const atMs = nowMs();
    if (outages.some((one) => one.port === port && one.fromMs <= atMs && atMs < one.untilMs)) return true;
    const isOutHour = unit(seed, "out", port, Math.floor(atMs / HOUR)) < outShare;
    return isOutHour && random(call, "out") < failingWhileOut;
  }

  function choose(call: string, possible: readonly FaultKind[]): FaultKind | undefined {
    if (isEnded) return undefined;
    if (possible.includes("error") && isOut(call)) return "error";
    if (random(call, "share") >= share) return undefined;
    return possible[Math.floor(random(call, "kind") * possible.length)];
  }

  return {
    draw(call, possible) {
      calls.set(call, (calls.get(call) ?? 0) + 1);
      const kind = choose(call, possible);
      if (kind) {
        const counts = drawn.get(call) ?? new Map<FaultKind, number>();
        drawn.set(call, counts.set(kind, (counts.get(kind) ?? 0) + 1));
      }
      return kind;
    },
    chance: (call) => random(call, "chance"),
    end() {
      isEnded = true;
    },
    drawn,
  };
}

export const countFaults = ({ drawn }: Pick<FaultPlan, "drawn">) =>
  [...drawn.values()].flatMap((counts) => [...counts.values()]).reduce((sum, count) => sum + count, 0);

/** Every method with its kinds of fault, for a test that wants to know that each of them happened. */
export const listFaults = ({ drawn }: Pick<FaultPlan, "drawn">) =>
  [...drawn].flatMap(([call, counts]) => [...counts.keys()].map((kind) => `${call}: ${kind}`)).toSorted();

/** How often each kind of fault was drawn, such as "12 delay". */
export function countKinds({ drawn }: Pick<FaultPlan, "drawn">): string[] {
  const sums = new Map<FaultKind, number>();
  for (const counts of drawn.values())
    for (const [kind, count] of counts) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return [...sums].map(([kind, count]) => `${count} ${kind}`).toSorted();
}
