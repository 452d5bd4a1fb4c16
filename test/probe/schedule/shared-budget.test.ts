// Requests of other processes in the monitor's budget, with a real store: reserved, released and counted.
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../../lib/config/config.ts";
import { cacheProbeState } from "../../../lib/local/store/probe-state-cache.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import type { Failed } from "../../../lib/ports.ts";
import { burst, countRecent, monthOf } from "../../../lib/probe/schedule/budget.ts";
import { planRequests } from "../../../lib/probe/schedule/plan.ts";
import {
  addRecent,
  applyResults,
  type ProbeStateLedger,
  spend,
  updateProbeState,
} from "../../../lib/probe/schedule/probe-state.ts";
import { createSharedBudget, sharedBurst } from "../../../lib/probe/schedule/shared-budget.ts";
import { runTick } from "../../../lib/probe/tick.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { startSimulator } from "../../../lib/simulator/server.ts";
import { makeFolder } from "../../local/temporary-folder.ts";

const folder = makeFolder();
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

const novemberMs = Date.parse("2026-11-15T12:00:00Z");
let files = 0;

function prepare(baseUrl = "https://api.example.com") {
  const path = join(folder, `shared-budget-${files++}.db`);
  const [owner, reader] = [openStore(path, { mode: "own" }), openStore(path, { mode: "read" })];
  if (owner.kind !== "open" || reader.kind !== "open") throw new Error(`${owner.kind} ${reader.kind}`);
  closing.push(reader.store.close, owner.store.close);
  const loaded = loadConfig({ env: {}, flags: { "base-url": baseUrl, store: path } });
  if (!loaded.ok) throw new Error("no configuration");
  const { config } = loaded;
  const clock = { nowMs: novemberMs };
  const nowMs = () => clock.nowMs;
  const [own, other] = [owner.store.ledger, reader.store.ledger];
  const sharedBudget = (ledger: ProbeStateLedger = other) =>
    createSharedBudget({ ledger, config, perEndpointFunctions: false, nowMs });
  const read = async () => (await own.readProbeState())?.value;
  const spent = async () => (await read())?.spent ?? {};
  return { config, clock, own, other, sharedBudget, read, spent };
}

describe("a reservation", () => {
  test("takes what the calm cadence and the confirmations leave, in whole units, and is counted at once", async () => {
    const { sharedBudget, spent } = prepare();
    // 15.5 days are left: 744 ticks of three requests, and a share of the 250 requests for confirmations.
    expect(await sharedBudget().remaining()).toEqual({
      ...{ spare: 5_000 - 744 * 3 - 130, kept: 744 * 3 + 130, monthEndMs: Date.parse("2026-12-01") },
    });
    const reservation = await sharedBudget().reserve(42, 4);
    expect(reservation).toMatchObject({ requests: 40, limitedBy: "watch" });
    expect(await spent()).toEqual({ "2026-11": 40 });
    await reservation.release(13);
    expect(await spent()).toEqual({ "2026-11": 27 });
  });

  test("never exceeds the spare budget, however many processes reserve at once", async () => {
    const { sharedBudget, spent, own } = prepare();
    await updateProbeState(own, (probeState) => spend(probeState, "2026-11", 2_500));
    const { spare } = await sharedBudget().remaining();
    const reservations = await Promise.all(Array.from({ length: 12 }, () => sharedBudget().reserve(40, 4)));
    const sum = reservations.reduce((total, { requests }) => total + requests, 0);
    expect(sum).toBeGreaterThan(spare - 4);
    expect(sum).toBeLessThanOrEqual(spare);
    expect(await spent()).toEqual({ "2026-11": 2_500 + sum });
  });

  test("is released into the month in which it was made", async () => {
    const { sharedBudget, clock, spent } = prepare();
    const reservation = await sharedBudget().reserve(40);
    clock.nowMs = Date.parse("2026-12-01T00:00:05Z");
    await (await sharedBudget().reserve(8)).release(0);
    await reservation.release(30);
    expect(await spent()).toEqual({ "2026-11": 10, "2026-12": 8 });
  });

  test("is empty when the store cannot be written or read", async () => {
    const { sharedBudget, other } = prepare();
    const full: Failed = { kind: "failed", why: "disk-full" };
    const refusing = sharedBudget({ ...other, writeProbeState: async () => full });
    expect(await refusing.reserve(8)).toMatchObject({ requests: 0, limitedBy: "store" });
    const broken = sharedBudget({ ...other, readProbeState: () => Promise.reject(new Error("unreadable")) });
    expect(await broken.reserve(8)).toMatchObject({ requests: 0, limitedBy: "store" });
    await refusing.acquireSlot();
  });
});

