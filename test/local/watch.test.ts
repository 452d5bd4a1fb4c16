// The watch on one machine: one tick at a time, honest on a bad disk, and every alert until it is accepted.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { assessmentSettings } from "../../lib/config/config.ts";
import { type Channel, createDelivery, createWebhook } from "../../lib/delivery/channels/webhook.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../../lib/local/simulation.ts";
import { openStore, type Store } from "../../lib/local/store/store.ts";
import { freshCarry, type WatchInput, type WatchTick, watch, watchOnce } from "../../lib/local/watch.ts";
import type { Failed, Ports } from "../../lib/ports.ts";
import { startRig } from "./monitor-rig.ts";
import { sampleAlert } from "./samples.ts";
import { makeFolder } from "./temporary-folder.ts";

const folder = makeFolder();
const closing: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

let files = 0;

async function prepare(wrap: (store: Store) => Store = (store) => store) {
  const simulation = await startSimulation({ passports: 60 });
  const path = join(folder, `watch-${files++}.db`);
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const store = wrap(opened.store);
  closing.push(
    () => opened.store.close(),
    () => simulation.simulator.close(),
  );
  const config = { ...configForSimulator(simulation.simulator.url, 10, path) };
  const clock = { nowMs: Date.parse("2026-11-15T00:00:00Z") };
  const ports: Ports = {
    nowMs: () => clock.nowMs,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    ledger: store.ledger,
    outbox: store.outbox,
    delivery: { alert: async () => {}, metrics: async () => {} },
  };
  const stopping = new AbortController();
  const ticks: WatchTick[] = [];
  const input: WatchInput = {
    ...{ config, ports, settings: assessmentSettings(config), allowLoopback: true, signal: stopping.signal },
    onTick: (tick) => ticks.push(tick),
  };
  return { simulation, store: opened.store, clock, ports, input, ticks, stopping };
}

const full: Failed = { kind: "failed", why: "disk-full" };

/** A disk that takes nothing while `isFull`. */
function fillable(disk: { isFull: boolean }) {
  return (store: Store): Store => ({
    ...store,
    ledger: {
      ...store.ledger,
      append: async (one) => (disk.isFull ? full : store.ledger.append(one)),
      writeProbeState: async (probeState, version) =>
        disk.isFull ? full : store.ledger.writeProbeState(probeState, version),
    },
    outbox: { ...store.outbox, put: async (messages) => (disk.isFull ? full : store.outbox.put(messages)) },
  });
}

describe("the watch", () => {
  test("after a long sleep makes one tick, not all that it missed", async () => {
    const { input, clock, ticks, stopping, simulation } = await prepare();
    let waits = 0;
    await watch({
      ...input,
      async wait(ms) {
        waits += 1;
        clock.nowMs += waits === 2 ? 8 * 3_600_000 : ms;
        if (waits === 3) stopping.abort();
      },
    });
    expect(ticks).toHaveLength(3);
    // Every endpoint once, each with a rare variant.
    expect(ticks[2]?.observations.length).toBeLessThanOrEqual(6);
    expect(simulation.simulator.requests()).toBeLessThan(16);
  });

  test("sends while it rests what somebody lays into its outbox, within a minute", async () => {
    const { input, clock, ticks, stopping, store } = await prepare();
    const [told, waits]: [string[], number[]] = [[], []];
    input.config = { ...input.config, cadence: { ...input.config.cadence, calm: "30m" } };
    input.ports.delivery = { alert: async ({ id }) => void told.push(id), metrics: async () => {} };
    const drill = sampleAlert(1);
    input.wait = async (ms) => {
      waits.push(ms);
      clock.nowMs += ms;
      if (waits.length === 6) await store.outbox.put([{ id: drill.id, kind: "alert", alert: drill }]);
      if (waits.length === 7) stopping.abort();
      if (waits.length === 7) expect(told).toEqual([drill.id]);
    };
    await watch(input);
    expect(waits.slice(-3)).toEqual([60_000, 60_000, 60_000]);
    expect(ticks.length).toBeLessThan(4);
    expect(told).toEqual([drill.id]);
  });

  test("whose clock is set back goes on, at its own cadence", async () => {
    const { input, clock, ports } = await prepare();
    const processState = freshCarry(ports);
    await watchOnce(input, processState);
    clock.nowMs -= 30 * 86_400_000;
    const tick = await watchOnce(input, processState);
    expect(tick.observations.length).toBeGreaterThan(0);
    expect(tick.nextTickMs - clock.nowMs).toBeLessThanOrEqual(10_000);
  });

  test.each(["while it rests", "during a tick"])(
    "whose clock is set back %s does not sleep for as long as the jump",
    async (when) => {
      const { input, clock, stopping } = await prepare();
      input.config = { ...input.config, cadence: { ...input.config.cadence, calm: "30m" } };
      let waitedMs = 0;
      /** By a clock that does not jump. */
      const tickedMs: number[] = [];
      let jumped: { atMs: number; ticks: number } | undefined;
      const jumpOnce = () => {
        if (jumped) return;
        jumped = { atMs: waitedMs, ticks: tickedMs.length };
        clock.nowMs -= 8 * 3_600_000;
      };
      await watch({
        ...input,
        onTick() {
          tickedMs.push(waitedMs);
          if (when === "during a tick" && tickedMs.length === 2) jumpOnce();
          if (waitedMs > 2 * 3_600_000) stopping.abort();
        },
        async wait(ms) {
          waitedMs += ms;
          clock.nowMs += ms;
          if (when === "while it rests" && waitedMs > 3 * 60_000) jumpOnce();
        },
      });
      expect(tickedMs[jumped?.ticks ?? 0]).toBe(jumped?.atMs);
      // And then at its own cadence.
      expect(tickedMs.length).toBeLessThan(20);
    },
  );

  test("on a full disk keeps probing, says so, spends no more than its cadence, and loses nothing", async () => {
    const disk = { isFull: true };
    const { input, clock, ports, simulation, store } = await prepare(fillable(disk));
    const processState = freshCarry(ports);
    const seen: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      const tick = await watchOnce(input, processState);
      seen.push(...tick.observations.map(({ id }) => id));
      expect(tick.degraded).toEqual(full);
      clock.nowMs += 2_000;
    }
    // 24 s with a slot every 3.3 s: at most 10 checks, and eight rare variants once.
    expect(simulation.simulator.requests()).toBeLessThanOrEqual(18);
    disk.isFull = false;
    const tick = await watchOnce(input, processState);
    expect(tick.degraded).toBeUndefined();
    const kept = store.history.briefs(undefined, Number.MAX_SAFE_INTEGER, 500).map(({ id }) => id);
    expect(kept.toSorted()).toEqual([...seen, ...tick.observations.map(({ id }) => id)].toSorted());
    expect(tick.assessment?.state.observations).toBe(kept.length);
    expect((await store.ledger.readProbeState())?.value.spent["2026-11"]).toBe(
      simulation.simulator.requests(),
    );
  });

  test("stopped in the middle of a tick keeps no half of it", async () => {
    const { input, ports, simulation, stopping, store } = await prepare();
    simulation.inject("hang", undefined);
    setTimeout(() => stopping.abort(), 200);
    const tick = await watchOnce(input, freshCarry(ports));
    expect(tick.observations).toEqual([]);
    expect(store.history.rows().observations).toBe(0);
  });
});

