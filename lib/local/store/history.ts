// What the page and the metrics ask of the past, quickly: a year of observations as narrow rows, and what
// people were told. The store keeps the narrow rows itself, by triggers: they can neither lag nor differ.
import type { DatabaseSync } from "node:sqlite";
import { nameOutcome } from "../../assess/alerts/text.ts";
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Alert } from "../../records/alert.ts";
import type { Observation, Variant } from "../../records/observation.ts";
import type { HealthWatch } from "./health.ts";

const levelCount = (body: string, level: string) =>
  `(SELECT count(*) FROM json_each(${body}, '$.findings') WHERE value ->> '$.level' = '${level}')`;

/** An age from clocks too far apart is not known. No observation is ever refused for its narrow row. */
const columns = (
  body: string,
) => `coalesce(${body} ->> '$.endpoint', ''), coalesce(${body} ->> '$.variant', ''),
  ${body} ->> '$.outcome.kind', ${body} ->> '$.outcome.status', ${body} ->> '$.timings.totalMs',
  CASE WHEN ${body} ->> '$.staleness.muted' = 0 THEN ${body} ->> '$.staleness.ages.newest' END,
  ${levelCount(body, "breaking")}, ${levelCount(body, "additive")}`;

export const historyTables = `
  CREATE TABLE brief (
    at_ms INTEGER NOT NULL, seq INTEGER NOT NULL,
    endpoint TEXT NOT NULL, asked TEXT NOT NULL, outcome TEXT, status INTEGER,
    total_ms REAL, newest_age_s REAL, breaking INTEGER NOT NULL, additive INTEGER NOT NULL,
    PRIMARY KEY (endpoint, asked, at_ms, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER brief_added AFTER INSERT ON observation BEGIN
    INSERT INTO brief VALUES (new.at_ms, new.seq, ${columns("new.body")});
  END;
  CREATE TRIGGER brief_forgotten AFTER DELETE ON observation BEGIN
    DELETE FROM brief WHERE endpoint = coalesce(old.body ->> '$.endpoint', '')
      AND asked = coalesce(old.body ->> '$.variant', '')
      AND at_ms = old.at_ms AND seq = old.seq;
  END;
  CREATE TABLE told (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX told_time ON told (at_ms);`;

export type Bucket = {
  /** Counted from the start that was asked for. */
  index: number;
  answers: number;
  ok: number;
  unauthorized: number;
  breaking: number;
  newestAgeSeconds: number | null;
  p95Ms: number | null;
};

/** The whole as well: a mean of percentiles is no percentile. */
export type Buckets = { whole: Bucket | undefined; parts: Bucket[] };

export type BriefRow = {
  id: string;
  at: string;
  endpoint: EndpointId;
  variant: Variant;
  outcome: Observation["outcome"]["kind"];
  status: number | null;
  /** The outcome as people read it. */
  word: string;
  totalMs: number;
  breaking: number;
  additive: number;
};

export type Told = { seq: number; alert: Alert };

type Span = { fromMs: number; untilMs: number };

export type History = {
  buckets(endpoint: EndpointId, asked: Variant, span: Span, bucketMs: number): Buckets;
  /** Newest first. */
  briefs(endpoint: EndpointId | undefined, beforeMs: number, limit: number): BriefRow[];
  observation(id: string): Observation | undefined;
  firstMs(): number | undefined;
  keepTold(alert: Alert): void;
  /** Newest first. */
  told(limit: number): Told[];
  /** Oldest first: for a reader that was away. */
  toldSince(seq: number, limit: number): Told[];
  rows(): { observations: number; told: number };
};

/** Our own faults and our own request rate say nothing about V1; they are in no rate. */
const judged = "outcome NOT IN ('no-secret', 'refused') AND status IS NOT 429";

