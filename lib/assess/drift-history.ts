// Every finding ever seen, when and how often, and whether it is a change or was there from the start.
// A change is a finding at a place that was seen as documented before; what was different from the
// first check on is recorded once and never pages.
import { thresholds } from "../config/thresholds.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { type Finding, type Level, levels, type Observation, type Variant } from "../records/observation.ts";
import { classify } from "../records/outcome.ts";
import { plural } from "../text.ts";
import { anyPlace, placeOf, placesOf } from "./checks/check.ts";

export type DriftRow = {
  finding: Finding;
  endpoint: EndpointId;
  firstSeen: string;
  lastSeen: string;
  /** Responses with it, of those in which its place was there at all since it was first seen. */
  seen: number;
  sampleCount: number;
  isChange: boolean;
  /** By variant: consecutive responses with it, and without it since the last. */
  streaks: Partial<Record<Variant, { present: number; absent: number }>>;
};

export type DriftHistory = {
  rows: Record<string, DriftRow>;
  /** How many responses showed each object at all: `passport passport.passport_socials[]`. */
  sampleCount: Record<string, number>;
};

/** A stranger does not choose our memory. */
const maxRows = 500;
const clearedAfter = 3;

export const emptyDriftHistory = (): DriftHistory => ({ rows: {}, sampleCount: {} });

/** A response without V1's data shows none of its objects. */
const exposedPlaces = (observation: Observation): string[] =>
  classify(observation) === "ok" ? placesOf(observation) : [""];

/** A difference in a place that was seen often enough without it; what was different from the start is how this V1 is. */
function isNew({ sampleCount }: DriftHistory, endpoint: EndpointId, path: string): boolean {
  const seen = sampleCount[`${endpoint} ${placeOf(path)}`] ?? sampleCount[`${endpoint} ${anyPlace}`] ?? 0;
  return seen >= thresholds.baselineChecks;
}

/** Whether a finding of an observation that was noted is a change. */
export const isChange = ({ rows }: DriftHistory, findingId: string): boolean =>
  rows[findingId]?.isChange ?? true;

export function noteDrift(ledger: DriftHistory, observation: Observation): void {
  if (observation.outcome.kind !== "ok" || observation.notices.body === "v2-shaped") return;
  const { endpoint, at, variant: name } = observation;
  const places = exposedPlaces(observation);
  const present = new Set(observation.findings.map(({ id }) => id));

  for (const finding of observation.findings) {
    const row = ledger.rows[finding.id];
    if (row) {
      row.finding = finding;
      row.lastSeen = at;
      row.seen++;
      row.sampleCount++;
    } else if (Object.keys(ledger.rows).length < maxRows) {
      ledger.rows[finding.id] = {
        finding,
        endpoint,
        firstSeen: at,
        lastSeen: at,
        seen: 1,
        sampleCount: 1,
        isChange: isNew(ledger, endpoint, finding.path),
        streaks: {},
      };
    }
    const known = ledger.rows[finding.id];
    if (known) known.streaks[name] = { present: (known.streaks[name]?.present ?? 0) + 1, absent: 0 };
  }
  for (const row of Object.values(ledger.rows)) {
    if (row.endpoint !== endpoint || present.has(row.finding.id)) continue;
    if (!places.includes(placeOf(row.finding.path))) continue;
    // Among those that were left out it may still be there.
    if (observation.findingsOmitted > 0) continue;
    row.sampleCount++;
    const streak = row.streaks[name];
    if (!streak) continue;
    const absent = streak.absent + 1;
    row.streaks[name] = { present: absent >= clearedAfter ? 0 : streak.present, absent };
  }
  for (const place of places) {
    const name = `${endpoint} ${place}`;
    ledger.sampleCount[name] = (ledger.sampleCount[name] ?? 0) + 1;
  }
}

/** How many answers of an endpoint were validated against the document: a 401 or a V2 shows no difference. */
export const countJudged = ({ sampleCount }: DriftHistory, endpoint: EndpointId): number =>
  sampleCount[`${endpoint} `] ?? 0;

export const readJudged = (ledger: DriftHistory): Judged => ({
  judged: endpointIds.reduce((sum, endpoint) => sum + countJudged(ledger, endpoint), 0),
  unseen: endpointIds.filter((endpoint) => countJudged(ledger, endpoint) === 0),
});

/** The responses that were validated, and the endpoints without any. */
export type Judged = { judged: number; unseen: readonly EndpointId[] };

/** How V1 differs from its document: "As documented" needs a response that was compared. `present` are the levels of the differences. */
export function describeDrift(present: readonly Level[], { judged, unseen }: Judged): string {
  if (judged === 0) return "Unknown: no response contained data that could be compared.";
  const counts = levels.flatMap((level) => {
    const count = present.filter((one) => one === level).length;
    return count > 0 ? [`${count} ${level}`] : [];
  });
  const text =
    present.length > 0
      ? `${plural(present.length, "difference")} from V1's document: ${counts.join(", ")}.`
      : `As documented: no difference observed in ${plural(judged, "response")}.`;
  return unseen.length > 0 ? `${text} Unknown for ${unseen.join(", ")}: no data received yet.` : text;
}

/** Observed in the latest response that contained the field's parent object. */
export const isPresent = ({ streaks }: DriftRow) =>
  Object.values(streaks).some(({ present, absent }) => present > 0 && absent === 0);

export const presentRows = ({ drift }: { drift: DriftHistory }, level: Level): DriftRow[] =>
  Object.values(drift.rows).filter((row) => row.finding.level === level && isPresent(row));
