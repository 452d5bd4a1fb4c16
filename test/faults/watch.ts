// The watch on one machine for virtual weeks, on a store of SQLite, with channels of every type, while ports and channels
// fail by a plan. What is left afterwards is read from the file by SQL, and compared with the same weeks without faults.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import type { Config } from "../../lib/config/config.ts";
import { createDeliverer } from "../../lib/delivery/outbox.ts";
import { createVirtualTransport } from "../../lib/local/replay.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { createProcessState, watchOnce } from "../../lib/local/watch.ts";
import type { Ports } from "../../lib/ports.ts";
import { type Alert, incidentOf } from "../../lib/records/alert.ts";
import type { Decision } from "../../lib/records/incident.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { configure } from "../config/configure.ts";
import { describeHits, peopleOf } from "../sentinels.ts";
import { startStoryServer } from "../stories/server.ts";
import {
  type Behaviour,
  DAY,
  ENDPOINTS,
  HOUR,
  MINUTE,
  STORY_KEY,
  type Story,
  unit,
} from "../stories/types.ts";
import { openChannels, repeatKey } from "./channels.ts";
import { type FaultPlan, type Outage, planFaults } from "./plan.ts";
import { breakPorts } from "./ports.ts";

export type WatchRun = {
  /** As the probe made them. */
  observations: Observation[];
  /** Of the channels, in the order of arrival. */
  accepted: ReadonlyMap<string, readonly string[]>;
  /** By channel and alert id: the copies that a fault explains. */
  repeated: ReadonlyMap<string, number>;
  points: MetricPoint[];
  decisions: Decision[];
  degradedTicks: number;
  /** Exceptions that would have ended the process. */
  crashes: string[];
  plan: FaultPlan;
  stored: Stored;
  /** Where the key or a person was kept. */
  leaks: string[];
};

/** What the file of the store contains, read without the code of the store. */
export type Stored = {
  observations: Map<string, string>;
  unassessed: number;
  alerts: Map<string, Alert>;
  undelivered: string[];
  decisions: string[];
  spent: Record<string, number>;
};

const effects: readonly Behaviour["effect"][] = [
  { kind: "respond", status: 503 },
  { kind: "reset" },
  { kind: "respond", status: 401 },
  { kind: "truncate" },
  { kind: "field", op: "remove", path: "score" },
  { kind: "empty-list" },
];

/** One fault of V1 in most days, of a kind, a length and with endpoints that the seed decides. */
export function storyOf(seed: number, days: number): Story {
  const start = "2026-03-02T00:00:00Z";
  const at = (day: number, minutes: number) => `${day}d${Math.floor(minutes)}m`;
  const timeline = Array.from({ length: days }, (_, day): Behaviour[] => {
    const random = (what: string) => unit(seed, "v1", what, day);
    if (random("is calm") < 0.3) return [];
    const from = 60 + random("from") * 900;
    const isWhole = random("whole") < 0.5;
    return [
      {
        from: at(day, from),
        to: at(day, from + 30 + random("length") * 240),
        ...(!isWhole && { endpoints: [ENDPOINTS[Math.floor(random("endpoint") * 3)] ?? "passport"] }),
        effect: effects[Math.floor(random("effect") * effects.length)] ?? { kind: "reset" },
      },
    ];
  }).flat();
  return {
    name: `faults-${seed}`,
    kind: "fault",
    description: "faults of V1 on most days",
    start,
    days,
    seed,
    timeline,
    truth: { messages: [], maxPages: 0, maxMessages: 0 },
  };
}

/** `calm`: how often each endpoint is checked, where it is not the default. */
export function configOf(baseUrl: string, calm?: string): Config {
  const cadence = calm === undefined ? {} : { calm };
  return configure({ baseUrl, cadence, retention: { observationDays: 400 } });
}

/** Somebody records a decision every day, and again until it is acknowledged. */
const decisionOf = (atMs: number): Decision => ({
  schema: "v1watch/decision/1",
  kind: "ack",
  subject: "down-20200101T0000Z",
  reason: "seen",
  at: new Date(atMs).toISOString(),
});

/** After the last fault the watch has so long to catch up. */
const calmMs = 8 * HOUR;
const deliverEveryMs = 15_000;
const maxStepMs = HOUR;

export type WatchOptions = {
  story: Story;
  path: string;
  seed: number;
  share: number;
  outShare?: number;
  outages?: readonly Outage[];
};