export function createHistory(db: DatabaseSync, { write }: HealthWatch): History {
  const answers = db.prepare(
    `SELECT at_ms, outcome, total_ms, newest_age_s, breaking FROM brief
     WHERE endpoint = ? AND asked = ? AND at_ms >= ? AND at_ms < ? AND ${judged}`,
  );
  answers.setReturnArrays(true);
  const brief = `SELECT o.id, b.at_ms AS atMs, b.endpoint, b.asked, b.outcome, b.status, b.total_ms AS totalMs,
    b.breaking, b.additive, o.body ->> '$.outcome.detail' AS detail FROM brief b JOIN observation o ON o.seq = b.seq`;
  const recent = db.prepare(
    `SELECT o.id, o.at_ms AS atMs, o.body FROM observation o
     WHERE o.at_ms < ? ORDER BY o.at_ms DESC, o.id DESC LIMIT ?`,
  );
  const ofEndpoint = db.prepare(
    `${brief} WHERE b.endpoint = ? AND b.at_ms < ? ORDER BY b.at_ms DESC LIMIT ?`,
  );
  const one = db.prepare("SELECT body FROM observation WHERE id = ?");
  const first = db.prepare("SELECT min(at_ms) AS atMs FROM observation");
  const keep = db.prepare("INSERT INTO told (id, at_ms, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING");
  const told = db.prepare("SELECT seq, body FROM told ORDER BY at_ms DESC, seq DESC LIMIT ?");
  const toldSince = db.prepare("SELECT seq, body FROM told WHERE seq > ? ORDER BY seq LIMIT ?");
  const counts = db.prepare(
    "SELECT (SELECT count(*) FROM observation) AS observations, (SELECT count(*) FROM told) AS told",
  );
  const asTold = (rows: unknown) =>
    (rows as { seq: number; body: string }[]).map(({ seq, body }) => ({
      seq,
      alert: JSON.parse(body) as Alert,
    }));

  return {
    buckets(endpoint, asked, { fromMs, untilMs }, bucketMs) {
      const rows: Iterable<unknown> = answers.iterate(endpoint, asked, fromMs, untilMs);
      return cutIntoBuckets(rows as Iterable<Answer>, fromMs, bucketMs);
    },
    briefs(endpoint, beforeMs, limit) {
      if (endpoint === undefined)
        return (recent.all(beforeMs, limit) as { body: string }[]).map(({ body }) =>
          briefOf(JSON.parse(body) as Observation),
        );
      return (
        ofEndpoint.all(endpoint, beforeMs, limit) as (Omit<BriefRow, "at" | "variant" | "word"> & {
          atMs: number;
          asked: Variant;
          detail: string | null;
        })[]
      ).map(({ atMs, asked, detail, ...row }) => ({
        ...row,
        word: nameOutcome({
          kind: row.outcome,
          ...(row.status !== null && { status: row.status }),
          ...(detail !== null && { detail }),
        }),
        at: new Date(atMs).toISOString(),
        variant: asked,
      }));
    },
    observation(id) {
      const row = one.get(id) as { body: string } | undefined;
      return row && (JSON.parse(row.body) as Observation);
    },
    firstMs: () => (first.get() as { atMs: number | null }).atMs ?? undefined,
    keepTold: (alert) => {
      write(() => keep.run(alert.id, Date.parse(alert.at), JSON.stringify(alert)));
    },
    told: (limit) => asTold(told.all(limit)),
    toldSince: (seq, limit) => asTold(toldSince.all(seq, limit)),
    rows: () => counts.get() as { observations: number; told: number },
  };
}

type Answer = [
  atMs: number,
  outcome: string,
  totalMs: number,
  newestAgeSeconds: number | null,
  breaking: number,
];
type Tally = Omit<Bucket, "p95Ms"> & { latenciesMs: number[] };

const freshTally = (index: number): Tally => ({
  ...{ index, answers: 0, ok: 0, unauthorized: 0, breaking: 0, newestAgeSeconds: null, latenciesMs: [] },
});

function tally(into: Tally, [, outcome, totalMs, age, breaking]: Answer): void {
  into.answers += 1;
  if (outcome === "ok") into.ok += 1;
  if (outcome === "ok") into.latenciesMs.push(totalMs);
  if (outcome === "unauthorized") into.unauthorized += 1;
  into.breaking = Math.max(into.breaking, breaking);
  if (age !== null) into.newestAgeSeconds = Math.min(age, into.newestAgeSeconds ?? age);
}

function closeTally({ latenciesMs, ...bucket }: Tally): Bucket {
  const sorted = Float64Array.from(latenciesMs).sort();
  return { ...bucket, p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null };
}

/** In JavaScript: SQLite's window functions take six times as long for a year. */
function cutIntoBuckets(answers: Iterable<Answer>, fromMs: number, bucketMs: number): Buckets {
  const whole = freshTally(0);
  const parts = new Map<number, Tally>();
  for (const answer of answers) {
    const index = Math.floor((answer[0] - fromMs) / bucketMs);
    let part = parts.get(index);
    if (!part) {
      part = freshTally(index);
      parts.set(index, part);
    }
    tally(part, answer);
    tally(whole, answer);
  }
  return {
    whole: whole.answers > 0 ? closeTally(whole) : undefined,
    parts: [...parts.values()].map(closeTally),
  };
}

function briefOf({ id, at, endpoint, variant: asked, outcome, timings, findings }: Observation): BriefRow {
  const count = (level: string) => findings.filter((finding) => finding.level === level).length;
  return {
    id,
    at,
    endpoint,
    variant: asked,
    outcome: outcome.kind,
    status: outcome.status ?? null,
    word: nameOutcome(outcome),
    totalMs: timings.totalMs,
    breaking: count("breaking"),
    additive: count("additive"),
  };
}
