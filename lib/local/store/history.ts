// Fast queries over past observations and sent alerts, for the dashboard and the reports. Triggers in the database
// keep one summary row for each observation, so that the summaries are always complete and consistent.

import type { SQLInputValue } from "node:sqlite";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Alert } from "../../records/alert.ts";
import { type Observation, outcomeKinds, type Variant } from "../../records/observation.ts";
import { expectedRefusals, isExpectedRefusal, labelOutcome } from "../../records/outcome.ts";
import type { HealthDay } from "../../records/report.ts";
import { type HealthCheck, rank95 } from "../../report/health-days.ts";
import { type ObservationRow, observationRow } from "../server/api-schemas.ts";
import { type Database, outOfOrder } from "./database.ts";
import { insertSentAlert, numberOf, type RowReader, type TextRow } from "./rows.ts";

const levelCount = (body: string, level: string) =>
  `(SELECT count(*) FROM json_each(${body}, '$.findings') WHERE value ->> '$.level' = '${level}')`;

/**
 * The age is unknown if V1's clock and ours differ too much. Missing values become '' or null, so that the
 * trigger never rejects an observation.
 */
const columns = (
  body: string,
) => `coalesce(${body} ->> '$.endpoint', ''), coalesce(${body} ->> '$.variant', ''),
  ${body} ->> '$.outcome.kind', ${body} ->> '$.outcome.status', ${body} ->> '$.timings.totalMs',
  CASE WHEN ${body} ->> '$.staleness.muted' = 0 THEN ${body} ->> '$.staleness.ages.newest' END,
  ${levelCount(body, "breaking")}, ${levelCount(body, "additive")}, coalesce(${body} ->> '$.isPrimary', 0), ${body} ->> '$.sample'`;

export const historyTables = `
  CREATE TABLE observation_summary (
    at_ms INTEGER NOT NULL, seq INTEGER NOT NULL,
    endpoint TEXT NOT NULL, variant TEXT NOT NULL, outcome TEXT, status INTEGER,
    total_ms REAL, newest_age_s REAL, breaking INTEGER NOT NULL, additive INTEGER NOT NULL,
    is_primary INTEGER NOT NULL, sample TEXT,
    PRIMARY KEY (endpoint, is_primary, at_ms, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER observation_summary_insert AFTER INSERT ON observation BEGIN
    INSERT INTO observation_summary VALUES (new.at_ms, new.seq, ${columns("new.body")});
  END;
  -- Without the body, which may be damaged; every key that the row could have is looked up.
  CREATE TRIGGER observation_summary_delete AFTER DELETE ON observation BEGIN
    DELETE FROM observation_summary WHERE endpoint IN (${["", ...endpointIds].map((name) => `'${name}'`).join(", ")})
      AND is_primary IN (0, 1) AND at_ms = old.at_ms AND seq = old.seq;
  END;
  CREATE TABLE sent_alert (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sent_alert_time ON sent_alert (at_ms);`;

/** Newest first, before `beforeMs`. A value that is left out does not restrict. */
export type CheckFilter = {
  endpoint?: EndpointId | undefined;
  variant?: Variant | undefined;
  isPrimary?: boolean | undefined;
  /** `failed`: not ok; `drift`: ok with a breaking difference. */
  result?: "ok" | "failed" | "drift" | undefined;
  fromMs?: number | undefined;
  beforeMs?: number | undefined;
  limit: number;
};

/** One check of an endpoint, for charts. `sample`: the keyed hash of the record that it requested. */
export type CheckPoint = HealthCheck & {
  seq: number;
  status: number | null;
  breaking: number;
  sample: string | null;
};

export type SentAlert = { seq: number; alert: Alert };

type Span = { fromMs: number; untilMs: number };

export type Neighbours = { previous?: string | undefined; next?: string | undefined };