export async function runWatch({ story, path, ...faults }: WatchOptions): Promise<WatchRun> {
  const startMs = Date.parse(story.start);
  const endMs = startMs + story.days * DAY;
  const clock = { nowMs: startMs };
  const nowMs = () => clock.nowMs;
  const plan = planFaults({ ...faults, nowMs });
  const opened = openStore(path, { mode: "own", nowMs });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  // Otherwise a random key would be in the hashes of the observations.
  await store.ledger.writeProbeState({ ...emptyProbeState, hashKey: `faults-${story.seed}` }, 0);
  const server = await startStoryServer(story);
  const { channels, accepted, repeated, close: closeChannels } = await openChannels(plan);
  const { transport, close: closeTransport } = createVirtualTransport();
  const config = configOf(server.url);
  const sentinels = await readSentinels(server.url, story);
  const points: MetricPoint[] = [];
  const ports: Ports = breakPorts(
    {
      nowMs,
      ledger: store.ledger,
      outbox: store.outbox,
      readKey: async () => ({ kind: "key", key: STORY_KEY }),
      receivers: [],
      publishMetrics: async (given) => void points.push(...given),
      readSubscriptions: async () => ({
        at: new Date(clock.nowMs).toISOString(),
        expected: 1,
        confirmed: 1,
        unconfirmed: [],
      }),
    },
    plan,
    (receiver, id) => {
      const key = repeatKey(receiver, id);
      repeated.set(key, (repeated.get(key) ?? 0) + 1);
    },
  );
  const deliverer = createDeliverer(ports.outbox, () => channels, nowMs);
  const observations: Observation[] = [];
  const input = {
    config,
    ports,
    settings: assessmentSettings(config),
    allowLoopback: true,
    transport,
    signal: new AbortController().signal,
    deliverAlerts: deliverer.start,
    onTick() {},
    onObservation: (one: Observation) => void observations.push(one),
  };
  const processState = createProcessState(ports);
  const decisions: Decision[] = [];
  const crashes: string[] = [];
  let degradedTicks = 0;
  let undecided: Decision[] = [];

  async function decide(): Promise<void> {
    const today = decisionOf(Math.floor(clock.nowMs / DAY) * DAY);
    if (!decisions.some(({ at }) => at === today.at)) {
      decisions.push(today);
      undecided.push(today);
    }
    const refused: Decision[] = [];
    for (const one of undecided) await ports.ledger.decide(one).catch(() => refused.push(one));
    undecided = refused;
  }

  try {
    while (clock.nowMs < endMs + calmMs) {
      if (clock.nowMs >= endMs) plan.end();
      await decide();
      const tick = await watchOnce(input, processState).catch((error: Error) => {
        crashes.push(`${new Date(clock.nowMs).toISOString()}: ${error.message}`);
        return { degraded: undefined, nextTickMs: clock.nowMs + MINUTE };
      });
      if (tick.degraded) degradedTicks += 1;
      await deliverer.settle();
      const nextMs = Math.min(clock.nowMs + maxStepMs, Math.max(clock.nowMs + 1_000, tick.nextTickMs));
      // As in the loop of the watch: retries are sent between ticks.
      while (clock.nowMs + deliverEveryMs < nextMs && (await store.outbox.undelivered()).count > 0) {
        clock.nowMs += deliverEveryMs;
        deliverer.start();
        await deliverer.settle();
      }
      clock.nowMs = nextMs;
    }
    return {
      observations,
      accepted,
      repeated,
      points,
      decisions,
      degradedTicks,
      crashes,
      plan,
      stored: readStore(path),
      // The store is open, so that its log is there.
      leaks: describeHits(
        {
          "the store": readFileSync(path),
          "its log": readFileSync(`${path}-wal`),
          "the metrics": JSON.stringify(points),
        },
        sentinels,
      ),
    };
  } finally {
    closeTransport();
    await closeChannels();
    await server.close();
    store.close();
  }
}

/** The key, and the people on the first page of the list. */
export async function readSentinels(url: string, { start }: Story): Promise<string[]> {
  const headers = { "X-API-KEY": STORY_KEY, "X-V1watch-Clock": start };
  const list = await (await fetch(`${url}/api/v1/passports`, { headers })).json();
  return [STORY_KEY, ...peopleOf(list as Parameters<typeof peopleOf>[0])];
}

