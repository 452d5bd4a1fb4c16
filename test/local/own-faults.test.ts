// What people are told of faults of the monitor itself: a locked store, a full disk over restarts, a clock.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import type { Channel } from "../../lib/delivery/channels/channel.ts";
import type { Card } from "../../lib/local/server/api-schemas.ts";
import type { Store } from "../../lib/local/store/store.ts";
import type { WatchTick } from "../../lib/local/watch.ts";
import type { Failed } from "../../lib/ports.ts";
import { type Alert, incidentOf } from "../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { dayMs } from "../../lib/time.ts";
import { type Rig, startRig } from "./monitor-rig.ts";
import { makeFolder } from "./temporary-folder.ts";

const running = new Set<Rig>();
afterAll(async () => {
  for (const rig of running) await rig.stop();
});

type Options = Omit<NonNullable<Parameters<typeof startRig>[0]>, "channels" | "folder" | "onTick">;

/** A monitor that can be restarted on its store, and the alerts about the monitor itself that its channel got. */
function prepare(folder: string, options: Options = {}) {
  const alerts: Alert[] = [];
  const ticks: WatchTick[] = [];
  const channel: Channel = {
    name: "people",
    type: "webhook",
    reachesPeople: true,
    async send(alert) {
      if (alert.rule === "monitor") alerts.push(alert);
      return acceptedByReceiver();
    },
  };
  const start = async () => {
    const rig = await startRig({
      folder,
      ...options,
      channels: [channel],
      onTick: (tick) => ticks.push(tick),
    });
    running.add(rig);
    return rig;
  };
  const stop = async (rig: Rig) => {
    running.delete(rig);
    await rig.stop();
  };
  const events = () => alerts.map(({ event }) => event);
  return { start, stop, alerts, ticks, events };
}

test("A lock of 400 ms of another process on the store delays a tick, and nobody is told", async () => {
  const folder = makeFolder();
  const clock = { nowMs: Date.now() };
  const { start, alerts, ticks } = prepare(folder, { nowMs: () => clock.nowMs });
  const rig = await start();
  const other = new DatabaseSync(join(folder, "rig.db"));
  for (let round = 0; round < 2; round += 1, clock.nowMs += 5_000) {
    other.exec("BEGIN IMMEDIATE");
    setTimeout(() => other.exec("ROLLBACK"), 400);
    await rig.monitor.once();
    expect(rig.store.health()).toEqual({ state: "ok" });
  }
  other.close();
  expect(ticks.map(({ degraded }) => degraded)).toEqual([undefined, undefined]);
  expect(ticks.reduce((sum, { saved }) => sum + saved, 0)).toBeGreaterThan(0);
  expect(alerts).toEqual([]);
});

const diskFull: Failed = { kind: "failed", why: "disk-full" };

/** Observations and alerts are refused while the disk `isFull`. */
const refuseWrites =
  (disk: { isFull: boolean }) =>
  (store: Store): Store => ({
    ...store,
    ledger: {
      ...store.ledger,
      append: async (observation) => (disk.isFull ? diskFull : store.ledger.append(observation)),
    },
    outbox: {
      ...store.outbox,
      put: async (messages) => (disk.isFull ? diskFull : store.outbox.put(messages)),
    },
  });

