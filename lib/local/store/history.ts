// Fast queries over past observations and sent alerts, for the page and the reports. Triggers in the database
// keep one summary row for each observation, so that the summaries are always complete and consistent.
import type { DatabaseSync } from "node:sqlite";
import { nameOutcome } from "../../assess/alerts/text.ts";
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Alert } from "../../records/alert.ts";
import type { Observation, Variant } from "../../records/observation.ts";
import type { HealthTracker } from "./health.ts";

const levelCount = (body: string, level: string) =>
  `(SELECT count(*) FROM json_each(${body}, '$.findings') WHERE value ->> '$.level' = '${level}')`;

const isPrimaryIn = (body: string) => `coalesce(${body} ->> '$.isPrimary', 0)`;

/**
 * The age is unknown if V1's clock and ours differ too much. Missing values become '' or null, so that the
 * trigger never rejects an observation.
 */
const columns = (
  body: string,
) => `coalesce(${body} ->> '$.endpoint', ''), coalesce(${body} ->> '$.variant', ''),
  ${body} ->> '$.outcome.kind', ${body} ->> '$.outcome.status', ${body} ->> '$.timings.totalMs',
  CASE WHEN ${body} ->> '$.staleness.muted' = 0 THEN ${body} ->> '$.staleness.ages.newest' END,
  ${levelCount(body, "breaking")}, ${levelCount(body, "additive")}, ${isPrimaryIn(body)}`;

export const historyTables = `
  CREATE TABLE observation_summary (
    at_ms INTEGER NOT NULL, seq INTEGER NOT NULL,
    endpoint TEXT NOT NULL, variant TEXT NOT NULL, outcome TEXT, status INTEGER,
    total_ms REAL, newest_age_s REAL, breaking INTEGER NOT NULL, additive INTEGER NOT NULL,
    is_primary INTEGER NOT NULL,
    PRIMARY KEY (endpoint, is_primary, at_ms, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER observation_summary_insert AFTER INSERT ON observation BEGIN
    INSERT INTO observation_summary VALUES (new.at_ms, new.seq, ${columns("new.body")});
  END;
  CREATE TRIGGER observation_summary_delete AFTER DELETE ON observation BEGIN
    DELETE FROM observation_summary WHERE endpoint = coalesce(old.body ->> '$.endpoint', '')
      AND is_primary = ${isPrimaryIn("old.body")}
      AND at_ms = old.at_ms AND seq = old.seq;
  END;
  CREATE TABLE sent_alert (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sent_alert_time ON sent_alert (at_ms);`;

export type Bucket = {
  /** The number of buckets between the start of the range and this one. */
  index: number;
  responses: number;
  ok: number;
  unauthorized: number;
  breaking: number;
  newestAgeSeconds: number | null;
  p95Ms: number | null;
};

/** The total is computed separately, because percentiles of buckets cannot be combined. */
export type Buckets = { total: Bucket | undefined; buckets: Bucket[] };

export type ObservationRow = {
  id: string;
  at: string;
  endpoint: EndpointId;
  variant: Variant;
  outcome: Observation["outcome"]["kind"];
  status: number | null;
  /** A short text for the outcome. */
  word: string;
  totalMs: number;
  breaking: number;
  additive: number;
  isPrimary: boolean;
};

export type SentAlert = { seq: number; alert: Alert };

type Span = { fromMs: number; untilMs: number };

export type History = {
  /** Of the primary checks: the variant that clients of V1 use. */
  buckets(endpoint: EndpointId, span: Span, bucketMs: number): Buckets;
  /** Newest first. */
  observationRows(endpoint: EndpointId | undefined, beforeMs: number, limit: number): ObservationRow[];
  observation(id: string): Observation | undefined;
  firstMs(): number | undefined;
  saveSentAlert(alert: Alert): void;
  /** Newest first. */
  sentAlerts(limit: number): SentAlert[];
  /** Oldest first, for a client that reconnects. */
  sentAlertsAfter(seq: number, limit: number): SentAlert[];
  countRows(): { observations: number; sentAlerts: number };
};

/** Requests that were never sent and 429 responses say nothing about V1's health: no rate includes them. */
const countsTowardsRates = "outcome NOT IN ('no-secret', 'refused') AND status IS NOT 429";