/** A folder for stores, in memory where there is one: the store writes to its disk with every call. */
export async function withFolder<T>(work: (path: (name: string) => string) => Promise<T>): Promise<T> {
  const memory = "/dev/shm";
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "v1watch-faults-"));
  try {
    return await work((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function readStore(path: string): Stored {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = <Row>(sql: string) => db.prepare(sql).all() as Row[];
    const messages = rows<{ body: string }>("SELECT body FROM outbox_message");
    const alerts = messages.map(({ body }) => (JSON.parse(body) as { alert: Alert }).alert);
    const [state] = rows<{ body: string }>("SELECT body FROM probe_state");
    return {
      observations: new Map(
        rows<{ id: string; body: string }>("SELECT id, body FROM observation").map(({ id, body }) => [
          id,
          body,
        ]),
      ),
      unassessed: rows("SELECT id FROM observation WHERE assessed = 0").length,
      alerts: new Map(alerts.map((alert) => [alert.id, alert])),
      undelivered: rows<{ name: string }>(
        "SELECT receiver || ' ' || message_id || ' ' || state AS name FROM delivery WHERE state <> 'delivered'",
      ).map(({ name }) => name),
      decisions: rows<{ body: string }>("SELECT body FROM decision ORDER BY at_ms").map(({ body }) => body),
      spent: (JSON.parse(state?.body ?? "{}") as { spent?: Record<string, number> }).spent ?? {},
    };
  } finally {
    db.close();
  }
}

/** What of one is missing in the other, as sentences. */
export function compare(what: string, expected: Iterable<string>, found: Iterable<string>): string[] {
  const [left, right] = [new Set(expected), new Set(found)];
  const missing = [...left].filter((one) => !right.has(one));
  const extra = [...right].filter((one) => !left.has(one));
  return [
    ...(missing.length > 0
      ? [`${missing.length} ${what} are missing, such as ${missing.slice(0, 3).join(", ")}`]
      : []),
    ...(extra.length > 0
      ? [`${extra.length} ${what} are too many, such as ${extra.slice(0, 3).join(", ")}`]
      : []),
  ];
}

const numberOf = (id: string) => Number(/\/(\d+)-/.exec(id)?.[1] ?? 0);

/** The copies of each message and the order of the messages of each incident, in every channel. */
export function judgeArrivals(
  alerts: ReadonlySet<string>,
  accepted: ReadonlyMap<string, readonly string[]>,
  repeated: ReadonlyMap<string, number>,
): string[] {
  return [...accepted].flatMap(([channel, ids]) => {
    const first = [...new Set(ids)];
    const repeats = first.flatMap((id) => {
      const copies = ids.filter((one) => one === id).length;
      const explained = 1 + (repeated.get(repeatKey(channel, id)) ?? 0);
      return copies > explained
        ? [`${channel} got ${id} ${copies} times, of which ${explained} are explained`]
        : [];
    });
    const disorder = first.flatMap((id, index) => {
      const isOvertaken = first
        .slice(0, index)
        .some((other) => incidentOf({ id: other }) === incidentOf({ id }) && numberOf(other) > numberOf(id));
      return isOvertaken ? [`${channel} got ${id} after a later message of its incident`] : [];
    });
    return [...compare(`alerts in ${channel}`, alerts, first), ...repeats, ...disorder];
  });
}

const pointName = ({ metric, endpoint, atMs, values }: MetricPoint) =>
  JSON.stringify([metric, endpoint, atMs, values]);

/** Data points of checks; those of the assessment are missing where the store was out. */
const checkPoints = ({ points }: WatchRun) =>
  points.filter(({ endpoint }) => endpoint !== undefined).map(pointName);

/** A digest is written when the assessment of the day has come; all others by the clock of the checks. */
const outline = ({ alerts }: Stored) =>
  [...alerts.values()].map(({ id, event, at, subject, sections }) =>
    event === "digest"
      ? id
      : JSON.stringify({ id, at, subject, sections }).replaceAll(/127\.0\.0\.1:\d+/g, "V1"),
  );

/** Everything that is wrong after a run with faults. */
export function judgeRun(run: WatchRun, calm: WatchRun): string[] {
  const { stored, observations } = run;
  const made = new Map(observations.map((one) => [one.id, JSON.stringify(one)]));
  const changed = [...made].filter(([id, body]) => stored.observations.get(id) !== body);
  return [
    ...run.crashes.map((crash) => `the watch ended at ${crash}`),
    ...(changed.length > 0 ? [`${changed.length} observations are not stored as they were made`] : []),
    ...compare("observations", calm.stored.observations.keys(), stored.observations.keys()),
    ...(stored.unassessed > 0 ? [`${stored.unassessed} observations are not assessed`] : []),
    ...compare("alerts", outline(calm.stored), outline(stored)),
    ...judgeArrivals(new Set(stored.alerts.keys()), run.accepted, run.repeated),
    ...(stored.undelivered.length > 0 ? [`not delivered: ${stored.undelivered.slice(0, 3).join(", ")}`] : []),
    ...compare("data points of checks", checkPoints(calm), checkPoints(run)),
    ...compare(
      "decisions",
      run.decisions.map((one) => JSON.stringify(one)),
      stored.decisions,
    ),
    ...judgeBudget(calm.stored.spent, stored.spent),
    ...run.leaks,
  ];
}

/** Where two writes in a row fail and the first was done after all, its requests are counted twice, and never not at all. */
const maxCountedTwice = 0.01;

function judgeBudget(sent: Record<string, number>, counted: Record<string, number>): string[] {
  return Object.keys({ ...sent, ...counted }).flatMap((month) => {
    const [expected = 0, found = 0] = [sent[month], counted[month]];
    const isRight = found >= expected && found <= expected * (1 + maxCountedTwice);
    return isRight ? [] : [`${found} requests of ${month} are counted, and ${expected} were sent`];
  });
}
