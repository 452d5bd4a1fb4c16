// The ports of a replay: everything is in memory, for as long as the process lives.

import {
  type Backlog,
  type Checkpoint,
  dayOf,
  type Ledger,
  messageAtMs,
  type Outbox,
  type OutboxMessage,
} from "../ports.ts";
import { type Alert, listUnresolved } from "../records/alert.ts";
import type { StoredSettings } from "../records/assessment-settings.ts";
import type { Decision } from "../records/incident.ts";
import type { Observation } from "../records/observation.ts";
import type { ProbeState } from "../records/probe-state.ts";
import type { SubscriptionStatus } from "../records/subscription-status.ts";
import { dayMs } from "../time.ts";

/** An assessment reads no observations from before its latest checkpoints. */
const keptMs = 10 * dayMs;
const keptCheckpoints = 12;

const byTime = (a: Observation, b: Observation) =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1;

export function createMemoryLedger(start: ProbeState): Ledger {
  let observations: Observation[] = [];
  let ids = new Set<string>();
  let unassessed: Backlog["unassessed"] = [];
  let checkpoints: Checkpoint[] = [];
  let commits = 0;
  let probeState = { value: start, version: 1 };
  const decisions: Decision[] = [];
  let subscriptions: SubscriptionStatus | undefined;
  let settings: StoredSettings | undefined;

  /** By days, so that it happens rarely. */
  function forget(newestMs: number): void {
    const [first] = observations;
    if (!first || newestMs - Date.parse(first.at) < 2 * keptMs) return;
    const fromAt = new Date(newestMs - keptMs).toISOString();
    observations = observations.filter(({ at }) => at >= fromAt);
    ids = new Set(observations.map(({ id }) => id));
  }

  return {
    async saveSubscriptionStatus(status) {
      subscriptions = status;
    },
    subscriptionStatus: async () => subscriptions,
    async saveSettings(given) {
      settings = given;
    },
    settings: async () => settings,
    async append(observation) {
      if (ids.has(observation.id)) return { kind: "known" };
      ids.add(observation.id);
      const last = observations.at(-1);
      observations.push(observation);
      if (last && byTime(last, observation) > 0) observations.sort(byTime);
      unassessed.push({ id: observation.id, at: observation.at });
      forget(Date.parse(observation.at));
      return { kind: "new" };
    },
    async *observations(fromMs, untilMs) {
      const [fromAt, untilAt] = [fromMs, Math.min(untilMs, 8.64e15)].map((ms) => new Date(ms).toISOString());
      let index = observations.length;
      while (index > 0 && (observations[index - 1]?.at ?? "") >= String(fromAt)) index -= 1;
      for (const observation of observations.slice(index)) {
        if (observation.at >= String(untilAt)) return;
        yield observation;
      }
    },
    async backlog() {
      return { version: commits, unassessed: unassessed.toSorted((a, b) => (a.at < b.at ? -1 : 1)) };
    },
    async commit({ version, folded, checkpoints: added }) {
      if (version !== commits) return false;
      commits += 1;
      const done = new Set(folded.map(({ id }) => id));
      unassessed = unassessed.filter(({ id }) => !done.has(id));
      const firstDay = folded.map(({ at }) => dayOf(at)).toSorted()[0];
      const kept = checkpoints.filter(
        ({ day }) => (firstDay === undefined || day <= firstDay) && !added.some((one) => one.day === day),
      );
      checkpoints = [...kept, ...added].sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-keptCheckpoints);
      return true;
    },
    checkpointAt: async (day) => checkpoints.findLast((one) => one.day <= day),
    readProbeState: async () => probeState,
    async writeProbeState(value, version) {
      if (version !== probeState.version) return { kind: "conflict" };
      probeState = { value, version: version + 1 };
      return { kind: "written" };
    },
    async decide(decision) {
      decisions.push(decision);
    },
    decisions: async () => decisions,
  };
}

export function createMemoryOutbox(): Outbox {
  const known = new Set<string>();
  let waiting: OutboxMessage[] = [];
  let unresolved: Alert[] = [];
  return {
    announced: async () => unresolved,
    async put(messages) {
      for (const message of messages) {
        if (known.has(message.id)) continue;
        known.add(message.id);
        unresolved = listUnresolved([...unresolved, message.alert]);
        waiting.push(message);
      }
      return { kind: "kept" };
    },
    async subscribe() {},
    pending: async (_receiver, limit) =>
      waiting
        .toSorted((a, b) => messageAtMs(a) - messageAtMs(b))
        .slice(0, limit)
        .map((message) => ({ message, tries: 0, nextTryMs: 0 })),
    async record({ id }, _receiver, { state }) {
      if (state !== "waiting") waiting = waiting.filter((message) => message.id !== id);
    },
    undelivered: async () => ({ count: waiting.length, oldestMs: waiting[0] && messageAtMs(waiting[0]) }),
    status: async () => ({ waiting: waiting.length, setAside: [] }),
  };
}
