// Requests beside the watch, in the probe state of a real store: shared out, given back, seen.
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cacheProbeState } from "../../../lib/local/probe-state-cache.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import type { Failed } from "../../../lib/ports.ts";
import { burst, countRecent, monthOf } from "../../../lib/probe/schedule/budget.ts";
import { planRequests } from "../../../lib/probe/schedule/plan.ts";
import {
  applyResults,
  type ProbeStateLedger,
  remember,
  spend,
  updateProbeState,
} from "../../../lib/probe/schedule/probe-state.ts";
import { createSharedBudget, sharedBurst } from "../../../lib/probe/schedule/shared-budget.ts";
import { runTick } from "../../../lib/probe/tick.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { startSimulator } from "../../../lib/simulator/server.ts";
import { configure } from "../../config/configure.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { fc } from "../../random.ts";

const folder = makeFolder();
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

const novemberMs = Date.parse("2026-11-15T12:00:00Z");
let files = 0;

function prepare(baseUrl = "https://api.example.com") {
  const path = join(folder, `shared-${files++}.db`);
  const [owner, reader] = [openStore(path, { mode: "own" }), openStore(path, { mode: "read" })];
  if (owner.kind !== "open" || reader.kind !== "open") throw new Error(`${owner.kind} ${reader.kind}`);
  closing.push(reader.store.close, owner.store.close);
  const config = configure({ baseUrl, store: path });
  const clock = { nowMs: novemberMs };
  const nowMs = () => clock.nowMs;
  const [own, other] = [owner.store.ledger, reader.store.ledger];
  const sharedBudget = (ledger: ProbeStateLedger = other) => createSharedBudget({ ledger, config, nowMs });
  const read = async () => (await own.readProbeState())?.value;
  const spent = async () => (await read())?.spent ?? {};
  return { config, clock, own, other, sharedBudget, read, spent };
}

test("Requests are remembered for 70 s, in the order of their time, whatever the order of their results", () => {
  const made = (secondsAgo: number, requests = 1) => ({ atMs: novemberMs - secondsAgo * 1_000, requests });
  const before = remember(emptyProbeState, [made(71), made(60)]);
  const { recent } = remember(before, [made(0, 2), made(30), made(0), made(10, 0)]);
  expect(recent).toEqual([made(60), made(30), made(0), made(0, 2)]);
  expect(remember(emptyProbeState, [made(70), made(0)]).recent).toHaveLength(2);
});

describe("what is set aside", () => {
  test("What is set aside is what the regular cadence and the confirmations leave, in whole units, and is counted at once", async () => {
    const { sharedBudget, spent } = prepare();
    // 15.5 days are left: 1,860 slots, two more checks that are due at the start, and a part of the reserve.
    const kept = 1_860 + 2 + 517;
    expect(await sharedBudget().remaining()).toEqual({
      spare: 5_000 - kept,
      kept,
      monthEndMs: Date.parse("2026-12-01"),
      // A whole month of 5,000 has 3,720 slots and two more at its start, and keeps 1,000 in reserve.
      monthly: 278,
    });
    const reservation = await sharedBudget().reserve(42, 4);
    expect(reservation).toMatchObject({ requests: 40, limitedBy: "watch" });
    expect(await spent()).toEqual({ "2026-11": 40 });
    await reservation.release(13);
    expect(await spent()).toEqual({ "2026-11": 27 });
  });

  test("What is set aside is never more than can be spared, however many ask at once", async () => {
    const { sharedBudget, spent, own } = prepare();
    await updateProbeState(own, (probeState) => spend(probeState, "2026-11", 2_500));
    const { spare } = await sharedBudget().remaining();
    const reservations = await Promise.all(Array.from({ length: 12 }, () => sharedBudget().reserve(40, 4)));
    const sum = reservations.reduce((total, { requests }) => total + requests, 0);
    expect(sum).toBeGreaterThan(spare - 4);
    expect(sum).toBeLessThanOrEqual(spare);
    expect(await spent()).toEqual({ "2026-11": 2_500 + sum });
  });

  test("What is set aside goes back to its own month", async () => {
    const { sharedBudget, clock, spent } = prepare();
    const reservation = await sharedBudget().reserve(40);
    clock.nowMs = Date.parse("2026-12-01T00:00:05Z");
    await (await sharedBudget().reserve(8)).release(0);
    await reservation.release(30);
    expect(await spent()).toEqual({ "2026-11": 10, "2026-12": 8 });
  });

  test("What is set aside is nothing where the store takes no entry", async () => {
    const { sharedBudget, other } = prepare();
    const full: Failed = { kind: "failed", why: "disk-full" };
    const refusing = sharedBudget({ ...other, writeProbeState: async () => full });
    expect(await refusing.reserve(8)).toMatchObject({ requests: 0, limitedBy: "store" });
    const broken = sharedBudget({ ...other, readProbeState: () => Promise.reject(new Error("unreadable")) });
    expect(await broken.reserve(8)).toMatchObject({ requests: 0, limitedBy: "store" });
    await refusing.acquireSlot();
  });
});