export function createHistory(db: DatabaseSync, { write }: HealthTracker): History {
  const responses = db.prepare(
    `SELECT at_ms, outcome, total_ms, newest_age_s, breaking FROM observation_summary
     WHERE endpoint = ? AND is_primary = 1 AND at_ms >= ? AND at_ms < ? AND ${countsTowardsRates}`,
  );
  responses.setReturnArrays(true);
  const recent = db.prepare(
    `SELECT o.id, o.at_ms AS atMs, o.body FROM observation o
     WHERE o.at_ms < ? ORDER BY o.at_ms DESC, o.id DESC LIMIT ?`,
  );
  const ofEndpoint = db.prepare(
    `SELECT o.id, s.at_ms AS atMs, s.endpoint, s.variant, s.outcome, s.status, s.total_ms AS totalMs,
       s.breaking, s.additive, s.is_primary AS isPrimary, o.body ->> '$.outcome.detail' AS detail
     FROM observation_summary s JOIN observation o ON o.seq = s.seq
     WHERE s.endpoint = ? AND s.at_ms < ? ORDER BY s.at_ms DESC LIMIT ?`,
  );
  const one = db.prepare("SELECT body FROM observation WHERE id = ?");
  const first = db.prepare("SELECT min(at_ms) AS atMs FROM observation");
  const insertAlert = db.prepare(
    "INSERT INTO sent_alert (id, at_ms, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
  );
  const latestAlerts = db.prepare("SELECT seq, body FROM sent_alert ORDER BY at_ms DESC, seq DESC LIMIT ?");
  const alertsAfter = db.prepare("SELECT seq, body FROM sent_alert WHERE seq > ? ORDER BY seq LIMIT ?");
  const counts = db.prepare(
    "SELECT (SELECT count(*) FROM observation) AS observations, (SELECT count(*) FROM sent_alert) AS sentAlerts",
  );
  const toSentAlerts = (rows: unknown) =>
    (rows as { seq: number; body: string }[]).map(({ seq, body }) => ({
      seq,
      alert: JSON.parse(body) as Alert,
    }));

  return {
    buckets(endpoint, { fromMs, untilMs }, bucketMs) {
      const rows: Iterable<unknown> = responses.iterate(endpoint, fromMs, untilMs);
      return groupIntoBuckets(rows as Iterable<ResponseRow>, fromMs, bucketMs);
    },
    observationRows(endpoint, beforeMs, limit) {
      if (endpoint === undefined)
        return (recent.all(beforeMs, limit) as { body: string }[]).map(({ body }) =>
          toObservationRow(JSON.parse(body) as Observation),
        );
      return (
        ofEndpoint.all(endpoint, beforeMs, limit) as (Omit<ObservationRow, "at" | "word" | "isPrimary"> & {
          atMs: number;
          isPrimary: number;
          detail: string | null;
        })[]
      ).map(({ atMs, detail, isPrimary, ...row }) => ({
        ...row,
        isPrimary: isPrimary === 1,
        word: nameOutcome({
          kind: row.outcome,
          ...(row.status !== null && { status: row.status }),
          ...(detail !== null && { detail }),
        }),
        at: new Date(atMs).toISOString(),
      }));
    },
    observation(id) {
      const row = one.get(id) as { body: string } | undefined;
      return row && (JSON.parse(row.body) as Observation);
    },
    firstMs: () => (first.get() as { atMs: number | null }).atMs ?? undefined,
    saveSentAlert: (alert) => {
      write(() => insertAlert.run(alert.id, Date.parse(alert.at), JSON.stringify(alert)));
    },
    sentAlerts: (limit) => toSentAlerts(latestAlerts.all(limit)),
    sentAlertsAfter: (seq, limit) => toSentAlerts(alertsAfter.all(seq, limit)),
    countRows: () => counts.get() as { observations: number; sentAlerts: number },
  };
}

type ResponseRow = [
  atMs: number,
  outcome: string,
  totalMs: number,
  newestAgeSeconds: number | null,
  breaking: number,
];
type Tally = Omit<Bucket, "p95Ms"> & { latenciesMs: number[] };

const emptyTally = (index: number): Tally => ({
  ...{ index, responses: 0, ok: 0, unauthorized: 0, breaking: 0, newestAgeSeconds: null, latenciesMs: [] },
});

function addToTally(into: Tally, [, outcome, totalMs, age, breaking]: ResponseRow): void {
  into.responses += 1;
  if (outcome === "ok") into.ok += 1;
  if (outcome === "ok") into.latenciesMs.push(totalMs);
  if (outcome === "unauthorized") into.unauthorized += 1;
  into.breaking = Math.max(into.breaking, breaking);
  if (age !== null) into.newestAgeSeconds = Math.min(age, into.newestAgeSeconds ?? age);
}

function toBucket({ latenciesMs, ...bucket }: Tally): Bucket {
  const sorted = Float64Array.from(latenciesMs).sort();
  return { ...bucket, p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null };
}

/** Written in JavaScript, because SQLite's window functions take six times as long for a year of rows. */
function groupIntoBuckets(rows: Iterable<ResponseRow>, fromMs: number, bucketMs: number): Buckets {
  const total = emptyTally(0);
  const tallies = new Map<number, Tally>();
  for (const row of rows) {
    const index = Math.floor((row[0] - fromMs) / bucketMs);
    let tally = tallies.get(index);
    if (!tally) {
      tally = emptyTally(index);
      tallies.set(index, tally);
    }
    addToTally(tally, row);
    addToTally(total, row);
  }
  return {
    total: total.responses > 0 ? toBucket(total) : undefined,
    buckets: [...tallies.values()].map(toBucket),
  };
}

function toObservationRow(observation: Observation): ObservationRow {
  const { id, at, endpoint, variant, outcome, timings, findings, isPrimary } = observation;
  const count = (level: string) => findings.filter((finding) => finding.level === level).length;
  return {
    id,
    at,
    endpoint,
    variant,
    outcome: outcome.kind,
    status: outcome.status ?? null,
    word: nameOutcome(outcome),
    totalMs: timings.totalMs,
    breaking: count("breaking"),
    additive: count("additive"),
    isPrimary,
  };
}