describe("/healthz", () => {
  test("calls a watch silent that is late, or whose last tick lies ahead of a clock that was set back", async () => {
    const clock = { nowMs: Date.parse("2026-11-15T12:00:00Z") };
    const rig = await startRig(makeFolder(), { nowMs: () => clock.nowMs });
    closing.push(() => rig.stop());
    await rig.monitor.once();
    const afterJump = async (ms: number) => {
      clock.nowMs += ms;
      const response = await fetch(`${rig.url}/healthz`);
      clock.nowMs -= ms;
      return [response.status, await response.text()];
    };
    const hourMs = 3_600_000;
    expect(await afterJump(0)).toEqual([200, "ok\n"]);
    // As clocks are corrected now and then.
    expect(await afterJump(-2_000)).toEqual([200, "ok\n"]);
    expect(await afterJump(8 * hourMs)).toEqual([503, expect.stringMatching(/^SILENT: no tick for /m)]);
    expect(await afterJump(-8 * hourMs)).toEqual([
      503,
      "ok\nSILENT: the last tick is 8 h ahead of the clock, which was set back\n",
    ]);
  });
});

describe("a degraded store", () => {
  test("is a 503 with words, and the page still answers", async () => {
    const disk = { isFull: false };
    const rig = await startRig(makeFolder(), { wrapStore: fillable(disk) });
    closing.push(() => rig.stop());
    disk.isFull = true;
    await rig.monitor.once();
    const response = await fetch(`${rig.url}/healthz`);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("DEGRADED: the store says disk-full");
    const { health } = (await (await fetch(`${rig.url}/api/summary`)).json()) as { health: unknown };
    expect(health).toMatchObject({ state: "DEGRADED", why: "disk-full" });
  });
});

describe("an alert", () => {
  const server = (answers: number[]) => {
    const bodies: string[] = [];
    const http = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        bodies.push(body);
        response.writeHead(answers.shift() ?? 200, { Location: "http://127.0.0.1:1/" }).end();
      });
    });
    closing.push(() => void http.close());
    return new Promise<{ url: string; bodies: string[] }>((resolve) =>
      http.listen(0, "127.0.0.1", () =>
        resolve({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`, bodies }),
      ),
    );
  };

  test("is tried again until the webhook accepts it; what has accepted it is not told twice", async () => {
    const { url, bodies } = await server([500, 302, 200]);
    const said: string[] = [];
    const console: Channel = { name: "the console", send: async ({ id }) => void said.push(id) };
    const delivered: string[] = [];
    const delivery = createDelivery(
      [console, createWebhook(url)],
      () => {},
      ({ id }) => delivered.push(id),
    );
    const alert = sampleAlert(1, { body: "a < b & c > d" });
    await expect(delivery.alert(alert)).rejects.toThrow("not accepted by the webhook");
    await expect(delivery.alert(alert)).rejects.toThrow();
    await delivery.alert(alert);
    expect(said).toEqual([alert.id]);
    expect(delivered).toEqual([alert.id]);
    expect(bodies).toHaveLength(3);
    const sent = JSON.parse(bodies[2] ?? "{}") as { text: string; alert: unknown };
    expect(sent.alert).toEqual(alert);
    expect(sent.text).toBe(`*${alert.subject}*\na &lt; b &amp; c &gt; d`);
  });

  test("that a dead webhook does not take stays in the outbox, and its address is in no message", async () => {
    const said: string[] = [];
    const rig = await startRig(makeFolder(), {
      channels: [createWebhook("http://127.0.0.1:1/very-secret-path")],
      onTick: (tick) => said.push(JSON.stringify(tick)),
    });
    closing.push(() => rig.stop());
    rig.simulation.inject("status", undefined);
    for (let tick = 0; tick < 3; tick += 1) {
      await rig.monitor.once();
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    expect(await rig.store.outbox.pending("alert", 10)).not.toHaveLength(0);
    expect(await (await fetch(`${rig.url}/healthz`)).text()).toContain("not delivered yet");
    expect(said.join()).not.toContain("very-secret-path");
  });
});
