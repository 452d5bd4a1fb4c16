// The watch loop on one machine: timing, clock changes, a full disk, and delivery of alerts until they are accepted.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import type { Channel } from "../../lib/delivery/channels/channel.ts";
import { createChannel } from "../../lib/delivery/channels/index.ts";
import { createDeliverer, deliverPending } from "../../lib/delivery/outbox.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../../lib/local/simulation.ts";
import { openStore, type Store } from "../../lib/local/store/store.ts";
import {
  createProcessState,
  type Degraded,
  type WatchInput,
  type WatchTick,
  watchOnce,
} from "../../lib/local/watch.ts";
import { watch } from "../../lib/local/watch-loops.ts";
import type { Failed, Ports } from "../../lib/ports.ts";
import { alertEvents } from "../../lib/records/alert.ts";
import { severities } from "../../lib/records/incident.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { startRig } from "./monitor-rig.ts";
import { acceptAlerts } from "./receivers.ts";
import { sampleAlert, sentences } from "./samples.ts";
import { makeFolder } from "./temporary-folder.ts";

const folder = makeFolder();
const cleanups: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanups) await cleanUp();
});

let files = 0;

async function prepare(wrap: (store: Store) => Store = (store) => store) {
  const simulation = await startSimulation({ passports: 60 });
  const path = join(folder, `watch-${files++}.db`);
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const store = wrap(opened.store);
  cleanups.push(
    () => opened.store.close(),
    () => simulation.simulator.close(),
  );
  const fast = configForSimulator(simulation.simulator.url, 10, path);
  const config = { ...fast, cadence: { ...fast.cadence, rare: "10m" } };
  const clock = { nowMs: Date.parse("2026-11-15T00:00:00Z") };
  const ports: Ports = {
    nowMs: () => clock.nowMs,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    ledger: store.ledger,
    outbox: store.outbox,
    receivers: [],
  };
  const stopping = new AbortController();
  const ticks: WatchTick[] = [];
  const input: WatchInput = {
    config,
    ports,
    settings: assessmentSettings(config),
    allowLoopback: true,
    signal: stopping.signal,
    onTick: (tick) => ticks.push(tick),
  };
  return { simulation, store: opened.store, clock, ports, input, ticks, stopping };
}

const diskFull: Failed = { kind: "failed", why: "disk-full" };
const notStored: Degraded = { what: "observations cannot be stored", why: "disk-full" };

/** A store that refuses every write while `isFull`. */
function refuseWritesWhenFull(disk: { isFull: boolean }) {
  return (store: Store): Store => ({
    ...store,
    ledger: {
      ...store.ledger,
      append: async (observation) => (disk.isFull ? diskFull : store.ledger.append(observation)),
      writeProbeState: async (probeState, version) =>
        disk.isFull ? diskFull : store.ledger.writeProbeState(probeState, version),
    },
    outbox: {
      ...store.outbox,
      put: async (messages) => (disk.isFull ? diskFull : store.outbox.put(messages)),
    },
  });
}

