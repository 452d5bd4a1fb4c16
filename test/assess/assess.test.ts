import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { assess, type Memory, readAssessment, type Settings } from "../../lib/assess/assess.ts";
import { recordTick } from "../../lib/assess/record-tick.ts";
import { rules } from "../../lib/assess/rules/table.ts";
import { drillAlert } from "../../lib/assess/text/scheduled-alerts.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { openStore, type Store } from "../../lib/local/store/store.ts";
import type { Ports, Receiver } from "../../lib/ports.ts";
import { type Alert, alert, incidentOf, textOf } from "../../lib/records/alert.ts";
import { weekdays } from "../../lib/records/maintenance.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import type { SubscriptionStatus } from "../../lib/records/subscription-status.ts";
import { shippedSettings } from "../config/shipped.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { fc } from "../random.ts";
import { dayMs, hourMs, minuteMs, tickOf } from "./observation-builder.ts";
import { watch } from "./timeline.ts";

const { decisions: _, ...settings } = shippedSettings;
const startMs = Date.parse("2026-03-02T00:00:00Z");
/** Two days with an outage of three hours on the second, and the end in the night after it. */
const history = watch(startMs, startMs + 2 * dayMs + 3 * hourMs, [
  { fromMs: startMs + dayMs + 7 * hourMs, untilMs: startMs + dayMs + 10 * hourMs },
  { fromMs: startMs + 2 * dayMs, untilMs: startMs + 9 * dayMs, status: 410 },
]);

const folder = makeFolder();
let stores = 0;

