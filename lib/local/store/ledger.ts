// The ledger on the embedded store. Every call is one statement or one transaction.
import type { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { dayOf, type Ledger } from "../../ports.ts";
import { spend } from "../../probe/schedule/probe-state.ts";
import { storedSettings } from "../../records/assessment-settings.ts";
import type { Observation } from "../../records/observation.ts";
import { emptyProbeState, type ProbeState } from "../../records/probe-state.ts";
import {
  decisionKey,
  type HealthTracker,
  outOfOrder,
  type RowReader,
  type TextRow,
  transact,
} from "./health.ts";

/** Rows are read in pages, so that no read transaction stays open between two rows that a caller consumes. */
const pageRows = 500;

export function createLedger(
  db: DatabaseSync,
  { write, tryWrite, note }: HealthTracker,
  { read }: RowReader,
): Ledger {
  const insert = db.prepare(
    `INSERT INTO observation (id, at_ms, body) SELECT ?1, ?2, ?3
     WHERE ?2 >= (SELECT value FROM metadata WHERE name = 'pruned_before_ms') ON CONFLICT (id) DO NOTHING`,
  );
  const page = db.prepare(
    `SELECT seq AS rowid, id AS key, at_ms AS atMs, body AS text FROM observation
     WHERE (at_ms, id) > (?, ?) AND at_ms < ? ORDER BY at_ms, id LIMIT ${pageRows}`,
  );
  const backlog = db.prepare(
    "SELECT id, at_ms AS atMs FROM observation WHERE assessed = 0 ORDER BY at_ms, id",
  );
  const metadata = db.prepare("SELECT value FROM metadata WHERE name = ?");
  const commits = db.prepare("UPDATE metadata SET value = value + 1 WHERE name = 'commits' AND value = ?");
  const assess = db.prepare("UPDATE observation SET assessed = 1 WHERE id = ?");
  const drop = db.prepare("DELETE FROM checkpoint WHERE day > ?");
  const save = db.prepare("INSERT OR REPLACE INTO checkpoint VALUES (?, ?)");
  const checkpoint = db.prepare(
    "SELECT rowid, day AS key, state AS text FROM checkpoint WHERE day <= ? AND day < ? ORDER BY day DESC LIMIT 1",
  );
  const probeState = db.prepare(
    "SELECT one AS rowid, 'probe state' AS key, version, body AS text FROM probe_state",
  );
  const insertState = db.prepare("INSERT INTO probe_state VALUES (1, 1, ?) ON CONFLICT DO NOTHING");
  const updateState = db.prepare("UPDATE probe_state SET version = version + 1, body = ? WHERE version = ?");
  const replaceState = db.prepare("INSERT OR REPLACE INTO probe_state VALUES (1, ?, ?)");
  const decide = db.prepare("INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?)");
  const decisions = db.prepare(
    "SELECT rowid, at_ms AS atMs, kind, subject, body AS text FROM decision ORDER BY at_ms, kind, subject",
  );
  const saveSubscriptions = db.prepare("INSERT OR REPLACE INTO subscription_status VALUES (1, ?)");
  const subscriptions = db.prepare(
    "SELECT one AS rowid, 'subscription status' AS key, body AS text FROM subscription_status",
  );
  const saveSettings = db.prepare("INSERT OR REPLACE INTO assessment_settings VALUES (1, ?)");
  const settings = db.prepare(
    "SELECT one AS rowid, 'assessment settings' AS key, body AS text FROM assessment_settings",
  );
  const readMetadata = (name: string) => (metadata.get(name) as { value: number }).value;

  async function* observations(fromMs: number, untilMs: number): AsyncGenerator<Observation> {
    let [lastMs, lastId] = [fromMs, ""];
    while (true) {
      const rows = page.all(lastMs, lastId, untilMs) as (TextRow & { atMs: number })[];
      for (const row of rows) {
        const observation = read("observation", row);
        if (observation) yield observation;
      }
      const last = rows.at(-1);
      if (!last || rows.length < pageRows) return;
      if (last.atMs < lastMs || (last.atMs === lastMs && last.key <= lastId)) throw note(outOfOrder());
      [lastMs, lastId] = [last.atMs, last.key];
    }
  }

  return {
    async append(observation) {
      const atMs = Date.parse(observation.at);
      return tryWrite(() => {
        if (insert.run(observation.id, atMs, JSON.stringify(observation)).changes > 0) return { kind: "new" };
        return { kind: atMs < readMetadata("pruned_before_ms") ? "too-old" : "known" };
      });
    },
    observations,
    async backlog() {
      const version = readMetadata("commits");
      const rows = backlog.all() as { id: string; atMs: number }[];
      return {
        version,
        unassessed: rows.map(({ id, atMs }) => ({ id, at: new Date(atMs).toISOString() })),
      };
    },
    async commit({ version, folded, checkpoints }) {
      const compressed = checkpoints.map(
        ({ day, state }) => [day, gzipSync(JSON.stringify({ day, state }))] as const,
      );
      const firstDay = folded.map(({ at }) => dayOf(at)).toSorted()[0];
      return write(() =>
        transact(db, () => {
          if (commits.run(version).changes === 0) return false;
          for (const { id } of folded) assess.run(id);
          if (firstDay) drop.run(firstDay);
          for (const [day, state] of compressed) save.run(day, state);
          return true;
        }),
      );
    },
    async checkpointAt(day) {
      for (let before = "9999"; ; ) {
        const row = checkpoint.get(day, before) as TextRow | undefined;
        const found = row && read("checkpoint", row);
        // The assessment of an unreadable checkpoint is computed again from the one before it.
        if (!row || found) return found;
        if (row.key >= before) throw note(outOfOrder());
        before = row.key;
      }
    },
    async readProbeState() {
      const row = probeState.get() as (TextRow & { version: number }) | undefined;
      const value = row && read("probe_state", row);
      if (!row || value) return row && value && { value, version: row.version };
      const rebuilt = await rebuildProbeState(observations(0, Number.MAX_SAFE_INTEGER));
      // Nobody may use the version of the damaged state any more.
      const version = row.version + 1;
      const written = tryWrite(() => replaceState.run(version, JSON.stringify(rebuilt)));
      return { value: rebuilt, version: "kind" in written ? row.version : version };
    },
    async writeProbeState(value, version) {
      const body = JSON.stringify(value);
      return tryWrite(() => {
        const { changes } = version === 0 ? insertState.run(body) : updateState.run(body, version);
        return { kind: changes > 0 ? "written" : "conflict" };
      });
    },
    async decide(decision) {
      const { at, kind, subject } = decision;
      write(() => decide.run(Date.parse(at), kind, subject, JSON.stringify(decision)));
    },
    async decisions() {
      const rows = decisions.all() as (TextRow & { atMs: number; kind: string; subject: string })[];
      return rows.flatMap(
        (row) => read("decision", { ...row, key: decisionKey(row.atMs, row.kind, row.subject) }) ?? [],
      );
    },
    async saveSubscriptionStatus(status) {
      write(() => saveSubscriptions.run(JSON.stringify(status)));
    },
    async subscriptionStatus() {
      const row = subscriptions.get() as TextRow | undefined;
      return row && read("subscription_status", row);
    },
    async saveSettings(given) {
      write(() => saveSettings.run(JSON.stringify(storedSettings.parse(given))));
    },
    async settings() {
      const row = settings.get() as TextRow | undefined;
      return row && read("assessment_settings", row);
    },
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
