// A disk that takes nothing must not make us forget what was spent: V1 would be asked far too often.
import type { Versioned } from "../../ports.ts";
import type { PaceLedger } from "../../probe/schedule/probe-state.ts";
import { spend } from "../../probe/schedule/probe-state.ts";
import type { Pace } from "../../records/probe-state.ts";

export function rememberPace(ledger: PaceLedger): PaceLedger {
  let untaken: Pace | undefined;
  /** What the disk was last seen to hold: what it holds beyond that, others have spent. */
  let seen: Versioned<Pace> | undefined;
  return {
    async readPace() {
      const known = await ledger.readPace().catch((error: unknown) => {
        if (untaken) return seen;
        throw error;
      });
      const before = seen;
      seen = known;
      if (!untaken) return known;
      const value = addOthers(untaken, before?.value, known?.value);
      const version = known?.version ?? 0;
      // What the disk refused is offered again before it is needed.
      const { kind } = await ledger.writePace(value, version);
      untaken = kind === "written" ? undefined : value;
      if (kind !== "written") return { value, version };
      seen = { value, version: version + 1 };
      return seen;
    },
    async writePace(pace, version) {
      const outcome = await ledger.writePace(pace, version);
      if (outcome.kind !== "conflict") untaken = outcome.kind === "failed" ? pace : undefined;
      return outcome;
    },
  };
}

function addOthers(own: Pace, before: Pace | undefined, now: Pace | undefined): Pace {
  const months = Object.entries(now?.spent ?? {});
  return months.reduce(
    (pace, [month, spent]) => spend(pace, month, spent - (before?.spent[month] ?? 0)),
    own,
  );
}
