// Requests beside the watch, in the books of a real store: shared out, given back, seen.
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../../lib/config/config.ts";
import { rememberPace } from "../../../lib/local/store/probe-state-cache.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import type { Failed } from "../../../lib/ports.ts";
import { burst, countRecent, monthOf } from "../../../lib/probe/schedule/budget.ts";
import { planRequests } from "../../../lib/probe/schedule/plan.ts";
import {
  changePace,
  type PaceLedger,
  remember,
  settle,
  spend,
} from "../../../lib/probe/schedule/probe-state.ts";
import { createGuest, guestBurst } from "../../../lib/probe/schedule/shared-budget.ts";
import { runTick } from "../../../lib/probe/tick.ts";
import { freshPace } from "../../../lib/records/probe-state.ts";
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
  const path = join(folder, `guest-${files++}.db`);
  const [owner, beside] = [openStore(path, { mode: "own" }), openStore(path, { mode: "read" })];
  if (owner.kind !== "open" || beside.kind !== "open") throw new Error(`${owner.kind} ${beside.kind}`);
  closing.push(beside.store.close, owner.store.close);
  const loaded = loadConfig({ env: {}, flags: { "base-url": baseUrl, store: path } });
  if (!loaded.ok) throw new Error("no configuration");
  const { config } = loaded;
  const clock = { nowMs: novemberMs };
  const nowMs = () => clock.nowMs;
  const [own, other] = [owner.store.ledger, beside.store.ledger];
  const guest = (ledger: PaceLedger = other) => createGuest({ ledger, config, apart: false, nowMs });
  const read = async () => (await own.readPace())?.value;
  const spent = async () => (await read())?.spent ?? {};
  return { config, clock, own, other, guest, read, spent };
}

describe("what is set aside", () => {
  test("is what the calm pace and the confirmations leave, in whole units, and is booked at once", async () => {
    const { guest, spent } = prepare();
    // 15.5 days are left: 744 calm ticks of three, and a part of the 250 for confirmations.
    expect(await guest().weigh()).toEqual({
      ...{ spare: 5_000 - 744 * 3 - 130, kept: 744 * 3 + 130, monthEndMs: Date.parse("2026-12-01") },
    });
    const aside = await guest().setAside(42, 4);
    expect(aside).toMatchObject({ requests: 40, heldBy: "watch" });
    expect(await spent()).toEqual({ "2026-11": 40 });
    await aside.giveBack(13);
    expect(await spent()).toEqual({ "2026-11": 27 });
  });

  test("is never more than can be spared, however many ask at once", async () => {
    const { guest, spent, own } = prepare();
    await changePace(own, (pace) => spend(pace, "2026-11", 2_500));
    const { spare } = await guest().weigh();
    const asides = await Promise.all(Array.from({ length: 12 }, () => guest().setAside(40, 4)));
    const sum = asides.reduce((total, { requests }) => total + requests, 0);
    expect(sum).toBeGreaterThan(spare - 4);
    expect(sum).toBeLessThanOrEqual(spare);
    expect(await spent()).toEqual({ "2026-11": 2_500 + sum });
  });

  test("goes back to its own month", async () => {
    const { guest, clock, spent } = prepare();
    const aside = await guest().setAside(40);
    clock.nowMs = Date.parse("2026-12-01T00:00:05Z");
    await (await guest().setAside(8)).giveBack(0);
    await aside.giveBack(30);
    expect(await spent()).toEqual({ "2026-11": 10, "2026-12": 8 });
  });

  test("is nothing where the store takes no entry", async () => {
    const { guest, other } = prepare();
    const full: Failed = { kind: "failed", why: "disk-full" };
    const refusing = guest({ ...other, writePace: async () => full });
    expect(await refusing.setAside(8)).toMatchObject({ requests: 0, heldBy: "store" });
    const broken = guest({ ...other, readPace: () => Promise.reject(new Error("unreadable")) });
    expect(await broken.setAside(8)).toMatchObject({ requests: 0, heldBy: "store" });
    await refusing.depart();
  });
});

