// Keeps the probe state in memory while the disk refuses writes. Without it the request counts would be lost
// and V1 would receive more requests than the budget allows.
import type { Versioned } from "../../ports.ts";
import type { ProbeStateLedger } from "../../probe/schedule/probe-state.ts";
import { spend } from "../../probe/schedule/probe-state.ts";
import type { ProbeState } from "../../records/probe-state.ts";

export function cacheProbeState(ledger: ProbeStateLedger): ProbeStateLedger {
  let unsaved: ProbeState | undefined;
  /** The stored value at the last read. Any further requests counted on disk were made by other processes. */
  let lastRead: Versioned<ProbeState> | undefined;
  return {
    async readProbeState() {
      const stored = await ledger.readProbeState().catch((error: unknown) => {
        if (unsaved) return lastRead;
        throw error;
      });
      const before = lastRead;
      lastRead = stored;
      if (!unsaved) return stored;
      const value = addRequestsOfOthers(unsaved, before?.value, stored?.value);
      const version = stored?.version ?? 0;
      // Retry the refused write on the next read, so that the stored value is current as soon as possible.
      const { kind } = await ledger.writeProbeState(value, version);
      unsaved = kind === "written" ? undefined : value;
      if (kind !== "written") return { value, version };
      lastRead = { value, version: version + 1 };
      return lastRead;
    },
    async writeProbeState(probeState, version) {
      const outcome = await ledger.writeProbeState(probeState, version);
      if (outcome.kind !== "conflict") unsaved = outcome.kind === "failed" ? probeState : undefined;
      return outcome;
    },
  };
}

function addRequestsOfOthers(
  own: ProbeState,
  before: ProbeState | undefined,
  now: ProbeState | undefined,
): ProbeState {
  const months = Object.entries(now?.spent ?? {});
  return months.reduce(
    (probeState, [month, spent]) => spend(probeState, month, spent - (before?.spent[month] ?? 0)),
    own,
  );
}
