// A disk that takes nothing must not make us forget what was spent: V1 would be asked far too often.
import type { Versioned } from "../../ports.ts";
import type { ProbeStateLedger } from "../../probe/schedule/probe-state.ts";
import { spend } from "../../probe/schedule/probe-state.ts";
import type { ProbeState } from "../../records/probe-state.ts";

export function cacheProbeState(ledger: ProbeStateLedger): ProbeStateLedger {
  let unsaved: ProbeState | undefined;
  /** What the disk was last seen to hold: what it holds beyond that, others have spent. */
  let seen: Versioned<ProbeState> | undefined;
  return {
    async readProbeState() {
      const known = await ledger.readProbeState().catch((error: unknown) => {
        if (unsaved) return seen;
        throw error;
      });
      const before = seen;
      seen = known;
      if (!unsaved) return known;
      const value = addOthers(unsaved, before?.value, known?.value);
      const version = known?.version ?? 0;
      // What the disk refused is offered again before it is needed.
      const { kind } = await ledger.writeProbeState(value, version);
      unsaved = kind === "written" ? undefined : value;
      if (kind !== "written") return { value, version };
      seen = { value, version: version + 1 };
      return seen;
    },
    async writeProbeState(probeState, version) {
      const outcome = await ledger.writeProbeState(probeState, version);
      if (outcome.kind !== "conflict") unsaved = outcome.kind === "failed" ? probeState : undefined;
      return outcome;
    },
  };
}

function addOthers(own: ProbeState, before: ProbeState | undefined, now: ProbeState | undefined): ProbeState {
  const months = Object.entries(now?.spent ?? {});
  return months.reduce(
    (probeState, [month, spent]) => spend(probeState, month, spent - (before?.spent[month] ?? 0)),
    own,
  );
}
