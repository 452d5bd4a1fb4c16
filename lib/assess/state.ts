// All that is concluded from the observations so far, as plain JSON: a fold, never a truth of its own.
import * as z from "zod";
import { type Decision, type Incident, incident } from "../records/incident.ts";
import type { CodeUse } from "../records/inventory.ts";
import type { MaintenanceWindow } from "../records/maintenance.ts";
import { freshHistory } from "./checks/history.ts";
import type { History } from "./checks/types.ts";
import { type DriftHistory, emptyDriftHistory } from "./drift-history.ts";
import { type EngineState, freshEngine } from "./engine/engine-state.ts";
import type { GapEvidence } from "./gap-evidence.ts";
import type { RuleSettings } from "./rules/rule.ts";

/**
 * What people were told by an assessment whose state this version does not know, up to an instant. Until then the rules only
 * rebuild the state; afterwards they go on with the incidents that people know.
 */
export type Handover = { untilMs: number; announced: Announced[] };

/** An incident that has not ended, as its last alert told it. */
export type Announced = {
  incident: Incident;
  supersedes: string[];
  /** No alert has them: as they are decided again for the instant of the alert. */
  key?: string | undefined;
  share?: number | undefined;
};

export type AssessState = {
  schema: "v1watch/state/8";
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
} & EngineState;

export const freshState = (): AssessState => ({
  schema: "v1watch/state/8",
  observations: 0,
  tickMs: 0,
  evaluatedMs: 0,
  history: freshHistory(),
  drift: emptyDriftHistory(),
  evidence: {},
  ...freshEngine(),
});

const instantMs = z.number().nonnegative();
const table = z.record(z.string(), z.unknown());

/** The parts of a stored state. What is inside the history is protected by the checksum of the checkpoint. */
const storedState = z.looseObject({
  schema: z.literal("v1watch/state/8"),
  handover: z.strictObject({ untilMs: instantMs, announced: z.array(table) }).optional(),
  observations: z.int().nonnegative(),
  firstAt: z.iso.datetime().optional(),
  lastAt: z.iso.datetime().optional(),
  tickMs: instantMs,
  evaluatedMs: instantMs,
  history: z.looseObject({ endpoints: table, anonymous: z.array(table), checks: z.int().nonnegative() }),
  drift: z.looseObject({ rows: table, sampleCount: z.record(z.string(), z.number()) }),
  evidence: table,
  incidents: z.array(incident),
  resolved: z.array(incident),
  series: table,
  open: z.array(table),
  ended: z.array(table),
  windows: z.array(table),
  messages: z.looseObject({ latest: z.array(table) }),
  scheduled: table,
  notes: z.array(table),
});

export const isAssessState = (value: unknown): value is AssessState => storedState.safeParse(value).success;

/** What a team sets. */
export type AssessSettings = Omit<RuleSettings, "isMuted"> & {
  /** Known to every watch; a command that only reads may not know it. */
  baseUrl?: string | undefined;
  /** Where people find the runbook and the dashboard; links are left out without them. */
  runbookUrl?: string | undefined;
  publicUrl?: string | undefined;
  /** The code that reads V1, from the inventory; undefined without one. */
  uses?: readonly CodeUse[] | undefined;
  /** The hour and the time zone in which reminders, countdowns and the digest are sent; 9 in UTC unless given. */
  hour?: number | undefined;
  timeZone?: string | undefined;
  monthlyRequests: number;
  /** Where the key is from, for the commands in alerts. */
  keyVariable?: string | undefined;
  keySource?: string | undefined;
  /** How often each endpoint is checked, and by how much a check may be late. */
  cadenceMs?: number | undefined;
  lateMs?: number | undefined;
  /** Times of the week in which no notification is sent. */
  maintenance?: readonly MaintenanceWindow[] | undefined;
  decisions: readonly Decision[];
  /**
   * The clock has jumped, or others contradict it: what follows from the time alone is not announced. What still fires
   * later is announced then.
   */
  isTimeDoubtful?: boolean;
};
