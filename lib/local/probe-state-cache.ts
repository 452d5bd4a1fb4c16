// Keeps the probe state while the store refuses it: in memory and, for the next process, in a file whose space was taken before.
// Without it the request counts would be lost, and V1 would get more requests than the budget allows.
import { isDeepStrictEqual } from "node:util";
import type { Versioned } from "../ports.ts";
import { type ProbeStateLedger, spend } from "../probe/schedule/probe-state.ts";
import {
  emptyProbeState,
  type ProbeState,
  type RefusedProbeState,
  refusedProbeState,
} from "../records/probe-state.ts";
import type { ReservedFile } from "./store/reserved-file.ts";

/** The samples are personal, and the key of their hashes is secret: they are in the store only. */
const withoutSamples = (value: ProbeState): ProbeState => ({ ...value, samples: [], hashKey: undefined });

/** More does not fit into the file. */
const maxFileText = 30_000;
const forFile = (value: RefusedProbeState): RefusedProbeState =>
  JSON.stringify(value).length <= maxFileText
    ? value
    : { ...value, probeState: { ...value.probeState, confirmations: undefined } };

export function cacheProbeState(ledger: ProbeStateLedger, file?: ReservedFile): ProbeStateLedger {
  let unsaved: ProbeState | undefined;
  /** The stored value at the last read or write. Any further requests counted on disk were made by other processes. */
  let lastRead: Versioned<ProbeState> | undefined;
  /** Of the process before this one, until the store was read. */
  let inherited = refusedProbeState.safeParse(file?.read()).data;
  let isInFile = inherited !== undefined;

  function keep(value: ProbeState | undefined): void {
    unsaved = value;
    if (value) {
      const { version, value: stored } = lastRead ?? { version: 0, value: emptyProbeState };
      file?.write(forFile({ version, spent: stored.spent, probeState: withoutSamples(value) }));
      isInFile = true;
    } else if (isInFile) {
      file?.write(null);
      isInFile = false;
    }
  }

  /** Where the store was written since, only its requests are added: never too few. */
  function inherit(stored: Versioned<ProbeState> | undefined): void {
    if (!inherited) return;
    const { value: now, version } = stored ?? { value: emptyProbeState, version: 0 };
    const { samples, hashKey } = now;
    unsaved =
      version === inherited.version
        ? { ...inherited.probeState, samples, hashKey }
        : isSameProgress(now, inherited.probeState)
          ? undefined
          : addRequests(now, inherited.probeState.spent, inherited.spent);
    inherited = undefined;
    lastRead = stored;
  }

  return {
    async readProbeState() {
      const stored = await ledger.readProbeState().catch((error: unknown) => {
        // Probing goes on with what was read last.
        if (lastRead) return lastRead;
        throw error;
      });
      inherit(stored);
      const before = lastRead;
      lastRead = stored;
      if (!unsaved || (stored && isSameProgress(stored.value, unsaved))) {
        keep(undefined);
        return stored;
      }
      const value = addRequests(unsaved, stored?.value.spent ?? {}, before?.value.spent ?? {});
      const version = stored?.version ?? 0;
      // Retry the refused write on the next read, so that the stored value is current as soon as possible.
      const { kind } = await ledger.writeProbeState(value, version);
      if (kind === "written") lastRead = { value, version: version + 1 };
      keep(kind === "written" ? undefined : value);
      return kind === "written" ? lastRead : { value, version };
    },
    async writeProbeState(probeState, version) {
      const outcome = await ledger.writeProbeState(probeState, version);
      if (outcome.kind === "written") lastRead = { value: probeState, version: version + 1 };
      if (outcome.kind !== "conflict") keep(outcome.kind === "failed" ? probeState : undefined);
      return outcome;
    },
  };
}

/** The refused write was done after all: counted as one of another process, its requests would be counted twice. */
function isSameProgress(stored: ProbeState, unsaved: ProbeState): boolean {
  // As JSON, because a store drops properties that are undefined.
  const progressOf = ({ spent, endpoints, pending, bookings = {} }: ProbeState): unknown =>
    JSON.parse(JSON.stringify({ spent, endpoints, pending, bookings }));
  return isDeepStrictEqual(progressOf(stored), progressOf(unsaved));
}

type Spent = ProbeState["spent"];

/** Those that were counted between two states. */
const addRequests = (to: ProbeState, now: Spent, before: Spent): ProbeState =>
  Object.entries(now).reduce(
    (probeState, [month, spent]) => spend(probeState, month, spent - (before[month] ?? 0)),
    to,
  );
