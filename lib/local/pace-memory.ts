// A disk that takes nothing must not make us forget what was spent: V1 would be asked far too often.
import type { Ledger } from "../ports.ts";
import type { Pace } from "../records/pace.ts";

type PaceLedger = Pick<Ledger, "readPace" | "writePace">;

export function rememberPace(ledger: PaceLedger): PaceLedger {
  let untaken: Pace | undefined;
  let version = 0;
  return {
    async readPace() {
      const stored = await ledger.readPace().catch(() => undefined);
      version = stored?.version ?? version;
      return untaken ? { value: untaken, version } : stored;
    },
    async writePace(pace, known) {
      const outcome = await ledger.writePace(pace, known);
      if (outcome.kind !== "conflict") untaken = outcome.kind === "failed" ? pace : undefined;
      return outcome;
    },
  };
}