describe("the watch loop", () => {
  test("The watch loop runs one tick after a long suspension, not all missed ticks", async () => {
    const { input, clock, ticks, stopping, simulation } = await prepare();
    let waits = 0;
    await watch({
      ...input,
      async wait(ms, _signal, ended) {
        if (ended) return ended;
        waits += 1;
        clock.nowMs += waits === 2 ? 8 * 3_600_000 : ms;
        if (waits === 3) stopping.abort();
      },
    });
    // Rare variants are a part of their own.
    const made = [...Map.groupBy(ticks, ({ tickMs }) => tickMs).values()];
    expect(made).toHaveLength(3);
    // Every endpoint once, each with a rare variant.
    expect(made[2]?.flatMap(({ observations }) => observations).length).toBeLessThanOrEqual(6);
    expect(simulation.simulator.requests()).toBeLessThan(16);
  });

  test("The watch loop sends a message that another process put into the outbox within a minute, between ticks", async () => {
    const { input, clock, ticks, stopping, store } = await prepare();
    const [sentIds, waits]: [string[], number[]] = [[], []];
    input.config = { ...input.config, cadence: { ...input.config.cadence, calm: "30m" } };
    const receiver = acceptAlerts(({ id }) => sentIds.push(id));
    input.deliverAlerts = createDeliverer(
      store.outbox,
      () => [receiver],
      () => clock.nowMs,
    ).start;
    const drill = sampleAlert(1);
    input.wait = async (ms, _signal, ended) => {
      if (ended) return ended;
      waits.push(ms);
      clock.nowMs += ms;
      if (waits.length === 6) await store.outbox.put([{ id: drill.id, kind: "alert", alert: drill }]);
      // The delivery runs beside the loop.
      await nextTurn();
      if (waits.length === 7) stopping.abort();
      if (waits.length === 7) expect(sentIds).toEqual([drill.id]);
    };
    await watch(input);
    expect(waits.slice(-3)).toEqual([15_000, 15_000, 15_000]);
    expect(ticks.length).toBeLessThan(4);
    expect(sentIds).toEqual([drill.id]);
  });

  test("The watch loop continues at its normal cadence after the clock is set back", async () => {
    const { input, clock, ports } = await prepare();
    const processState = createProcessState(ports);
    await watchOnce(input, processState);
    clock.nowMs -= 30 * 86_400_000;
    const tick = await watchOnce(input, processState);
    expect(tick.observations.length).toBeGreaterThan(0);
    expect(tick.nextTickMs - clock.nowMs).toBeLessThanOrEqual(10_000);
  });

  test.each(["between ticks", "during a tick"])(
    "The watch loop does not pause for the length of a clock change %s",
    async (when) => {
      const { input, clock, stopping } = await prepare();
      const { cadence, variants } = input.config;
      const off = Object.fromEntries(Object.keys(variants).map((name) => [name, false])) as typeof variants;
      input.config = { ...input.config, cadence: { ...cadence, calm: "30m" }, variants: off };
      let waitedMs = 0;
      /** The times of the ticks, on a clock that does not change. */
      const tickTimesMs: number[] = [];
      let clockChange: { atMs: number; ticks: number } | undefined;
      const setClockBackOnce = () => {
        if (clockChange) return;
        clockChange = { atMs: waitedMs, ticks: tickTimesMs.length };
        clock.nowMs -= 8 * 3_600_000;
      };
      await watch({
        ...input,
        onTick() {
          tickTimesMs.push(waitedMs);
          if (when === "during a tick" && tickTimesMs.length === 2) setClockBackOnce();
          if (waitedMs > 2 * 3_600_000) stopping.abort();
        },
        async wait(ms, _signal, ended) {
          if (ended) return ended;
          waitedMs += ms;
          clock.nowMs += ms;
          if (when === "between ticks" && waitedMs > 3 * 60_000) setClockBackOnce();
        },
      });
      expect(tickTimesMs[clockChange?.ticks ?? 0]).toBe(clockChange?.atMs);
      // Later ticks follow the normal cadence.
      expect(tickTimesMs.length).toBeLessThan(20);
    },
  );

  test("The watch loop continues on a full disk without exceeding its cadence, reports it as degraded, and loses no observation", async () => {
    const disk = { isFull: true };
    const { input, clock, ports, simulation, store } = await prepare(refuseWritesWhenFull(disk));
    const processState = createProcessState(ports);
    const observedIds: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      const tick = await watchOnce(input, processState);
      observedIds.push(...tick.observations.map(({ id }) => id));
      expect(tick.degraded).toEqual(notStored);
      clock.nowMs += 2_000;
    }
    // 24 s at a cadence of 10 s: three checks of each endpoint, the first of all, and one rare variant a slot.
    expect(simulation.simulator.requests()).toBeLessThanOrEqual(20);
    disk.isFull = false;
    const tick = await watchOnce(input, processState);
    expect(tick.degraded).toBeUndefined();
    const storedIds = store.history.observationRows({ limit: 500 }).map(({ id }) => id);
    expect(storedIds.toSorted()).toEqual(
      [...observedIds, ...tick.observations.map(({ id }) => id)].toSorted(),
    );
    expect(tick.assessment?.state.observations).toBe(storedIds.length);
    expect((await store.ledger.readProbeState())?.value.spent["2026-11"]).toBe(
      simulation.simulator.requests(),
    );
  });

  test("The watch loop assesses a tick when all of it is stored, and not a part of it", async () => {
    let isRefused = true;
    const { input, clock, ports } = await prepare((store) => ({
      ...store,
      ledger: {
        ...store.ledger,
        append: async (observation) =>
          isRefused && observation.endpoint === "passport" ? diskFull : store.ledger.append(observation),
      },
    }));
    const processState = createProcessState(ports);
    const partly = await watchOnce(input, processState);
    expect(partly.observations.length).toBeGreaterThan(1);
    expect(partly).toMatchObject({ assessment: undefined, degraded: notStored });
    isRefused = false;
    clock.nowMs += 10_000;
    const whole = await watchOnce(input, processState);
    expect(whole.assessment?.state.observations).toBe(partly.observations.length + whole.observations.length);
  });

  test("The watch loop goes on when the store cannot be read at its first tick, and requests nothing without a plan", async () => {
    let isBroken = true;
    const { input, clock, ports, simulation } = await prepare((store) => ({
      ...store,
      ledger: {
        ...store.ledger,
        readProbeState: async () =>
          isBroken ? Promise.reject(new Error("disk-error")) : store.ledger.readProbeState(),
      },
    }));
    const processState = createProcessState(ports);
    expect(await watchOnce(input, processState)).toMatchObject({
      observations: [],
      degraded: { what: "checks cannot be made", why: "disk-error" },
      nextTickMs: clock.nowMs + 60_000,
    });
    expect(simulation.simulator.requests()).toBe(0);
    isBroken = false;
    clock.nowMs += 60_000;
    const { observations, degraded } = await watchOnce(input, processState);
    expect(degraded).toBeUndefined();
    expect(observations.length).toBeGreaterThan(2);
  });

  test("The watch loop stores nothing of a tick that is aborted", async () => {
    const { input, ports, simulation, stopping, store } = await prepare();
    simulation.inject("hang", undefined);
    setTimeout(() => stopping.abort(), 200);
    const tick = await watchOnce(input, createProcessState(ports));
    expect(tick.observations).toEqual([]);
    expect(store.history.firstMs()).toBeUndefined();
  });
});

