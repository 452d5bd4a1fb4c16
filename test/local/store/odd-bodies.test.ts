// What V1 sends cannot make a check unreadable: not one odd value, and not many.
import { join } from "node:path";
import { expect, test } from "vitest";
import { assessmentSettings } from "../../../lib/config/assessment-settings.ts";
import { createVirtualTransport } from "../../../lib/local/replay.ts";
import { configForSimulator, simulatorKey } from "../../../lib/local/simulation.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import { createProcessState, watchOnce } from "../../../lib/local/watch.ts";
import type { Ports } from "../../../lib/ports.ts";
import type { Transport } from "../../../lib/probe/probe.ts";
import { type Alert, textOf } from "../../../lib/records/alert.ts";
import { startSimulator } from "../../../lib/simulator/server.ts";
import { startRig } from "../monitor-rig.ts";
import { acceptAlerts } from "../receivers.ts";
import { makeFolder } from "../temporary-folder.ts";
import { readBackOddBodies } from "./odd-bodies.ts";

/** `node bench/prove.ts values` makes 5,000. */
const bodies = 100;

test(`${bodies} responses with odd dates and values are observed, stored and read again on SQLite and on DynamoDB`, async () => {
  const { faults } = await readBackOddBodies(bodies, Number(process.env.V1WATCH_SEED ?? 1));
  expect(faults).toEqual([]);
});

test("Where V1 begins to send dates at 24:00, every check is kept and the drift is reported", async () => {
  const hourMs = 3_600_000;
  const clock = { nowMs: Date.parse("2026-11-16T00:00:00Z") };
  const oddFromMs = clock.nowMs + 12 * hourMs;
  const simulator = await startSimulator({
    passports: 60,
    key: simulatorKey,
    scenario: "healthy",
    clock: { now: () => clock.nowMs },
  });
  const path = join(makeFolder(), "odd.db");
  const nowMs = () => clock.nowMs;
  const opened = openStore(path, { mode: "own", nowMs });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  const { transport, close } = createVirtualTransport();
  const withOddDates: Transport = {
    ...transport,
    read(response, atMs, deadlineMs) {
      const exchange = transport.read(response, atMs, deadlineMs);
      if (atMs < oddFromMs || !exchange.body) return exchange;
      const text = Buffer.from(exchange.body).toString();
      const odd = text.replaceAll(/("last_calculated_at":"[0-9-]{10}T)[^"]*"/g, '$124:00:00Z"');
      return { ...exchange, body: Buffer.from(odd) };
    },
  };
  const sent: Alert[] = [];
  const ports: Ports = {
    ledger: store.ledger,
    outbox: store.outbox,
    nowMs,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    receivers: [acceptAlerts((alert) => sent.push(alert))],
  };
  await store.outbox.subscribe(ports.receivers);
  const fast = configForSimulator(simulator.url, 3_600, path);
  const config = {
    ...fast,
    cadence: { calm: "1h", confirm: "10m", rare: "12h" },
    staleness: { ...fast.staleness, frozenAfter: "20d" },
  };
  const input = {
    config,
    ports,
    settings: assessmentSettings(config),
    allowLoopback: true,
    signal: new AbortController().signal,
    transport: withOddDates,
    onTick() {},
  };
  const processState = createProcessState(ports);
  try {
    let checks = 0;
    while (clock.nowMs < oddFromMs + 6 * hourMs) {
      const { observations, degraded, nextTickMs } = await watchOnce(input, processState);
      expect(degraded).toBeUndefined();
      checks += observations.length;
      clock.nowMs = Math.max(clock.nowMs + 1_000, Math.min(nextTickMs, clock.nowMs + hourMs));
    }
    expect(store.unreadable().count).toBe(0);
    expect(store.history.observationRows({ limit: 10_000 })).toHaveLength(checks);
    const [drift, ...others] = sent.filter(({ event }) => event !== "digest");
    expect(others).toEqual([]);
    expect(drift).toMatchObject({ event: "opened", rule: "breaking-drift" });
    expect(textOf(drift!)).toContain("date-time → hour-24");
  } finally {
    close();
    store.close();
    await simulator.close();
  }
});

test("Where no stored check can be read, /healthz is not ok and the alert does not blame the disk", async () => {
  const sent: Alert[] = [];
  const rig = await startRig({
    channels: [{ ...acceptAlerts((alert) => sent.push(alert)), name: "console", type: "console" }],
    // A defect of v1watch that nobody knows yet.
    wrapStore: (store) => ({
      ...store,
      ledger: {
        ...store.ledger,
        append: (observation) => store.ledger.append({ ...observation, timings: { totalMs: -1 } }),
      },
    }),
  });
  try {
    await rig.monitor.once();
    const health = await fetch(`${rig.url}/healthz`);
    expect(health.status).toBe(503);
    const text = await health.text();
    expect(text).toContain("stored checks cannot be read");
    expect(text).toContain("could not be read and were set aside (observation ");
    await rig.monitor.once();
    const [alert] = sent.filter(({ rule }) => rule === "monitor");
    expect(textOf(alert!)).toContain("could not be read");
    expect(textOf(alert!)).not.toMatch(/disk/i);
  } finally {
    await rig.stop();
  }
});