function openNew(): Store {
  const opened = openStore(join(folder, `watch-${++stores}.db`), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  return opened.store;
}

type Heard = { alerts: Alert[]; points: MetricPoint[] };

const receiversOf = (heard: Heard, isOut = () => false): Receiver[] => [
  acceptAlerts((alert) => heard.alerts.push(alert), isOut),
];

function portsOf(store: Store, nowMs: () => number, heard: Heard, over: Partial<Ports> = {}): Ports {
  return {
    nowMs,
    readKey: async () => ({ kind: "none" }),
    ledger: store.ledger,
    outbox: store.outbox,
    receivers: receiversOf(heard),
    publishMetrics: async (points) => void heard.points.push(...points),
    ...over,
  };
}

const byTick = (observations: readonly Observation[]) => {
  const ticks = new Map<number, Observation[]>();
  for (const observation of observations) {
    const atMs = Date.parse(observation.at);
    ticks.set(atMs, [...(ticks.get(atMs) ?? []), observation]);
  }
  return [...ticks];
};

async function runInOrder(given: Settings = settings, memory?: Memory) {
  const store = openNew();
  const heard: Heard = { alerts: [], points: [] };
  let nowMs = startMs;
  const ports = portsOf(store, () => nowMs, heard);
  for (const [tickMs, observations] of byTick(history)) {
    nowMs = tickMs + 1_000;
    await recordTick(ports, observations);
    await assess(ports, given, memory);
  }
  const { state } = await readAssessment(store.ledger, given, nowMs);
  store.close();
  return { state, heard, nowMs };
}

let known: ReturnType<typeof runInOrder> | undefined;
/** What all the others are held to; read only. */
const inOrder = () => (known ??= runInOrder());

const incidentsTold = (alerts: readonly Alert[]) =>
  alerts
    .filter(({ rule, event }) => rule !== "digest" && event !== "reminder")
    .map(({ event, rule }) => `${event} ${rule}`);

describe("an assessment", () => {
  test("An assessment reports an outage, its end and V1's removal once each", async () => {
    const { heard } = await inOrder();
    expect(incidentsTold(heard.alerts)).toEqual(["opened down", "resolved down", "opened gone"]);
    expect(new Set(heard.alerts.map(({ id }) => id)).size).toBe(heard.alerts.length);
    const completed = heard.points.filter(({ metric }) => metric === "AssessmentCompleted");
    expect(completed).toHaveLength(byTick(history).length);
    // The day of the outage: a data point with every run, 0 before, 1 during and 0 after it.
    const open = heard.points.filter(({ metric }) => metric === "OpenIncidents");
    const ofDay = open.filter(({ atMs }) => Math.floor((atMs - startMs) / dayMs) === 1);
    const values = ofDay.map(({ values: [value] }) => value);
    expect(values.filter((value, index) => value !== values[index - 1])).toEqual([0, 1, 0]);
    expect(ofDay.length).toBeGreaterThan(24);
  });

  test.each(["authenticated", "anonymous"] as const)(
    "An assessment includes a command to reproduce the fault as an %s request",
    async (primary) => {
      const store = openNew();
      const heard: Heard = { alerts: [], points: [] };
      const nowMs = startMs + hourMs;
      const dead = watch(startMs, nowMs, [{ fromMs: startMs, untilMs: nowMs }]);
      for (const observation of dead)
        await store.ledger.append({
          ...observation,
          variant: primary,
          isPrimary: true,
          id: observation.id.replace("/authenticated/", `/${primary}/`),
        });
      await assess(
        portsOf(store, () => nowMs, heard),
        settings,
      );
      store.close();
      const down = heard.alerts.find(({ rule }) => rule === "down");
      expect(textOf(down!)).toContain("Reproduce   curl ");
      expect(textOf(down!).includes("X-API-KEY")).toBe(primary === "authenticated");
    },
  );

  test("An assessment announces nothing in a maintenance window, records the incident, and announces after it what still fires", async () => {
    const clockOf = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    const quiet = (fromMs: number, toMs: number): Settings => ({
      ...settings,
      maintenance: [{ days: [...weekdays], from: clockOf(fromMs), to: clockOf(toMs), timeZone: "UTC" }],
    });
    const outageMs = startMs + dayMs + 7 * hourMs;
    const over = await runInOrder(quiet(outageMs - hourMs, outageMs + 5 * hourMs), {});
    expect(incidentsTold(over.heard.alerts)).toEqual(["opened gone"]);
    const recorded = over.state.resolved.map(({ rule }) => rule);
    expect(recorded).toEqual((await inOrder()).state.resolved.map(({ rule }) => rule));
    const part = await runInOrder(quiet(outageMs - hourMs, outageMs + 2 * hourMs), {});
    expect(incidentsTold(part.heard.alerts)).toEqual(["opened down", "resolved down", "opened gone"]);
    const [opened] = part.heard.alerts.filter(({ rule }) => rule === "down");
    expect(Date.parse(opened!.at)).toBeGreaterThanOrEqual(outageMs + 2 * hourMs);
  });

  test("An assessment gives the same result with and without the in-memory state", async () => {
    const plain = await inOrder();
    const quick = await runInOrder(settings, {});
    expect(quick.state).toEqual(plain.state);
    expect(quick.heard.alerts.map(({ id }) => id)).toEqual(plain.heard.alerts.map(({ id }) => id));
  });

  describe.each(["one process", "a new process for each run"])("that was broken (%s)", (how) => {
    /** The messages of a day on which no run completes in these hours. */
    async function playBroken(brokenHours: [number, number]): Promise<Alert[]> {
      const store = openNew();
      const heard: Heard = { alerts: [], points: [] };
      let nowMs = startMs;
      const ports = portsOf(store, () => nowMs, heard);
      const memory: Memory = {};
      const [fromMs, untilMs] = brokenHours.map((hour) => startMs + dayMs + hour * hourMs) as [
        number,
        number,
      ];
      for (const [tickMs, observations] of byTick(history)) {
        if (tickMs > startMs + 2 * dayMs) break;
        nowMs = tickMs + 1_000;
        await recordTick(ports, observations);
        if (tickMs < fromMs || tickMs >= untilMs)
          await assess(ports, settings, how === "one process" ? memory : {});
      }
      store.close();
      return heard.alerts.filter(({ rule }) => rule === "down");
    }

    test("An assessment that returns after an outage tells it once, in the past tense", async () => {
      const [only, ...others] = await playBroken([6, 12]);
      expect(others).toEqual([]);
      expect(only).toMatchObject({ event: "resolved", severity: "page" });
      expect(only?.subject).toMatch(/RESOLVED: V1 was down on all 3 endpoints for /);
      expect(textOf(only!)).toContain("all 3 endpoints: from 06:30-07:00 until 09:30-10:00 UTC, 503 in ");
      expect(textOf(only!)).toContain("This is its only alert");
    });

    test.each([
      ["during an outage", [6, 9]],
      ["after an outage of which it had told the beginning", [8, 12]],
    ] as const)("An assessment that returns %s tells its beginning and its end", async (_, [from, until]) => {
      const alerts = await playBroken([from, until]);
      expect(alerts.map(({ event }) => event)).toEqual(["opened", "resolved"]);
      expect(alerts.map(textOf).join()).not.toContain("This is its only alert");
    });
  });

  test("An assessment counts every check once when it runs between two probers of a tick", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    const ports = portsOf(store, () => nowMs, heard);
    const memory: Memory = {};
    const calm = watch(startMs, startMs + 2 * hourMs, []);
    for (const [tickMs, observations] of byTick(calm)) {
      nowMs = tickMs + 1_000;
      await recordTick(ports, observations);
      await assess(ports, settings, memory);
    }
    const tickMs = startMs + 2 * hourMs;
    const notices = { sunset: "2026-12-31T00:00:00.000Z" };
    for (const [index, one] of tickOf(tickMs, { notices }).entries()) {
      nowMs = tickMs + 5_000 * (index + 1);
      const observation = { ...one, at: new Date(tickMs + 5_000 * index).toISOString() };
      await recordTick(ports, [observation]);
      await assess(ports, settings, memory);
    }
    expect(incidentsTold(heard.alerts)).toEqual(["opened sunset"]);
    const { state } = await readAssessment(store.ledger, settings, nowMs);
    expect(state.incidents[0]).toMatchObject({ rule: "sunset", facts: { bad: 3, total: 3 } });
    store.close();
  });

  test("An assessment folds a late observation in its place, with and without the in-memory state", async () => {
    const { state, nowMs } = await inOrder();
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    const ports = portsOf(store, () => nowMs, heard);
    const memory: Memory = {};
    const late = new Set(history.slice(200, 206));
    for (const observation of history) if (!late.has(observation)) await store.ledger.append(observation);
    await assess(ports, settings, memory);
    for (const observation of late) await store.ledger.append(observation);
    const after = await assess(ports, settings, memory);
    expect(after.state).toEqual(state);
    store.close();
  });

  describe("with observations that are stored late", () => {
    const outage = { fromMs: startMs + 2 * hourMs, untilMs: startMs + 4 * hourMs };
    const endMs = startMs + 6 * hourMs;
    /** Each tick is assessed when it has come; what is late comes with the tick an hour later. */
    async function runLate(isLate: (one: Observation) => boolean, remembers: boolean) {
      const store = openNew();
      const heard: Heard = { alerts: [], points: [] };
      let nowMs = startMs;
      const ports = portsOf(store, () => nowMs, heard);
      const memory: Memory = {};
      let waiting: Observation[] = [];
      for (const [tickMs, observations] of byTick(watch(startMs, endMs, [outage]))) {
        nowMs = tickMs + 1_000;
        const due = waiting.filter(({ at }) => Date.parse(at) <= tickMs - hourMs);
        waiting = [...waiting.filter((one) => !due.includes(one)), ...observations.filter(isLate)];
        await recordTick(ports, [...due, ...observations.filter((one) => !isLate(one))]);
        await assess(ports, settings, remembers ? memory : {});
      }
      store.close();
      return heard.alerts.filter(({ rule }) => rule !== "digest");
    }
    const isOutage = ({ at }: Observation) =>
      Date.parse(at) >= outage.fromMs && Date.parse(at) < outage.fromMs + hourMs;

    test.each([true, false])(
      "An assessment with observations that are stored late ends the announced incident of one endpoint that turns out to be of all, with memory: %s",
      async (remembers) => {
        const alerts = await runLate((one) => isOutage(one) && one.endpoint !== "passport-list", remembers);
        const [first] = alerts;
        expect(first).toMatchObject({ event: "opened", rule: "down", scope: "endpoint" });
        const withdrawn = alerts.find(
          (one) => one.event === "resolved" && incidentOf(one) === incidentOf(first!),
        );
        expect(withdrawn?.subject).toMatch(
          /^\[v1watch\] RESOLVED: V1.* down.*, now part of another incident$/,
        );
        // Whatever the checks that came one by one made of it, all of it ends, the last one for all endpoints.
        const idsOf = (event: Alert["event"]) => alerts.filter((one) => one.event === event).map(incidentOf);
        expect(idsOf("resolved").toSorted()).toEqual(idsOf("opened").toSorted());
        expect(alerts.at(-1)).toMatchObject({ event: "resolved", scope: "api" });
        for (const one of alerts) expect(alert.parse(one)).toEqual(one);
      },
    );

    test.each(endpointIds)(
      "An assessment with observations that are stored late ends every announced incident once, where those of %s are late",
      async (late) => {
        const alerts = await runLate((one) => isOutage(one) && one.endpoint === late, true);
        const incidentsWith = (event: Alert["event"]) =>
          alerts.filter((one) => one.event === event).map(incidentOf);
        expect(incidentsWith("resolved").toSorted()).toEqual(incidentsWith("opened").toSorted());
        expect(new Set(incidentsWith("opened")).size).toBe(incidentsWith("opened").length);
      },
    );

    test("An assessment with observations that are stored late ends nothing where the clock has jumped back", async () => {
      const store = openNew();
      const heard: Heard = { alerts: [], points: [] };
      let nowMs = startMs;
      const ports = portsOf(store, () => nowMs, heard);
      const memory: Memory = {};
      const down = watch(startMs, outage.untilMs, [outage]);
      for (const [tickMs, observations] of byTick(down)) {
        nowMs = tickMs + 1_000;
        await recordTick(ports, observations);
        await assess(ports, settings, memory);
      }
      nowMs = startMs + 15 * minuteMs;
      await recordTick(ports, watch(nowMs, nowMs + 1, []));
      await assess(ports, settings, memory);
      expect(incidentsTold(heard.alerts)).toEqual(["opened down"]);
      store.close();
    });
  });

  test("An assessment folds a long backlog in parts and ends in the same state", async () => {
    const { state, nowMs } = await inOrder();
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    const commits: number[] = [];
    const ledger: Store["ledger"] = {
      ...store.ledger,
      // An index that lags behind: what was just marked is still listed once.
      async commit(assessment) {
        const isOurs = await store.ledger.commit(assessment);
        lagging = assessment.folded;
        commits.push(assessment.folded.length);
        return isOurs;
      },
      async backlog() {
        const { version, unassessed } = await store.ledger.backlog();
        const listed = [...lagging, ...unassessed];
        lagging = [];
        return { version, unassessed: listed };
      },
    };
    let lagging: Parameters<Store["ledger"]["commit"]>[0]["folded"] = [];
    const ports = portsOf(store, () => nowMs, heard, { ledger });
    for (const observation of history) await store.ledger.append(observation);
    const after = await assess(ports, settings, {}, { observationsAtOnce: 100 });
    expect(after.state).toEqual(state);
    expect(commits.length).toBe(3);
    expect(commits.reduce((sum, count) => sum + count, 0)).toBe(history.length);
    // The outage was over before any of it was assessed.
    expect(incidentsTold(heard.alerts)).toEqual(["resolved down", "opened gone"]);
    store.close();
  });

  test("An assessment stops at a checkpoint near its deadline, is not completed, and continues in the next run", async () => {
    const { state, nowMs: endMs } = await inOrder();
    let nowMs = endMs;
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    const ports = portsOf(store, () => nowMs, heard);
    for (const observation of history) await store.ledger.append(observation);
    // A report of half of it would be a wrong one.
    await expect(readAssessment(store.ledger, settings, nowMs, () => true)).rejects.toThrow(/too far behind/);
    const reached: string[] = [];
    let level: string | undefined;
    // Without a memory, as in a function that starts cold each time.
    for (let run = 1; level === undefined; run++) {
      const { outlook, state: known } = await assess(ports, settings, {}, { untilMs: nowMs });
      level = outlook?.level;
      reached.push(known.lastAt ?? "");
      const pointsOf = (name: string) => heard.points.filter(({ metric }) => metric === name);
      expect(pointsOf("OpenIncidents")).toHaveLength(run);
      expect(pointsOf("AssessmentCompleted")).toHaveLength(level === undefined ? 0 : 1);
      expect(run).toBeLessThan(20);
      nowMs += 15 * minuteMs;
    }
    expect(level).toBe("imminent");
    expect(reached.length).toBeGreaterThan(3);
    expect(reached).toEqual([...new Set(reached)].sort());
    expect((await readAssessment(store.ledger, settings, endMs)).state).toEqual(state);
    // What comes late from the first day is no other matter.
    const [late] = watch(startMs + 7 * 60_000, startMs + 8 * 60_000, []);
    await store.ledger.append(late!);
    let last = await assess(ports, settings, {}, { untilMs: nowMs });
    for (let run = 0; run < 20 && !last.outlook; run++)
      last = await assess(ports, settings, {}, { untilMs: nowMs });
    expect(last.outlook?.level).toBe("imminent");
    expect((await store.ledger.backlog()).unassessed).toEqual([]);
    store.close();
  });

  test("An assessment ends in the same state after 2,000 duplicated and reordered appends as in order", async () => {
    const { state, nowMs } = await inOrder();
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    const ports = portsOf(store, () => nowMs, heard);
    const random = fc.sample(fc.integer({ min: 0, max: history.length - 1 }), {
      numRuns: 2_000 - history.length,
      seed: 7,
    });
    const shuffled = [...history.keys(), ...random]
      .map((index) => ({ index, rank: (index * 7919 + 13) % 1009 }))
      .sort((a, b) => a.rank - b.rank);
    for (const [count, { index }] of shuffled.entries()) {
      await store.ledger.append(history[index]!);
      // Now and then somebody judges what is there so far.
      if (count % 500 === 0) await assess(ports, settings);
    }
    await assess(ports, settings);
    const after = await readAssessment(store.ledger, settings, nowMs);
    expect(after.state).toEqual(state);
    store.close();
  });

  test("An assessment repeats and loses no alert after a crash between the outbox and the commit", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    let calls = 0;
    const commit: Ports["ledger"]["commit"] = async (given) => {
      if (calls++ % 3 === 0) throw new Error("the process died here");
      return store.ledger.commit(given);
    };
    const ports = portsOf(store, () => nowMs, heard, { ledger: { ...store.ledger, commit } });
    let memory: Memory = {};
    for (const [tickMs, observations] of byTick(history)) {
      nowMs = tickMs + 1_000;
      await recordTick(ports, observations);
      await assess(ports, settings, memory).catch(() => {
        memory = {};
      });
    }
    await assess(ports, settings).catch(() => assess(ports, settings));
    expect(incidentsTold(heard.alerts)).toEqual(["opened down", "resolved down", "opened gone"]);
    store.close();
  });

  test("An assessment loses no alert in three hours without SNS", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    const outage = { fromMs: startMs + dayMs + 7 * hourMs, untilMs: startMs + dayMs + 10 * hourMs };
    const isOut = () => nowMs >= outage.fromMs && nowMs < outage.untilMs;
    const good = portsOf(store, () => nowMs, heard);
    const ports = { ...good, receivers: receiversOf(heard, isOut) };
    const memory: Memory = {};
    for (const [tickMs, observations] of byTick(history)) {
      nowMs = tickMs + 1_000;
      await recordTick(ports, observations);
      await assess(ports, settings, memory);
    }
    expect(incidentsTold(heard.alerts)).toEqual(["opened down", "resolved down", "opened gone"]);
    const [opened] = heard.alerts.filter(({ event }) => event === "opened");
    expect(Date.parse(opened!.at)).toBeLessThan(outage.fromMs + hourMs);
    store.close();
  });

  test("An assessment publishes with every run that it was completed, the open incidents, the undelivered alerts and the budget", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    const ports = portsOf(store, () => nowMs, heard);
    for (; nowMs < startMs + hourMs; nowMs += 15 * minuteMs) await assess(ports, settings);
    const minutesOf = (name: string) =>
      heard.points.filter(({ metric }) => metric === name).map(({ atMs }) => (atMs - startMs) / minuteMs);
    for (const name of ["AssessmentCompleted", "OpenIncidents", "UndeliveredAlerts", "BudgetLeft"])
      expect(minutesOf(name), name).toEqual([0, 15, 30, 45]);
    expect(new Set(heard.points.map(({ metric }) => metric)).size).toBe(4);
    store.close();
  });

  test("An assessment without CloudWatch is made to its end, and says what could not be published", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    const publishMetrics = () => Promise.reject(new Error("throttled"));
    const failed: { id: string; to: string }[] = [];
    const { outlook } = await assess(
      portsOf(store, () => startMs, heard, { publishMetrics }),
      settings,
      {},
      { log: { onFailed: ({ id, to }) => failed.push({ id, to }) } },
    );
    expect(outlook).toBeDefined();
    expect(failed).toEqual([{ id: "assessment 2026-03-02T00:00:00.000Z", to: "metrics" }]);
    store.close();
  });

  test.each([
    ["a rule", ["slow"]],
    ["every rule", rules.map(({ id }) => id)],
  ])(
    "An assessment in which %s throws is not completed, nor are the runs after it until a check was judged without a failure",
    async (_, failing) => {
      const store = openNew();
      const heard: Heard = { alerts: [], points: [] };
      let nowMs = startMs;
      let isBroken = false;
      for (const rule of rules.filter(({ id }) => failing.includes(id))) {
        const { mark, markTick } = rule;
        vi.spyOn(rule, "mark").mockImplementation((...given) => {
          if (isBroken) throw new RangeError();
          return mark(...given);
        });
        if (markTick)
          vi.spyOn(rule, "markTick").mockImplementation((...given) => {
            if (isBroken) throw new RangeError();
            return markTick(...given);
          });
      }
      const ports = portsOf(store, () => nowMs, heard);
      const memory: Memory = {};
      const runs: boolean[] = [];
      for (let run = 0; run < 24; run++) {
        nowMs = startMs + run * 5 * minuteMs;
        isBroken = run >= 6 && run < 18;
        if (run % 6 === 0) await recordTick(ports, tickOf(nowMs));
        heard.points.length = 0;
        await assess(ports, settings, memory);
        runs.push(heard.points.some(({ metric }) => metric === "AssessmentCompleted"));
      }
      expect(runs).toEqual(Array.from({ length: 24 }, (_, run) => run < 6 || run >= 18));
      store.close();
      vi.restoreAllMocks();
    },
  );

  test("An assessment publishes the number of undelivered alerts until they are delivered", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    const good = portsOf(store, () => nowMs, heard);
    let isOut = true;
    const alerts = acceptAlerts(
      (alert) => heard.alerts.push(alert),
      () => isOut,
    );
    const ports = { ...good, receivers: [alerts] };
    const given = { ...settings, retirementDate: "2026-06-10" };
    await recordTick(ports, watch(startMs, startMs + hourMs, []).slice(0, 3));
    // The countdown waits from the first day on.
    for (
      const day = startMs + 12 * dayMs;
      nowMs < day + 2 * hourMs;
      nowMs = Math.max(day, nowMs + 5 * minuteMs)
    )
      await assess(ports, given);
    const waiting = () =>
      heard.points.filter(({ metric, values }) => metric === "UndeliveredAlerts" && values[0] !== 0);
    expect(heard.alerts).toEqual([]);
    expect(waiting().length).toBeGreaterThanOrEqual(7);
    const before = waiting().length;
    isOut = false;
    for (const end = nowMs + hourMs; nowMs < end; nowMs += 5 * minuteMs) await assess(ports, given);
    expect(heard.alerts.length).toBeGreaterThan(0);
    expect(waiting().length).toBeLessThanOrEqual(before + 1);
    store.close();
  });

  test("An assessment does not count an alert from another process as undelivered when it is delivered", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    const ports = portsOf(store, () => nowMs, heard);
    for (const minute of [0, 35, 70]) {
      nowMs = startMs + minute * minuteMs;
      const alert = drillAlert(new Date(nowMs).toISOString());
      await store.outbox.put([{ id: alert.id, kind: "alert", alert }]);
      nowMs += 4 * minuteMs;
      await assess(ports, settings);
    }
    expect(heard.alerts).toHaveLength(3);
    const undelivered = heard.points.filter(({ metric }) => metric === "UndeliveredAlerts");
    expect(undelivered.map(({ values }) => values)).toEqual([[0], [0], [0]]);
    store.close();
  });

  test("An assessment checks subscriptions at every assessment until all are confirmed, then daily, with one alert a day until then and a RESOLVED", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    const at = new Date(startMs).toISOString();
    let status: SubscriptionStatus = {
      at,
      expected: 3,
      confirmed: 1,
      unconfirmed: ["email t***@example.com"],
    };
    let reads = 0;
    const readSubscriptions = async () => {
      reads += 1;
      return status;
    };
    const ports = portsOf(store, () => nowMs, heard, { readSubscriptions });
    const memory: Memory = {};
    for (; nowMs < startMs + 2 * dayMs; nowMs += hourMs) await assess(ports, settings, memory);
    // A second process reads them again, and its alert has the same id.
    await assess(ports, settings, {});
    expect(await store.ledger.subscriptionStatus()).toEqual({ ...status, confirmedSince: at });
    status = { at, expected: 3, confirmed: 4, unconfirmed: [] };
    for (; nowMs < startMs + 4 * dayMs; nowMs += hourMs) await assess(ports, settings, memory);
    // Every hour for two days, once by the second process, and once a day for the two days after that.
    expect(reads).toBe(48 + 1 + 2);
    expect(heard.alerts.map(({ id, severity }) => `${id} ${severity}`)).toEqual([
      "subscriptions-20260302/1-opened warning",
      "subscriptions-20260302/2-reminder warning",
      "subscriptions-20260302/3-reminder warning",
      "subscriptions-20260302/4-resolved warning",
    ]);
    expect(heard.alerts.at(-1)?.subject).toBe("[v1watch] RESOLVED: All subscriptions get alerts");
    expect(await store.outbox.announced()).toEqual([]);
    expect(heard.alerts[0]?.subject).toBe("[v1watch] WARNING: 2 subscriptions get no alerts");
    expect(textOf(heard.alerts[0]!)).toContain(
      "1 not confirmed (email t***@example.com), 1 missing (unsubscribed, deleted or never confirmed).",
    );
    const points = heard.points.filter(({ metric }) => metric === "UnconfirmedSubscriptions");
    // With every check of the subscriptions.
    expect(points).toHaveLength(reads);
    const values = points.map(({ values: [value] }) => value);
    expect(values.filter((value, index) => value !== values[index - 1])).toEqual([2, 0]);
    for (const one of heard.alerts) expect(alert.parse(one)).toEqual(one);
    store.close();
  });

  test("An assessment sends no alert and publishes nothing about subscriptions that SNS does not list", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    const readSubscriptions = () => Promise.reject(new Error("AuthorizationError"));
    await assess(
      portsOf(store, () => startMs, heard, { readSubscriptions }),
      settings,
    );
    expect(heard.alerts).toEqual([]);
    expect(heard.points.map(({ metric }) => metric)).not.toContain("UnconfirmedSubscriptions");
    store.close();
  });

  test("An assessment sends one alert a month about a nearly spent budget, and its end with the next month", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    const ports = portsOf(store, () => nowMs, heard);
    const spent = { "2026-03": 4_910 };
    await store.ledger.writeProbeState({ ...emptyProbeState, spent }, 0);
    for (nowMs of [startMs, startMs + hourMs, startMs + dayMs]) await assess(ports, settings);
    expect(heard.alerts.map(({ rule }) => rule)).toEqual(["budget"]);
    expect(textOf(heard.alerts[0]!)).toContain("90 of 5,000 requests are left this month");
    // No request was ever made with a key.
    expect(textOf(heard.alerts[0]!)).not.toContain("X-API-KEY");
    // In a maintenance window, too.
    const maintenance = [{ days: [...weekdays], from: "00:00", to: "00:00", timeZone: "UTC" }];
    for (nowMs of [Date.parse("2026-04-01T00:10:00Z"), Date.parse("2026-04-02T00:10:00Z")])
      await assess(ports, { ...settings, maintenance });
    expect(heard.alerts.map(({ id, subject }) => [id, subject]).slice(1)).toEqual([
      ["budget-202603/2-resolved", "[v1watch] RESOLVED: The request budget is enough again"],
    ]);
    expect(textOf(heard.alerts[1]!)).toContain("5,000 requests are left this month.");
    store.close();
  });

  test("An assessment sends one countdown alert a step, and again when the date moves", async () => {
    const store = openNew();
    const heard: Heard = { alerts: [], points: [] };
    let nowMs = startMs;
    const ports = portsOf(store, () => nowMs, heard);
    for (let day = 0; day <= 100; day++) {
      nowMs = startMs + day * dayMs + 12 * hourMs;
      await recordTick(ports, watch(nowMs, nowMs + hourMs, []).slice(0, 3));
      await assess(ports, { ...settings, retirementDate: "2026-06-10" });
      await assess(ports, { ...settings, retirementDate: "2026-06-10" });
    }
    const steps = heard.alerts
      .filter(({ event }) => event === "countdown")
      .map(({ id }) => id.slice(id.lastIndexOf("/") + 1));
    expect(steps).toEqual([
      "90-countdown",
      "60-countdown",
      "30-countdown",
      "14-countdown",
      "7-countdown",
      "3-countdown",
      "1-countdown",
      "0-countdown",
    ]);
    await assess(ports, { ...settings, retirementDate: "2026-06-20" });
    expect(heard.alerts.at(-1)?.id).toBe("countdown-20260620/14-countdown");
    store.close();
  });
});