describe("/healthz", () => {
  test("/healthz returns 503 SILENT if a tick is overdue, or if the last tick is in the future after a clock change", async () => {
    const clock = { nowMs: Date.parse("2026-11-15T12:00:00Z") };
    const rig = await startRig({ nowMs: () => clock.nowMs });
    cleanups.push(() => rig.stop());
    await rig.monitor.once();
    const healthAfterClockChange = async (ms: number) => {
      clock.nowMs += ms;
      const response = await fetch(`${rig.url}/healthz`);
      clock.nowMs -= ms;
      return [response.status, await response.text()];
    };
    const hourMs = 3_600_000;
    expect(await healthAfterClockChange(0)).toEqual([200, "ok\n"]);
    // A small correction of the clock is not a fault.
    expect(await healthAfterClockChange(-2_000)).toEqual([200, "ok\n"]);
    expect(await healthAfterClockChange(8 * hourMs)).toEqual([
      503,
      expect.stringMatching(/^SILENT: the next tick is .* overdue\nUNKNOWN: no check since 12:00 UTC$/m),
    ]);
    expect(await healthAfterClockChange(-8 * hourMs)).toEqual([
      503,
      expect.stringMatching(
        /^SILENT: the last tick is 8 h in the future, because the clock was set back\nUNKNOWN: the latest check is dated in the future, at [^\n]*\n$/,
      ),
    ]);
  });
});

describe("a degraded store", () => {
  test("A degraded store makes /healthz return 503 with the reason, while the page still works", async () => {
    const disk = { isFull: false };
    const rig = await startRig({ wrapStore: refuseWritesWhenFull(disk) });
    cleanups.push(() => rig.stop());
    disk.isFull = true;
    await rig.monitor.once();
    const response = await fetch(`${rig.url}/healthz`);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("DEGRADED: observations cannot be stored (disk-full)");
    const { health } = (await (await fetch(`${rig.url}/api/summary`)).json()) as { health: unknown };
    expect(health).toMatchObject({ state: "DEGRADED", why: "observations cannot be stored (disk-full)" });
  });

  test("A degraded store is reported once in every channel, whatever the channel wants, and once when it saves again", async () => {
    const disk = { isFull: false };
    const sent: string[] = [];
    const channel = (name: string, isOut = () => false): Channel => ({
      name,
      type: "webhook",
      reachesPeople: true,
      wants: () => false,
      async send({ subject }) {
        if (isOut()) throw new Error("away");
        sent.push(`${name}: ${subject}`);
        return acceptedByReceiver();
      },
    });
    const clock = { nowMs: Date.now() };
    const isAway = { second: true };
    const rig = await startRig({
      wrapStore: refuseWritesWhenFull(disk),
      channels: [channel("first"), channel("second", () => isAway.second)],
      nowMs: () => clock.nowMs,
    });
    cleanups.push(() => rig.stop());
    await rig.monitor.once();
    expect(sent).toEqual([]);
    disk.isFull = true;
    for (let tick = 0; tick < 5; tick += 1, clock.nowMs += 60_000) await rig.monitor.once();
    const opened = "[v1watch] PAGE: The store cannot save (disk-full): no alert about V1 can be sent";
    expect(sent).toEqual([`first: ${opened}`]);
    isAway.second = false;
    clock.nowMs += 900_000;
    await rig.monitor.once();
    expect(sent).toEqual([`first: ${opened}`, `second: ${opened}`]);
    disk.isFull = false;
    clock.nowMs += 60_000;
    await rig.monitor.once();
    clock.nowMs += 60_000;
    await rig.monitor.once();
    const resolved = "[v1watch] RESOLVED: The store saves again";
    expect(sent.slice(2).toSorted()).toEqual([`first: ${resolved}`, `second: ${resolved}`]);
  });
});

