// All that is concluded from the observations so far, as plain JSON: a fold, never a truth of its own.
import * as z from "zod";
import type { ThresholdSettings } from "../config/thresholds.ts";
import type { Alert } from "../records/alert.ts";
import { type Decision, type Incident, incident } from "../records/incident.ts";
import type { CodeUse } from "../records/inventory.ts";
import type { MaintenanceWindow } from "../records/maintenance.ts";
import { type DriftHistory, emptyDriftHistory } from "./drift-history.ts";
import type { GapEvidence } from "./gap-evidence.ts";
import { freshHistory } from "./history/history.ts";
import type { History } from "./history/types.ts";
import { freshIncidents, type Incidents } from "./incidents.ts";

/**
 * What people were told by an assessment whose state this version does not know, up to an instant. Until then the rules only
 * rebuild the state; afterwards they go on with the incidents that people know.
 */
export type Handover = { untilMs: number; announced: Incident[] };

export type AssessState = {
  schema: "v1watch/state/3";
  /** Only while the state is rebuilt, and in the checkpoints of that time. */
  handover?: Handover | undefined;
  observations: number;
  firstAt?: string;
  lastAt?: string;
  /** The latest tick that was folded. */
  tickMs: number;
  /** The instant of the last evaluation of the rules. */
  evaluatedMs: number;
  history: History;
  drift: DriftHistory;
  evidence: GapEvidence;
  /** Alerts that are not about one incident, countdowns and summaries, until they are put into the outbox. */
  outgoing: Alert[];
} & Incidents;

export const freshState = (): AssessState => ({
  schema: "v1watch/state/3",
  observations: 0,
  tickMs: 0,
  evaluatedMs: 0,
  history: freshHistory(),
  drift: emptyDriftHistory(),
  evidence: {},
  outgoing: [],
  ...freshIncidents(),
});

const instantMs = z.number().nonnegative();
const table = z.record(z.string(), z.unknown());

/** The parts of a stored state. What is inside the history is protected by the checksum of the checkpoint. */
const storedState = z.looseObject({
  schema: z.literal("v1watch/state/3"),
  handover: z.strictObject({ untilMs: instantMs, announced: z.array(incident) }).optional(),
  observations: z.int().nonnegative(),
  firstAt: z.iso.datetime().optional(),
  lastAt: z.iso.datetime().optional(),
  tickMs: instantMs,
  evaluatedMs: instantMs,
  history: z.looseObject({
    endpoints: table,
    transitions: z.array(table),
    snapshots: z.array(table),
    ages: z.array(table),
  }),
  drift: z.looseObject({ rows: table, sampleCount: z.record(z.string(), z.number()), dropped: z.number() }),
  evidence: table,
  incidents: z.array(incident),
  resolved: z.array(incident),
  messages: z
    .looseObject({
      heldBack: z.array(z.string()),
      forSummary: z.array(z.looseObject({ incident: z.string(), event: z.string(), at: z.iso.datetime() })),
      countdowns: z.array(z.looseObject({ id: z.string(), at: z.iso.datetime() })),
    })
    .optional(),
});

type StoredState = Omit<AssessState, "messages" | "outgoing"> & Partial<Pick<AssessState, "messages">>;

const isStoredState = (value: unknown): value is StoredState => storedState.safeParse(value).success;

/** A copy of a stored state; undefined where it cannot be used. Older versions kept no messages beside the incidents. */
export function readStoredState(value: unknown): AssessState | undefined {
  if (!isStoredState(value)) return undefined;
  const { messages = freshIncidents().messages, ...state } = structuredClone(value);
  return { ...state, messages, outgoing: [] };
}

/** What a team sets; every other number is in config/thresholds.ts. */
export type AssessSettings = ThresholdSettings & {
  baseUrl: string;
  /** Where people find the runbook and the page; links are left out without them. */
  runbookUrl?: string | undefined;
  publicUrl?: string | undefined;
  /** The code that reads V1, from the inventory; undefined without one. */
  uses?: readonly CodeUse[] | undefined;
  /** The day of V1's removal, if someone named it. */
  retirementDate?: string | undefined;
  /** staleness.frozenAfter, where the user gives it. */
  frozenAfterMs?: number | undefined;
  monthlyRequests: number;
  /** How long the prober may be silent before that is reported. */
  silentAfterMs: number;
  /** Times of the week in which no notification is sent. */
  maintenance?: readonly MaintenanceWindow[] | undefined;
  decisions: readonly Decision[];
  /**
   * The clock has jumped, or others contradict it: what follows from the time alone is not announced. What still fires
   * later is announced then.
   */
  isTimeDoubtful?: boolean;
};