describe("a burst", () => {
  test("of guests leaves the watch its tick, and both together stay within the limit", async () => {
    const { guest, read, clock, config } = prepare();
    const left: number[] = [];
    const going = Array.from({ length: guestBurst + 2 }, () =>
      guest()
        .depart()
        .then(() => left.push(clock.nowMs)),
    );
    while (left.length < guestBurst) await new Promise((resolve) => setTimeout(resolve, 5));
    const pace = await read();
    if (!pace) throw new Error("no pace");
    expect(countRecent(clock.nowMs, pace, config)).toBe(guestBurst);
    const { requests, held } = planRequests(clock.nowMs, pace, config);
    expect(requests.filter(({ case: asked }) => asked === "keyed")).toHaveLength(3);
    expect(held).toEqual([]);
    const sent = requests.reduce((sum, { attempts }) => sum + attempts, 0);
    expect(sent + guestBurst).toBeLessThanOrEqual(burst.requests);
    expect(left).toHaveLength(guestBurst);
    clock.nowMs += burst.windowMs;
    await Promise.all(going);
    expect(left.slice(guestBurst)).toEqual([clock.nowMs, clock.nowMs]);
  });

  test("is never more than 20 requests in 10 s, whenever the watch and its guests ask", () => {
    const busy = {
      baseUrl: "https://api.example.com",
      cadence: { calm: "1m", suspicious: "10s" },
      budget: { monthlyRequests: 1_000_000 },
    };
    const loaded = loadConfig({ fileText: JSON.stringify(busy), env: {}, flags: {} });
    if (!loaded.ok) throw new Error("no configuration");
    const { config } = loaded;
    const steps = fc.array(fc.record({ afterMs: fc.nat(2_500), isWatch: fc.boolean() }), {
      minLength: 80,
      maxLength: 80,
    });
    let [most, watched] = [0, 0];
    fc.assert(
      fc.property(steps, (events) => {
        let [pace, nowMs] = [freshPace, novemberMs];
        const sent: number[] = [];
        for (const { afterMs, isWatch } of events) {
          nowMs += afterMs;
          // A guest asks for as much as it gets.
          while (!isWatch && countRecent(nowMs, pace, config) < guestBurst) {
            pace = remember(pace, [{ atMs: nowMs, requests: 1 }]);
            sent.push(nowMs);
          }
          const { requests } = isWatch ? planRequests(nowMs, pace, config) : { requests: [] };
          pace = settle(
            pace,
            requests.map(({ endpoint, case: name, attempts }) => {
              sent.push(...Array(attempts).fill(nowMs));
              return {
                endpoint,
                case: name,
                atMs: nowMs,
                requests: attempts,
                why: "status",
              };
            }),
          );
          watched += requests.length;
          const inWindow = sent.filter((atMs) => atMs > nowMs - burst.windowMs).length;
          most = Math.max(most, inWindow);
        }
      }),
    );
    expect(most).toBeLessThanOrEqual(burst.requests);
    expect(most).toBeGreaterThan(guestBurst);
    expect(watched).toBeGreaterThan(1_000);
  });

  test("waits for the watch as well, until it is stopped", async () => {
    const { guest, own, clock } = prepare();
    const recent = Array.from({ length: guestBurst }, () => ({ atMs: clock.nowMs, requests: 1 }));
    await changePace(own, (pace) => ({ ...pace, recent }));
    const stop = new AbortController();
    let isOff = false;
    const going = guest()
      .depart(stop.signal)
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
  test("adds its own to what a guest booked while it was asking", async () => {
    const simulator = await startSimulator({ passports: 60 });
    const { config, own, guest, spent, clock } = prepare(simulator.url);
    await runTick({
      ...{ tickMs: clock.nowMs, config, ledger: own, nowMs: () => clock.nowMs, allowLoopback: true },
      // Between its plan and its entry.
      async readKey() {
        await guest().setAside(40);
        return { kind: "none" };
      },
    });
    expect(await spent()).toEqual({ [monthOf(clock.nowMs)]: 40 + simulator.requests() });
    await simulator.close();
  });

  test("whose disk was full keeps what guests have booked since", async () => {
    const { own, guest, spent } = prepare();
    const disk = { isFull: false };
    const full: Failed = { kind: "failed", why: "disk-full" };
    const watch = rememberPace({
      readPace: own.readPace,
      writePace: async (pace, version) => (disk.isFull ? full : own.writePace(pace, version)),
    });
    await changePace(watch, (pace) => spend(pace, "2026-11", 3));
    disk.isFull = true;
    await changePace(watch, (pace) => spend(pace, "2026-11", 5));
    const aside = await guest().setAside(40);
    await changePace(watch, (pace) => spend(pace, "2026-11", 7));
    disk.isFull = false;
    await aside.giveBack(10);
    await watch.readPace();
    expect(await spent()).toEqual({ "2026-11": 3 + 5 + 7 + 30 });
  });
});