describe("the burst limit", () => {
  test("leaves room for the monitor's tick while other processes send requests", async () => {
    const { sharedBudget, read, clock, config } = prepare();
    const sentAt: number[] = [];
    const sending = Array.from({ length: sharedBurst + 2 }, () =>
      sharedBudget()
        .acquireSlot()
        .then(() => sentAt.push(clock.nowMs)),
    );
    while (sentAt.length < sharedBurst) await new Promise((resolve) => setTimeout(resolve, 5));
    const probeState = await read();
    if (!probeState) throw new Error("no probe state");
    expect(countRecent(clock.nowMs, probeState, config)).toBe(sharedBurst);
    const { requests, deferred } = planRequests(clock.nowMs, probeState, config);
    expect(requests.filter(({ variant }) => variant === "authenticated")).toHaveLength(3);
    expect(deferred).toEqual([]);
    const sent = requests.reduce((sum, { attempts }) => sum + attempts, 0);
    expect(sent + sharedBurst).toBeLessThanOrEqual(burst.requests);
    expect(sentAt).toHaveLength(sharedBurst);
    clock.nowMs += burst.windowMs;
    await Promise.all(sending);
    expect(sentAt.slice(sharedBurst)).toEqual([clock.nowMs, clock.nowMs]);
  });

  test("of 20 requests in 10 s is never exceeded by the monitor and other processes together", () => {
    const busy = {
      baseUrl: "https://api.example.com",
      cadence: { calm: "1m", confirmation: "10s" },
      budget: { monthlyRequests: 1_000_000 },
    };
    const loaded = loadConfig({ fileText: JSON.stringify(busy), env: {}, flags: {} });
    if (!loaded.ok) throw new Error("no configuration");
    const { config } = loaded;
    const steps = fc.array(fc.record({ afterMs: fc.nat(2_500), isMonitor: fc.boolean() }), {
      minLength: 80,
      maxLength: 80,
    });
    let [most, monitorRequests] = [0, 0];
    fc.assert(
      fc.property(steps, (events) => {
        let [probeState, nowMs] = [emptyProbeState, novemberMs];
        const sent: number[] = [];
        for (const { afterMs, isMonitor } of events) {
          nowMs += afterMs;
          // The other process sends as many requests as it is allowed to.
          while (!isMonitor && countRecent(nowMs, probeState, config) < sharedBurst) {
            probeState = addRecent(probeState, [{ atMs: nowMs, requests: 1 }]);
            sent.push(nowMs);
          }
          const { requests } = isMonitor ? planRequests(nowMs, probeState, config) : { requests: [] };
          probeState = applyResults(
            probeState,
            requests.map(({ endpoint, variant, attempts }) => {
              sent.push(...Array(attempts).fill(nowMs));
              return {
                endpoint,
                variant,
                atMs: nowMs,
                requests: attempts,
                why: "status",
              };
            }),
          );
          monitorRequests += requests.length;
          const inWindow = sent.filter((atMs) => atMs > nowMs - burst.windowMs).length;
          most = Math.max(most, inWindow);
        }
      }),
    );
    expect(most).toBeLessThanOrEqual(burst.requests);
    expect(most).toBeGreaterThan(sharedBurst);
    expect(monitorRequests).toBeGreaterThan(1_000);
  });

  test("delays a request after the monitor's requests, until the caller stops", async () => {
    const { sharedBudget, own, clock } = prepare();
    const recent = Array.from({ length: sharedBurst }, () => ({ atMs: clock.nowMs, requests: 1 }));
    await updateProbeState(own, (probeState) => ({ ...probeState, recent }));
    const stop = new AbortController();
    let isAcquired = false;
    const sending = sharedBudget()
      .acquireSlot(stop.signal)
      .then(() => {
        isAcquired = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAcquired).toBe(false);
    stop.abort();
    await sending;
  });
});

describe("the monitor", () => {
  test("adds its requests to a reservation that was made during its tick", async () => {
    const simulator = await startSimulator({ passports: 60 });
    const { config, own, sharedBudget, spent, clock } = prepare(simulator.url);
    await runTick({
      ...{ tickMs: clock.nowMs, config, ledger: own, nowMs: () => clock.nowMs, allowLoopback: true },
      // The key is read after the plan and before the probe state is written.
      async readKey() {
        await sharedBudget().reserve(40);
        return { kind: "none" };
      },
    });
    expect(await spent()).toEqual({ [monthOf(clock.nowMs)]: 40 + simulator.requests() });
    await simulator.close();
  });

  test("keeps the reservations of other processes that were made while its disk was full", async () => {
    const { own, sharedBudget, spent } = prepare();
    const disk = { isFull: false };
    const full: Failed = { kind: "failed", why: "disk-full" };
    const monitor = cacheProbeState({
      readProbeState: own.readProbeState,
      writeProbeState: async (probeState, version) =>
        disk.isFull ? full : own.writeProbeState(probeState, version),
    });
    await updateProbeState(monitor, (probeState) => spend(probeState, "2026-11", 3));
    disk.isFull = true;
    await updateProbeState(monitor, (probeState) => spend(probeState, "2026-11", 5));
    const reservation = await sharedBudget().reserve(40);
    await updateProbeState(monitor, (probeState) => spend(probeState, "2026-11", 7));
    disk.isFull = false;
    await reservation.release(10);
    await monitor.readProbeState();
    expect(await spent()).toEqual({ "2026-11": 3 + 5 + 7 + 30 });
  });
});
