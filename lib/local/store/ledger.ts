// The ledger on the embedded store. Every call is one statement or one transaction.
import { gzipSync } from "node:zlib";
import { type Ledger, uselessCheckpoints } from "../../ports.ts";
import { spend } from "../../probe/schedule/probe-state.ts";
import { storedSettings } from "../../records/assessment-settings.ts";
import type { Observation } from "../../records/observation.ts";
import { emptyProbeState, type ProbeState } from "../../records/probe-state.ts";
import { type Database, outOfOrder } from "./database.ts";
import { decisionKey, insertObservation, type RowReader, type TextRow } from "./rows.ts";

/** Rows are read in pages, so that no read transaction stays open between two rows that a caller consumes. */
const pageRows = 500;

export function createLedger(db: Database, { read }: RowReader): Ledger {
  const readMetadata = (name: string) =>
    db.get<{ value: number }>("SELECT value FROM metadata WHERE name = ?", name)?.value ?? 0;

  /** The one row of a table that has no other. */
  function readOnly<Table extends "subscription_status" | "assessment_settings">(table: Table) {
    const row = db.get<Omit<TextRow, "key">>(`SELECT one AS rowid, body AS text FROM ${table}`);
    return row && read(table, { ...row, key: table.replace("_", " ") });
  }
  const writeOnly = (table: "subscription_status" | "assessment_settings", value: unknown) =>
    db.write(() => db.run(`INSERT OR REPLACE INTO ${table} VALUES (1, ?)`, JSON.stringify(value)));

  function removeUseless(): void {
    const rows = db.all<{ day: string }>("SELECT day FROM checkpoint WHERE length(day) > 10");
    for (const day of uselessCheckpoints(rows.map((row) => row.day)))
      db.run("DELETE FROM checkpoint WHERE day = ?", day);
  }

  async function* observations(fromMs: number, untilMs: number): AsyncGenerator<Observation> {
    let [lastMs, lastId] = [fromMs, ""];
    while (true) {
      const rows = db.all<TextRow & { atMs: number }>(
        `SELECT seq AS rowid, id AS key, at_ms AS atMs, body AS text FROM observation
         WHERE (at_ms, id) > (?, ?) AND at_ms < ? ORDER BY at_ms, id LIMIT ${pageRows}`,
        ...[lastMs, lastId, untilMs],
      );
      for (const row of rows) {
        const observation = read("observation", row);
        if (observation) yield observation;
      }
      const last = rows.at(-1);
      if (!last || rows.length < pageRows) return;
      if (last.atMs < lastMs || (last.atMs === lastMs && last.key <= lastId)) throw db.note(outOfOrder());
      [lastMs, lastId] = [last.atMs, last.key];
    }
  }

  return {
    async append(observation) {
      return db.tryWrite(() => {
        if (insertObservation(db, observation)) return { kind: "new" };
        const isTooOld = Date.parse(observation.at) < readMetadata("pruned_before_ms");
        return { kind: isTooOld ? "too-old" : "known" };
      });
    },
    observations,
    async backlog() {
      const version = readMetadata("commits");
      const rows = db.all<{ id: string; atMs: number }>(
        "SELECT id, at_ms AS atMs FROM observation WHERE assessed = 0 ORDER BY at_ms, id",
      );
      return {
        version,
        unassessed: rows.map(({ id, atMs }) => ({ id, at: new Date(atMs).toISOString() })),
      };
    },
    async commit({ version, folded, checkpoints }) {
      const compressed = checkpoints.map(
        ({ day, state }) => [day, gzipSync(JSON.stringify({ day, state }))] as const,
      );
      const firstAt = folded.map(({ at }) => at).toSorted()[0];
      const next = "UPDATE metadata SET value = value + 1 WHERE name = 'commits' AND value = ?";
      return db.write(() =>
        db.transact(() => {
          if (db.run(next, version) === 0) return false;
          for (const { id } of folded) db.run("UPDATE observation SET assessed = 1 WHERE id = ?", id);
          if (firstAt) db.run("DELETE FROM checkpoint WHERE day > ?", firstAt);
          for (const row of compressed) db.run("INSERT OR REPLACE INTO checkpoint VALUES (?, ?)", ...row);
          if (compressed.length > 0) removeUseless();
          return true;
        }),
      );
    },
    async checkpointAt(day) {
      for (let before = "9999"; ; ) {
        const row = db.get<TextRow>(
          `SELECT rowid, day AS key, state AS text FROM checkpoint WHERE day <= ? AND day < ?
           ORDER BY day DESC LIMIT 1`,
          ...[day, before],
        );
        const found = row && read("checkpoint", row);
        // The assessment of an unreadable checkpoint is computed again from the one before it.
        if (!row || found) return found;
        if (row.key >= before) throw db.note(outOfOrder());
        before = row.key;
      }
    },
    async readProbeState() {
      const row = db.get<TextRow & { version: number }>(
        "SELECT one AS rowid, 'probe state' AS key, version, body AS text FROM probe_state",
      );
      const value = row && read("probe_state", row);
      if (!row || value) return row && value && { value, version: row.version };
      const rebuilt = await rebuildProbeState(observations(0, Number.MAX_SAFE_INTEGER));
      // Nobody may use the version of the damaged state any more.
      const version = row.version + 1;
      const written = await db.tryWrite(() => {
        db.run("INSERT OR REPLACE INTO probe_state VALUES (1, ?, ?)", version, JSON.stringify(rebuilt));
        return { kind: "written" } as const;
      });
      return { value: rebuilt, version: written.kind === "failed" ? row.version : version };
    },
    async writeProbeState(value, version) {
      const body = JSON.stringify(value);
      const update = "UPDATE probe_state SET version = version + 1, body = ? WHERE version = ?";
      return db.tryWrite(() => {
        const changes =
          version === 0
            ? db.run("INSERT INTO probe_state VALUES (1, 1, ?) ON CONFLICT DO NOTHING", body)
            : db.run(update, body, version);
        return { kind: changes > 0 ? "written" : "conflict" };
      });
    },
    async decide(decision) {
      const row = [Date.parse(decision.at), decision.kind, decision.subject, JSON.stringify(decision)];
      await db.write(() => db.run("INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?)", ...row));
    },
    async decisions() {
      const rows = db.all<TextRow & { atMs: number; kind: string; subject: string }>(
        "SELECT rowid, at_ms AS atMs, kind, subject, body AS text FROM decision ORDER BY at_ms, kind, subject",
      );
      return rows.flatMap(
        (row) => read("decision", { ...row, key: decisionKey(row.atMs, row.kind, row.subject) }) ?? [],
      );
    },
    async saveSubscriptionStatus(status) {
      await writeOnly("subscription_status", status);
    },
    subscriptionStatus: async () => readOnly("subscription_status"),
    async saveSettings(settings) {
      await writeOnly("assessment_settings", storedSettings.parse(settings));
    },
    settings: async () => readOnly("assessment_settings"),
  };
}

/**
 * From the observations: the requests of each month, and the latest check of each endpoint and variant. Samples are
 * chosen again, and so is the key of the hashes.
 */
async function rebuildProbeState(observations: AsyncIterable<Observation>): Promise<ProbeState> {
  let state = emptyProbeState;
  const endpoints: ProbeState["endpoints"] = {};
  for await (const { endpoint, variant, at, attempts } of observations) {
    state = spend(state, at.slice(0, 7), attempts.length);
    const last = { ...endpoints[endpoint]?.last, [variant]: { atMs: Date.parse(at) } };
    endpoints[endpoint] = { last };
  }
  return { ...state, endpoints };
}
