// The books of what V1 was asked have several writers: functions apart, a comparison, a probe by hand.
import type { Failed, Ledger } from "../ports.ts";
import { freshPace } from "../records/fresh-pace.ts";
import type { Pace } from "../records/pace.ts";

export type PaceLedger = Pick<Ledger, "readPace" | "writePace">;

const maxConflicts = 20;

/** Somebody else may have spent meanwhile: read again, change that, try again. The same pace is no change. */
export async function changePace(
  ledger: PaceLedger,
  change: (pace: Pace) => Pace,
): Promise<{ kind: "written" | "unchanged" } | Failed> {
  for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
    const known = await ledger.readPace();
    const before = known?.value ?? freshPace;
    const after = change(before);
    if (after === before) return { kind: "unchanged" };
    const outcome = await ledger.writePace(after, known?.version ?? 0);
    if (outcome.kind === "failed") return outcome;
    if (outcome.kind === "written") return { kind: "written" };
  }
  return { kind: "failed", why: "conflict" };
}