export type History = {
  /** Every primary check of the span, oldest first: those of the variant that clients of V1 use. */
  checks(endpoint: EndpointId, span: Span): CheckPoint[];
  countChecks(endpoint: EndpointId, span: Span): number;
  /** The first of them, and those after a check. */
  checkPage(endpoint: EndpointId, span: Span, after: CheckPoint | undefined, limit: number): CheckPoint[];
  /** By which a reader finds out what is new: the latest row, and a value that changes when rows are deleted. */
  progress(): { seq: number; deletions: string };
  /** When the observations after a row were made, up to a limit. */
  instantsAfter(seq: number, limit: number): number[];
  /** summarizeChecks() of those that count towards health, in the memory of SQLite: a span may be years. */
  health(endpoint: EndpointId, span: Span): Omit<HealthDay, "day">;
  /** The ids of checks by their sequence number. */
  checkIds(seqs: readonly number[]): Map<number, string>;
  observationRows(filter: CheckFilter): ObservationRow[];
  observation(id: string): Observation | undefined;
  /** The ids of the checks before and after this one, of the same endpoint and variant. */
  neighbours(observation: Pick<Observation, "endpoint" | "variant" | "at">): Neighbours;
  /** Every observation as it is stored, one line of JSON each, in the order of (at, id). */
  observationLines(): Generator<string>;
  firstMs(): number | undefined;
  saveSentAlert(alert: Alert): void;
  /** Newest first. */
  sentAlerts(limit: number): SentAlert[];
  /** Of one incident, oldest first. */
  sentAlertsOf(incidentId: string): Alert[];
  /** Oldest first, a page of them. */
  sentAlertsAfter(seq: number, limit: number): SentAlert[];
};

/** Requests that were never sent and 429 responses say nothing about V1's health: no rate includes them. */
export const countsTowardsHealth = ({ outcome, status }: CheckPoint) =>
  outcome !== "no-secret" && outcome !== "refused" && status !== 429;

/** A text that cannot be read may have none, or another one. */
const listKinds = outcomeKinds.map((kind) => `'${kind}'`).join(", ");
const isKnownOutcome = `outcome IN (${listKinds})`;

const ofHealth = `FROM observation_summary
  WHERE endpoint = ? AND is_primary = 1 AND at_ms >= ? AND at_ms < ? AND ${isKnownOutcome}
    AND outcome NOT IN ('no-secret', 'refused') AND status IS NOT 429`;

type HealthRow = Omit<HealthDay, "day" | "p95Ms">;