describe("an alert", () => {
  const startWebhook = (statuses: number[]) => {
    const bodies: string[] = [];
    const http = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        bodies.push(body);
        response.writeHead(statuses.shift() ?? 200, { Location: "http://127.0.0.1:1/" }).end();
      });
    });
    cleanups.push(() => void http.close());
    return new Promise<{ url: string; bodies: string[]; stop(): void }>((resolve) =>
      http.listen(0, "127.0.0.1", () =>
        resolve({
          url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`,
          bodies,
          stop: () => http.close(),
        }),
      ),
    );
  };

  const openWebhook = (url: string) =>
    createChannel(
      {
        type: "webhook",
        name: "hook",
        format: "text",
        url: { env: "HOOK" },
        severities: [...severities],
        events: [...alertEvents],
      },
      { readSecret: async () => url, print: () => {} },
    );

  test("An alert is retried until the webhook accepts it, and not sent twice to a channel that accepted it", async () => {
    const { url, bodies } = await startWebhook([500, 302, 200]);
    const { store } = await prepare();
    const printed: string[] = [];
    const channels = [acceptAlerts(({ id }) => printed.push(id)), await openWebhook(url)];
    const alert = sampleAlert(1, { sections: sentences("a < b & c > d") });
    await store.outbox.put([{ id: alert.id, kind: "alert", alert }]);
    const status = () => store.outbox.status({ name: "hook" });
    await deliverPending(store.outbox, channels, () => 0);
    expect(await status()).toMatchObject({ waiting: 1, failing: { why: "status 500" } });
    await deliverPending(store.outbox, channels, () => 60_000);
    expect(await status()).toMatchObject({ waiting: 1, failing: { why: "status 302" } });
    await deliverPending(store.outbox, channels, () => 120_000);
    expect(await status()).toEqual({ waiting: 0, setAside: [], deliveredAt: "1970-01-01T00:02:00.000Z" });
    expect(printed).toEqual([alert.id]);
    expect(bodies).toHaveLength(3);
    const sent = JSON.parse(bodies[2] ?? "{}") as { text: string; alert: unknown };
    expect(sent.alert).toEqual(alert);
    expect(sent.text).toBe(`*${alert.subject}*\na &lt; b &amp; c &gt; d\n`);
  });

  test("An alert stays in the outbox while the webhook is unreachable, and no message contains the webhook's URL", async () => {
    const ticks: string[] = [];
    const closed = await startWebhook([]);
    closed.stop();
    const rig = await startRig({
      channels: [await openWebhook(`${closed.url}/very-secret-path`)],
      onTick: (tick) => ticks.push(JSON.stringify(tick)),
    });
    cleanups.push(() => rig.stop());
    await rig.store.outbox.put([{ id: sampleAlert(1).id, kind: "alert", alert: sampleAlert(1) }]);
    await rig.monitor.once();
    expect(await rig.store.outbox.pending({ name: "hook" }, 10)).toHaveLength(1);
    const health = await (await fetch(`${rig.url}/healthz`)).text();
    expect(health).toContain("1 alert not delivered yet");
    expect(health).toMatch(/channel hook has been failing since .*Z \(ECONNREFUSED\), 1 alert waiting/);
    const summary = await (await fetch(`${rig.url}/api/summary`)).json();
    const { channels } = (summary as { health: { channels: unknown } }).health;
    expect(channels).toMatchObject([
      { name: "hook", type: "webhook", state: "failing", why: "ECONNREFUSED" },
    ]);
    expect(ticks.join() + health + JSON.stringify(channels)).not.toContain("very-secret-path");
  });
});
