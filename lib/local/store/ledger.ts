// The ledger on the embedded store. Every call is one statement or one transaction.
import type { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { dayOf, type Ledger } from "../../ports.ts";
import type { Decision } from "../../records/incident.ts";
import type { SubscriptionStatus } from "../../records/metric-point.ts";
import type { Observation } from "../../records/observation.ts";
import type { ProbeState } from "../../records/probe-state.ts";
import type { HealthTracker } from "./health.ts";
import { transact } from "./schema.ts";

/** Rows are read in pages, so that no read transaction stays open between two rows that a caller consumes. */
const pageRows = 500;

export function createLedger(db: DatabaseSync, { write, tryWrite }: HealthTracker): Ledger {
  const insert = db.prepare(
    `INSERT INTO observation (id, at_ms, body) SELECT ?1, ?2, ?3
     WHERE ?2 >= (SELECT value FROM metadata WHERE name = 'pruned_before_ms') ON CONFLICT (id) DO NOTHING`,
  );
  const page = db.prepare(
    `SELECT id, at_ms AS atMs, body FROM observation
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
  const checkpoint = db.prepare("SELECT day, state FROM checkpoint WHERE day <= ? ORDER BY day DESC LIMIT 1");
  const probeState = db.prepare("SELECT version, body FROM probe_state");
  const insertState = db.prepare("INSERT INTO probe_state VALUES (1, 1, ?) ON CONFLICT DO NOTHING");
  const updateState = db.prepare("UPDATE probe_state SET version = version + 1, body = ? WHERE version = ?");
  const decide = db.prepare("INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?)");
  const decisions = db.prepare("SELECT body FROM decision ORDER BY at_ms, kind, subject");
  const saveSubscriptions = db.prepare("INSERT OR REPLACE INTO subscription_status VALUES (1, ?)");
  const subscriptions = db.prepare("SELECT body FROM subscription_status");
  const readMetadata = (name: string) => (metadata.get(name) as { value: number }).value;

  return {
    async append(observation) {
      const atMs = Date.parse(observation.at);
      return tryWrite(() => {
        if (insert.run(observation.id, atMs, JSON.stringify(observation)).changes > 0) return { kind: "new" };
        return { kind: atMs < readMetadata("pruned_before_ms") ? "too-old" : "known" };
      });
    },
    async *observations(fromMs, untilMs) {
      let [lastMs, lastId] = [fromMs, ""];
      while (true) {
        const rows = page.all(lastMs, lastId, untilMs) as { id: string; atMs: number; body: string }[];
        for (const { body } of rows) yield JSON.parse(body) as Observation;
        const last = rows.at(-1);
        if (!last || rows.length < pageRows) return;
        [lastMs, lastId] = [last.atMs, last.id];
      }
    },
    async backlog() {
      const version = readMetadata("commits");
      const rows = backlog.all() as { id: string; atMs: number }[];
      return {
        version,
        unassessed: rows.map(({ id, atMs }) => ({ id, at: new Date(atMs).toISOString() })),
      };
    },
    async commit({ version, folded, checkpoints }) {
      const compressed = checkpoints.map(({ day, state }) => [day, gzipSync(JSON.stringify(state))] as const);
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
      const row = checkpoint.get(day) as { day: string; state: Uint8Array } | undefined;
      return row && { day: row.day, state: JSON.parse(gunzipSync(row.state).toString()) };
    },
    async readProbeState() {
      const row = probeState.get() as { version: number; body: string } | undefined;
      return row && { value: JSON.parse(row.body) as ProbeState, version: row.version };
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
      return (decisions.all() as { body: string }[]).map(({ body }) => JSON.parse(body) as Decision);
    },
    async saveSubscriptionStatus(status) {
      write(() => saveSubscriptions.run(JSON.stringify(status)));
    },
    async subscriptionStatus() {
      const row = subscriptions.get() as { body: string } | undefined;
      return row && (JSON.parse(row.body) as SubscriptionStatus);
    },
  };
}