export function createHistory(db: Database, { read }: RowReader): History {
  const readAlerts = (rest: string, ...values: SQLInputValue[]) =>
    db
      .all<TextRow>(`SELECT seq AS rowid, id AS key, body AS text FROM sent_alert ${rest}`, ...values)
      .flatMap((row): SentAlert[] => {
        const alert = read("sent_alert", row);
        return alert ? [{ seq: row.rowid, alert }] : [];
      });
  const findNeighbour = (
    { endpoint, variant, at }: Parameters<History["neighbours"]>[0],
    side: "< ? ORDER BY s.at_ms DESC" | "> ? ORDER BY s.at_ms ASC",
  ) =>
    db.get<{ id: string }>(
      `SELECT o.id FROM observation_summary s JOIN observation o ON o.seq = s.seq
       WHERE s.endpoint = ? AND s.variant = ? AND s.at_ms ${side} LIMIT 1`,
      ...[endpoint, variant, Date.parse(at)],
    )?.id;

  function readOne(id: string): Observation | undefined {
    const row = db.get<TextRow>(
      "SELECT seq AS rowid, id AS key, at_ms AS atMs, body AS text FROM observation WHERE id = ?",
      id,
    );
    return row && read("observation", row);
  }

  /** A row without a valid summary is that of a text that cannot be read: it is set aside, and the next one takes its place. */
  function observationRows(filter: CheckFilter): ObservationRow[] {
    while (true) {
      const rows = readRows(db, filter);
      const unreadable = rows.filter((row) => !ofObservation.safeParse(row).success);
      for (const { id } of unreadable) readOne(id);
      const isSetAside = ({ id }: SummaryRow) =>
        db.get("SELECT 1 FROM observation WHERE id = ?", id) === undefined;
      if (!unreadable.some(isSetAside)) return rows.filter((row) => !unreadable.includes(row)).map(toRow);
    }
  }

  /** Parsing and validating each text takes three times as long as copying it. What is damaged is validated, and set aside. */
  function* observationLines(): Generator<string> {
    for (let [lastMs, lastId] = [Number.MIN_SAFE_INTEGER, ""]; ; ) {
      const rows = db.all<TextRow & { atMs: number; isSound: number }>(
        `SELECT seq AS rowid, id AS key, at_ms AS atMs, body AS text,
           CASE WHEN json_valid(body) AND instr(body, char(10)) = 0
             THEN body ->> '$.id' = id AND body ->> '$.outcome.kind' IN (${listKinds}) END AS isSound
         FROM observation WHERE (at_ms, id) > (?, ?) ORDER BY at_ms, id LIMIT 500`,
        ...[lastMs, lastId],
      );
      for (const row of rows) {
        const line = row.isSound ? row.text : JSON.stringify(read("observation", row));
        if (typeof line === "string") yield line;
      }
      const last = rows.at(-1);
      if (!last) return;
      if (last.atMs < lastMs || (last.atMs === lastMs && last.key <= lastId)) throw db.note(outOfOrder());
      [lastMs, lastId] = [last.atMs, last.key];
    }
  }

  const checkPage: History["checkPage"] = (endpoint, { fromMs, untilMs }, after, limit) =>
    db.all(
      `SELECT at_ms AS atMs, seq, outcome, status, total_ms AS totalMs, newest_age_s AS newestAgeSeconds, breaking, sample
       FROM observation_summary WHERE endpoint = ? AND is_primary = 1 AND (at_ms, seq) > (?, ?) AND at_ms < ?
         AND ${isKnownOutcome} ORDER BY at_ms, seq LIMIT ?`,
      ...[endpoint, after?.atMs ?? fromMs, after?.seq ?? -1, untilMs, limit],
    );

  return {
    checks: (endpoint, span) => checkPage(endpoint, span, undefined, -1),
    checkPage,
    countChecks: (endpoint, { fromMs, untilMs }) =>
      db.get<{ count: number }>(
        `SELECT count(*) AS count FROM observation_summary
         WHERE endpoint = ? AND is_primary = 1 AND at_ms >= ? AND at_ms < ?`,
        ...[endpoint, fromMs, untilMs],
      )?.count ?? 0,
    progress: () =>
      db.get<{ seq: number; deletions: string }>(
        `SELECT (SELECT coalesce(max(seq), 0) FROM observation) AS seq,
           (SELECT count(*) FROM unreadable_row) || ' ' || (SELECT max(value) FROM metadata WHERE name = 'pruned_before_ms')
           AS deletions`,
      ) ?? { seq: 0, deletions: "" },
    instantsAfter: (seq, limit) =>
      db
        .all<{ atMs: number }>("SELECT at_ms AS atMs FROM observation WHERE seq > ? LIMIT ?", seq, limit)
        .map(({ atMs }) => atMs),
    health(endpoint, { fromMs, untilMs }) {
      const given = [endpoint, fromMs, untilMs] as const;
      const counts = db.get<HealthRow>(
        `SELECT count(*) AS answers, count(*) FILTER (WHERE outcome = 'ok') AS ok,
           count(*) FILTER (WHERE outcome = 'unauthorized') AS unauthorized, min(newest_age_s) AS newestAgeSeconds ${ofHealth}`,
        ...given,
      ) ?? { answers: 0, ok: 0, unauthorized: 0, newestAgeSeconds: null };
      const latency = db.get<{ p95Ms: number | null }>(
        `SELECT total_ms AS p95Ms ${ofHealth} AND outcome = 'ok' ORDER BY total_ms LIMIT 1 OFFSET ?`,
        ...given,
        Math.max(0, rank95(counts.ok) - 1),
      );
      return { ...counts, p95Ms: latency?.p95Ms ?? null };
    },
    checkIds: (seqs) =>
      new Map(
        seqs.flatMap((seq) => {
          const row = db.get<{ id: string }>("SELECT id FROM observation WHERE seq = ?", seq);
          return row ? [[seq, row.id]] : [];
        }),
      ),
    observationRows,
    observation: readOne,
    neighbours: (observation) => ({
      previous: findNeighbour(observation, "< ? ORDER BY s.at_ms DESC"),
      next: findNeighbour(observation, "> ? ORDER BY s.at_ms ASC"),
    }),
    observationLines,
    firstMs: () =>
      db.get<{ atMs: number | null }>("SELECT min(at_ms) AS atMs FROM observation")?.atMs ?? undefined,
    saveSentAlert(alert) {
      db.writeNow(() => insertSentAlert(db, alert));
    },
    sentAlerts: (limit) => readAlerts("ORDER BY at_ms DESC, seq DESC LIMIT ?", limit),
    // By their numbers: an instant may be that of a clock that was wrong. An incident's id has no character that GLOB treats as a pattern.
    sentAlertsOf: (id) =>
      readAlerts(`WHERE id GLOB ? || '/*' ORDER BY ${numberOf("id")}, at_ms, seq`, id).map(
        ({ alert }) => alert,
      ),
    sentAlertsAfter: (seq, limit) => readAlerts("WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit),
  };
}

const isExpected = Object.entries(expectedRefusals)
  .map(
    ([variant, statuses]) =>
      `variant = '${variant}' AND (outcome = 'unauthorized' OR status IN (${statuses.join(", ")}))`,
  )
  .join(" OR ");

const resultConditions = {
  ok: `(outcome = 'ok' OR ${isExpected})`,
  failed: `outcome <> 'ok' AND (${isExpected}) IS NOT TRUE`,
  drift: "outcome = 'ok' AND breaking > 0",
} as const;

/** What the summary has of the text of an observation. Of one that cannot be read, it has what the text had. */
const ofObservation = observationRow
  .omit({ id: true, at: true, word: true, isExpected: true, isPrimary: true })
  .loose();

type SummaryRow = Omit<ObservationRow, "at" | "word" | "isPrimary" | "isExpected"> & {
  atMs: number;
  isPrimary: number;
  detail: string | null;
};

/** The rows are chosen and sorted in the summaries; only the few that are returned are joined. */
function readRows(db: Database, filter: CheckFilter): SummaryRow[] {
  const { endpoint, variant, isPrimary, result, fromMs, beforeMs, limit } = filter;
  const given: [string, string | number | undefined][] = [
    ["endpoint = ?", endpoint],
    ["is_primary = ?", isPrimary === undefined ? undefined : Number(isPrimary)],
    ["variant = ?", variant],
    ["at_ms >= ?", fromMs],
    ["at_ms < ?", beforeMs],
  ];
  const used = given.filter(([, value]) => value !== undefined);
  const conditions = [...used.map(([text]) => text), ...(result ? [resultConditions[result]] : [])];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  return db.all<SummaryRow>(
    `SELECT o.id, s.at_ms AS atMs, s.endpoint, s.variant, s.outcome, s.status, s.total_ms AS totalMs,
         s.breaking, s.additive, s.is_primary AS isPrimary, CASE WHEN json_valid(o.body) THEN o.body ->> '$.outcome.detail' END AS detail
       FROM (SELECT * FROM observation_summary ${where} ORDER BY at_ms DESC, seq DESC LIMIT ?) s
       JOIN observation o ON o.seq = s.seq ORDER BY s.at_ms DESC, s.seq DESC`,
    ...used.map(([, value]) => value as string | number),
    limit,
  );
}

const toRow = ({ atMs, detail, isPrimary, ...row }: SummaryRow): ObservationRow => ({
  ...row,
  isPrimary: isPrimary === 1,
  isExpected: isExpectedRefusal({
    variant: row.variant,
    outcome: { kind: row.outcome, status: row.status ?? undefined },
  }),
  word: labelOutcome({ kind: row.outcome, status: row.status ?? undefined, detail: detail ?? undefined }),
  at: new Date(atMs).toISOString(),
});