describe("a burst", () => {
  test("A burst of other commands leaves the watch its tick, and both together stay within the limit", async () => {
    const { sharedBudget, read, clock, config } = prepare();
    const left: number[] = [];
    const going = Array.from({ length: sharedBurst + 2 }, () =>
      sharedBudget()
        .acquireSlot()
        .then(() => left.push(clock.nowMs)),
    );
    while (left.length < sharedBurst) await new Promise((resolve) => setTimeout(resolve, 5));
    const probeState = await read();
    if (!probeState) throw new Error("no probe state");
    expect(countRecent(clock.nowMs, probeState, config)).toBe(sharedBurst);
    const { requests, deferred } = planRequests(clock.nowMs, probeState, config);
    expect(requests.filter(({ variant }) => variant === "authenticated")).toHaveLength(3);
    expect(deferred).toEqual([]);
    const sent = requests.reduce((sum, { attempts }) => sum + attempts, 0);
    expect(sent + sharedBurst).toBeLessThanOrEqual(burst.requests);
    expect(left).toHaveLength(sharedBurst);
    clock.nowMs += burst.windowMs;
    await Promise.all(going);
    expect(left.slice(sharedBurst)).toEqual([clock.nowMs, clock.nowMs]);
  });

  test("A burst is never more than 20 requests in 10 s, whenever the watch and other commands send requests", () => {
    const config = configure({
      cadence: { calm: "1m", confirm: "10s" },
      budget: { monthlyRequests: 1_000_000 },
    });
    const steps = fc.array(fc.record({ afterMs: fc.nat(2_500), isWatch: fc.boolean() }), {
      minLength: 80,
      maxLength: 80,
    });
    let [most, watched] = [0, 0];
    fc.assert(
      fc.property(steps, (events) => {
        let [probeState, nowMs] = [emptyProbeState, novemberMs];
        const sent: number[] = [];
        for (const { afterMs, isWatch } of events) {
          nowMs += afterMs;
          // Another process uses as much as it gets.
          while (!isWatch && countRecent(nowMs, probeState, config) < sharedBurst) {
            probeState = remember(probeState, [{ atMs: nowMs, requests: 1 }]);
            sent.push(nowMs);
          }
          const { requests } = isWatch ? planRequests(nowMs, probeState, config) : { requests: [] };
          probeState = applyResults(
            probeState,
            requests.map(({ endpoint, variant, reason, slotMs, attempts }) => {
              sent.push(...Array(attempts).fill(nowMs));
              return {
                endpoint,
                variant,
                reason,
                atMs: nowMs,
                requests: attempts,
                isGood: false,
                ...(slotMs !== undefined && { slotMs }),
              };
            }),
            { tickMs: nowMs, config },
          );
          watched += requests.length;
          const inWindow = sent.filter((atMs) => atMs > nowMs - burst.windowMs).length;
          most = Math.max(most, inWindow);
        }
      }),
    );
    expect(most).toBeLessThanOrEqual(burst.requests);
    expect(most).toBeGreaterThan(sharedBurst);
    expect(watched).toBeGreaterThan(1_000);
  });

  test("A burst waits for the watch as well, until it is stopped", async () => {
    const { sharedBudget, own, clock } = prepare();
    const recent = Array.from({ length: sharedBurst }, () => ({ atMs: clock.nowMs, requests: 1 }));
    await updateProbeState(own, (probeState) => ({ ...probeState, recent }));
    const stop = new AbortController();
    let isOff = false;
    const going = sharedBudget()
      .acquireSlot(stop.signal)
      .then(() => {
        isOff = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isOff).toBe(false);
    stop.abort();
    await going;
  });
});

describe("the watch", () => {
  test("The watch adds its own to what another process reserved in the meantime", async () => {
    const simulator = await startSimulator({ passports: 60 });
    const { config, own, sharedBudget, spent, clock } = prepare(simulator.url);
    await runTick({
      tickMs: clock.nowMs,
      config,
      ledger: own,
      nowMs: () => clock.nowMs,
      allowLoopback: true,
      // Between its plan and its entry.
      async readKey() {
        await sharedBudget().reserve(40);
        return { kind: "none" };
      },
    });
    expect(await spent()).toEqual({ [monthOf(clock.nowMs)]: 40 + simulator.requests() });
    await simulator.close();
  });

  test("The watch whose disk was full keeps what other processes have reserved since", async () => {
    const { own, sharedBudget, spent } = prepare();
    const disk = { isFull: false };
    const full: Failed = { kind: "failed", why: "disk-full" };
    const watch = cacheProbeState({
      readProbeState: own.readProbeState,
      writeProbeState: async (probeState, version) =>
        disk.isFull ? full : own.writeProbeState(probeState, version),
    });
    await updateProbeState(watch, (probeState) => spend(probeState, "2026-11", 3));
    disk.isFull = true;
    await updateProbeState(watch, (probeState) => spend(probeState, "2026-11", 5));
    const reservation = await sharedBudget().reserve(40);
    await updateProbeState(watch, (probeState) => spend(probeState, "2026-11", 7));
    disk.isFull = false;
    await reservation.release(10);
    await watch.readProbeState();
    expect(await spent()).toEqual({ "2026-11": 3 + 5 + 7 + 30 });
  });

  test("The watch keeps what it has observed when the store cannot be read any more", async () => {
    const simulator = await startSimulator({ passports: 60 });
    const { config, own, clock } = prepare(simulator.url);
    let isBroken = false;
    const readProbeState: typeof own.readProbeState = async () =>
      isBroken ? Promise.reject(new Error("TimeoutError")) : own.readProbeState();
    const { observations, unsaved } = await runTick({
      tickMs: clock.nowMs,
      config,
      nowMs: () => clock.nowMs,
      allowLoopback: true,
      ledger: { ...own, readProbeState },
      readKey: async () => ({ kind: "none" }),
      onObservation() {
        isBroken = true;
      },
    });
    expect(observations.length).toBeGreaterThan(2);
    expect(unsaved).toEqual({ kind: "failed", why: "TimeoutError" });
    await simulator.close();
  });

  test("The watch whose refused write was done after all counts its requests once", async () => {
    const simulator = await startSimulator({ passports: 60 });
    const { config, clock, own, spent } = prepare(simulator.url);
    let isLost = true;
    const watch = cacheProbeState({
      readProbeState: own.readProbeState,
      async writeProbeState(probeState, version) {
        const outcome = await own.writeProbeState(probeState, version);
        return isLost ? { kind: "failed", why: "disk-error" } : outcome;
      },
    });
    await runTick({
      tickMs: clock.nowMs,
      config,
      ledger: watch,
      nowMs: () => clock.nowMs,
      allowLoopback: true,
      readKey: async () => ({ kind: "none" }),
    });
    isLost = false;
    await updateProbeState(watch, (probeState) => spend(probeState, "2026-11", 7));
    expect(simulator.requests()).toBeGreaterThan(2);
    expect(await spent()).toEqual({ "2026-11": simulator.requests() + 7 });
    await simulator.close();
  });

  test("The watch that cannot read its state goes on with what it wrote last", async () => {
    const { own } = prepare();
    let isBroken = false;
    const watch = cacheProbeState({
      ...own,
      readProbeState: async () => (isBroken ? Promise.reject(new Error("disk-error")) : own.readProbeState()),
    });
    await updateProbeState(watch, (probeState) => spend(probeState, "2026-11", 5));
    isBroken = true;
    expect((await watch.readProbeState())?.value.spent).toEqual({ "2026-11": 5 });
  });
});