describe("a full disk", () => {
  test("A full disk is one page over five starts, confirmed by a second tick, and a start after it ends the same incident", async () => {
    const disk = { isFull: false };
    const clock = { nowMs: Date.now() };
    const { start, stop, alerts, ticks, events } = prepare(makeFolder(), {
      nowMs: () => clock.nowMs,
      wrapStore: refuseWrites(disk),
    });
    const run = async (times: number) => {
      const rig = await start();
      for (let tick = 0; tick < times; tick += 1, clock.nowMs += 60_000) await rig.monitor.once();
      await stop(rig);
    };
    await run(2);
    disk.isFull = true;
    await run(1);
    expect(alerts).toEqual([]);
    // It is tried again soon, whatever the cadence.
    expect((ticks.at(-1)?.nextTickMs ?? 0) - clock.nowMs).toBeLessThanOrEqual(60_000);
    for (let starts = 0; starts < 5; starts += 1) await run(2);
    // A start at which nothing is due saves nothing, which proves nothing.
    clock.nowMs -= 60_000;
    await run(1);
    expect(ticks.at(-1)).toMatchObject({ observations: [], degraded: undefined });
    expect(events()).toEqual(["opened"]);
    expect(alerts[0]).toMatchObject({
      severity: "page",
      subject: "[v1watch] PAGE: The store cannot save (disk-full): no alert about V1 can be sent",
    });
    disk.isFull = false;
    await run(1);
    await run(1);
    expect(events()).toEqual(["opened", "resolved"]);
    expect(new Set(alerts.map(incidentOf)).size).toBe(1);
  });

  test("A full disk, a real one, is told, remembered and ended as well", async ({ skip }) => {
    const path = join(makeFolder(), "disk");
    mkdirSync(path);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", path], { stdio: "pipe" });
    } catch {
      return skip("it needs a small file system of its own, which only root may mount");
    }
    const ballast = join(path, "ballast");
    const clock = { nowMs: Date.now() };
    const { start, stop, alerts, events } = prepare(path, { nowMs: () => clock.nowMs });
    try {
      let rig = await start();
      await rig.monitor.once();
      expect(() => writeFileSync(ballast, Buffer.alloc(4_000_000))).toThrow("no space");
      // Until the space that the store has taken is used up.
      for (let tick = 0; tick < 60 && alerts.length === 0; tick += 1, clock.nowMs += 60_000)
        await rig.monitor.once();
      expect(events()).toEqual(["opened"]);
      for (let starts = 0; starts < 3; starts += 1) {
        await stop(rig);
        rig = await start();
        for (let tick = 0; tick < 3; tick += 1, clock.nowMs += 60_000) await rig.monitor.once();
      }
      expect(events()).toEqual(["opened"]);
      await stop(rig);
      rmSync(ballast);
      rig = await start();
      await rig.monitor.once();
      expect(events()).toEqual(["opened", "resolved"]);
      expect(new Set(alerts.map(incidentOf)).size).toBe(1);
      await stop(rig);
    } finally {
      execFileSync("umount", ["-l", path]);
    }
  });
});

test("Clocks that differ by so much that V1's data has no age are told once, and so is their end", async () => {
  const clock = { nowMs: Date.now(), v1SkewMs: 180 * 60_000 };
  const { start, stop, alerts, events } = prepare(makeFolder(), {
    nowMs: () => clock.nowMs,
    v1NowMs: () => clock.nowMs + clock.v1SkewMs,
  });
  const rig = await start();
  const run = async (times: number) => {
    for (let tick = 0; tick < times; tick += 1, clock.nowMs += 12 * 60_000) await rig.monitor.once();
  };
  await run(4);
  expect(events()).toEqual(["opened"]);
  expect(alerts[0]?.subject).toContain("The clocks of V1 and of the watch differ: the age of V1's data");
  expect(rig.monitor.currentState.clockProblem()).toContain("V1's clock shows");
  const answer = await fetch(`${rig.url}/api/summary`);
  const { cards } = (await answer.json()) as { cards: Card[] };
  expect(cards).toHaveLength(3);
  for (const { measures } of cards)
    expect(measures.find(({ name }) => name === "age")).toMatchObject({
      text: "–",
      tone: "unknown",
      threshold: "The clocks of V1 and of the watch differ: the age of V1's data is unknown.",
    });
  clock.v1SkewMs = 0;
  await run(4);
  expect(events()).toEqual(["opened", "resolved"]);
  await stop(rig);
});

test("A clock that differs from V1's is told on the second tick, and not ended because V1 stops answering or by a restart", async () => {
  const clock = { nowMs: Date.now(), v1SkewMs: 0 };
  const { start, stop, alerts, events } = prepare(makeFolder(), {
    nowMs: () => clock.nowMs,
    v1NowMs: () => clock.nowMs + clock.v1SkewMs,
  });
  let rig = await start();
  const run = async (times: number) => {
    for (let tick = 0; tick < times; tick += 1, clock.nowMs += 60_000) await rig.monitor.once();
  };
  await run(2);
  clock.v1SkewMs = -30 * dayMs;
  await run(1);
  expect(events()).toEqual([]);
  await run(2);
  expect(events()).toEqual(["opened"]);
  rig.simulation.inject("reset", undefined);
  await run(3);
  expect(rig.monitor.currentState.clockProblem()).toContain("30 d behind the clock of this machine");
  await stop(rig);
  rig = await start();
  rig.simulation.inject("reset", undefined);
  await run(2);
  expect(events()).toEqual(["opened"]);
  expect(rig.monitor.currentState.clockProblem()).toContain("30 d behind the clock of this machine");
  await stop(rig);
  clock.v1SkewMs = 0;
  rig = await start();
  await run(2);
  expect(events()).toEqual(["opened", "resolved"]);
  expect(new Set(alerts.map(incidentOf)).size).toBe(1);
  expect(alerts[1]?.subject).toBe("[v1watch] RESOLVED: The clocks agree again");
  expect(rig.monitor.currentState.clockProblem()).toBeUndefined();
});
