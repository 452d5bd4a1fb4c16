// A disk that takes nothing must not make us forget what was spent: V1 would be asked far too often.
import type { Ledger } from "../ports.ts";
import type { Pace } from "../records/pace.ts";

type PaceLedger = Pick<Ledger, "readPace" | "writePace">;

export function rememberPace(ledger: PaceLedger): PaceLedger {
  let untaken: Pace | undefined;
  return {
    async readPace() {
      if (!untaken) return ledger.readPace();
      const value = untaken;
      const version = (await ledger.readPace().catch(() => undefined))?.version ?? 0;
      // What the disk refused is offered again before it is needed.
      const { kind } = await ledger.writePace(value, version);
      if (kind !== "written") return { value, version };
      untaken = undefined;
      return { value, version: version + 1 };
    },
    async writePace(pace, version) {
      const outcome = await ledger.writePace(pace, version);
      if (outcome.kind !== "conflict") untaken = outcome.kind === "failed" ? pace : undefined;
      return outcome;
    },
  };
}
