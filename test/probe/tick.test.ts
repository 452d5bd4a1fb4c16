// Ticks against the simulator: what a watch remembers of its samples, and what leaves it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "../../lib/config/config.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import { runTick, type TickResult } from "../../lib/probe/tick.ts";
import { emptyProbeState, probeState as probeStateSchema } from "../../lib/records/probe-state.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { configure } from "../config/configure.ts";

const startMs = Date.parse("2026-11-15T00:00:00Z");
const minuteMs = 60_000;
const clock = { nowMs: startMs };
let simulator: Simulator;
let config: Config;
beforeAll(async () => {
  simulator = await startSimulator({ passports: 60, clock: { now: () => clock.nowMs } });
  config = configure({ baseUrl: simulator.url });
});
beforeEach(() => {
  simulator.clear();
  clock.nowMs = startMs;
});
afterAll(() => simulator.close());

function start() {
  const { ledger } = openMemoryStore(() => clock.nowMs);
  const read = async () => probeStateSchema.parse((await ledger.readProbeState())?.value);
  const tick = (tickMs: number, only?: (typeof endpointIds)[number]): Promise<TickResult> => {
    clock.nowMs = tickMs;
    return runTick({
      tickMs,
      config,
      ledger,
      allowLoopback: true,
      nowMs: () => tickMs,
      ...(only && { only }),
      readKey: async () => ({ kind: "key", key: "sentinel-key-3f2a" }),
    });
  };
  return { read, tick };
}

describe("a watch", () => {
  test("A watch chooses three samples and a key for its hashes once, and keeps both in its probe state only", async () => {
    const { read, tick } = start();
    const first = await tick(startMs);
    const { samples, hashKey } = await read();
    expect(samples).toHaveLength(3);
    expect(hashKey).toMatch(/^[\w-]{32}$/);
    const later = [await tick(first.nextTickMs), await tick(startMs + 36 * minuteMs)];
    expect((await read()).samples).toEqual(samples);
    expect((await read()).hashKey).toBe(hashKey);
    const text = JSON.stringify([first, ...later]);
    for (const { id, otherId } of samples) {
      // As a word: a hash may have the same digits in it.
      expect(text).not.toMatch(new RegExp(`(?<![\\w.])${id}(?!\\w)`));
      expect(text).not.toContain(otherId);
    }
    expect(text).not.toContain(hashKey);
  });

  test("A watch with one function for each endpoint shares the samples that the list's function chose", async () => {
    const { read, tick } = start();
    for (const endpoint of endpointIds) await tick(startMs, endpoint);
    expect((await read()).samples).toHaveLength(3);
    const passport = await tick(startMs + 12 * minuteMs, "passport");
    const credentials = await tick(startMs + 24 * minuteMs, "passport-credentials");
    expect(passport.observations[0]?.outcome.kind).toBe("ok");
    expect(credentials.observations[0]?.outcome.kind).toBe("ok");
    expect(passport.observations[0]?.sample).toBe(credentials.observations[0]?.sample);
  });

  test("A watch knows of a Sunset that a check before has found: not in the first response, but in the second", async () => {
    const { tick } = start();
    const repeated = async (minute: number, only?: (typeof endpointIds)[number]) =>
      (await tick(startMs + minute * minuteMs, only)).observations
        .filter(({ isPrimary, reason }) => isPrimary && reason === "scheduled")
        .map(({ endpoint, notices }) => `${endpoint} ${notices.isSunsetRepeated ?? "no"}`);
    const sunset = (date: string) =>
      simulator.inject([{ kind: "sunset", afterMs: Date.parse(date) - clock.nowMs }]);
    const none = endpointIds.map((endpoint) => `${endpoint} no`);
    expect(await repeated(0)).toEqual(none);
    sunset("2026-12-31T00:00:00Z");
    expect(await repeated(36)).toEqual(none);
    expect(await repeated(72)).toEqual(endpointIds.map((endpoint) => `${endpoint} true`));
    // Another date has to be found twice as well.
    simulator.clear();
    sunset("2027-03-31T00:00:00Z");
    expect(await repeated(108)).toEqual(none);
    // A response without the header takes it back; a failure without it does not.
    simulator.clear();
    simulator.inject([{ kind: "status", status: 503 }]);
    await repeated(144);
    simulator.clear();
    sunset("2027-03-31T00:00:00Z");
    expect(await repeated(180)).toEqual(endpointIds.map((endpoint) => `${endpoint} true`));
    simulator.clear();
    expect(await repeated(216)).toEqual(none);
    sunset("2027-03-31T00:00:00Z");
    expect(await repeated(252)).toEqual(none);
    expect(await repeated(288)).toEqual(endpointIds.map((endpoint) => `${endpoint} true`));
  });

  test("A watch replaces a sample that is gone, and does not count its 404 as a failure of V1", async () => {
    const { ledger } = openMemoryStore(() => clock.nowMs, {
      ...emptyProbeState,
      samples: [{ id: "424242" }, { id: "1001" }, { id: "1002" }],
    });
    const read = async () => probeStateSchema.parse((await ledger.readProbeState())?.value);
    for (let minute = 0; minute < 200; minute += 12) {
      clock.nowMs = startMs + minute * minuteMs;
      await runTick({
        tickMs: clock.nowMs,
        config,
        ledger,
        allowLoopback: true,
        nowMs: () => clock.nowMs,
        readKey: async () => ({ kind: "none" }),
      });
    }
    const { samples, pending } = await read();
    expect(samples.filter(({ goneAtMs }) => goneAtMs === undefined)).toHaveLength(3);
    expect(samples.filter(({ goneAtMs }) => goneAtMs !== undefined).map(({ id }) => id)).toEqual(["424242"]);
    expect(pending).toEqual([]);
  });

  test("A watch with one configured sample chooses two more from the list", async () => {
    const { ledger } = openMemoryStore(() => clock.nowMs);
    const one = { ...config, samples: { ...config.samples, ids: [1003] } };
    const hashes = new Set<string | undefined>();
    for (const minute of [0, 12, 48, 84, 120]) {
      clock.nowMs = startMs + minute * minuteMs;
      const { observations } = await runTick({
        tickMs: clock.nowMs,
        config: one,
        ledger,
        allowLoopback: true,
        nowMs: () => clock.nowMs,
        readKey: async () => ({ kind: "none" }),
      });
      for (const { endpoint, variant, sample } of observations)
        if (endpoint === "passport" && variant === "anonymous") hashes.add(sample);
    }
    expect((await ledger.readProbeState())?.value.samples).toHaveLength(2);
    expect(hashes.size).toBe(3);
  });

  test("A watch confirms a failure a minute later, and says when it will", async () => {
    const { read, tick } = start();
    await tick(startMs);
    simulator.inject([{ kind: "status", status: 503 }]);
    const bad = await tick(startMs + 12 * minuteMs);
    expect(bad.observations[0]).toMatchObject({ reason: "scheduled", isPrimary: true, endpoint: "passport" });
    expect(bad.nextTickMs).toBe(startMs + 13 * minuteMs);
    expect((await read()).pending).toHaveLength(12);
    const confirmed = await tick(bad.nextTickMs);
    expect(confirmed.observations.map(({ endpoint, reason }) => `${endpoint} ${reason}`)).toEqual(
      endpointIds.map((endpoint) => `${endpoint} confirmation`),
    );
    expect(confirmed.nextTickMs).toBe(startMs + 17 * minuteMs);
  });
});

describe("a function of one endpoint", () => {
  const late = (lateMs: number) => {
    const { ledger } = openMemoryStore(() => clock.nowMs);
    return runTick({
      tickMs: startMs,
      config,
      ledger,
      allowLoopback: true,
      nowMs: () => startMs + lateMs,
      only: "passport-list",
      readKey: async () => ({ kind: "none" }),
    }).then(async () => (await ledger.readProbeState())?.value);
  };

  test("A function of one endpoint that starts late is remembered with the instant of its tick, and a wait counts from the response", async () => {
    expect((await late(5_000))?.endpoints["passport-list"]?.last.authenticated?.atMs).toBe(startMs);
    expect((await late(-5_000))?.endpoints["passport-list"]?.last.authenticated?.atMs).toBe(startMs - 5_000);
    simulator.inject([{ kind: "status", status: 503, retryAfterSeconds: 120 }]);
    expect((await late(5_000))?.endpoints["passport-list"]?.notBeforeMs).toBe(startMs + 125_000);
  });

  test("A function of one endpoint requests its endpoint only", async () => {
    const { tick } = start();
    const { observations } = await tick(startMs, "passport-list");
    expect(new Set(observations.map(({ endpoint }) => endpoint))).toEqual(new Set(["passport-list"]));
  });
});

describe("a store that takes nothing", () => {
  const full = { kind: "failed", why: "disk-full" } as const;
  const run = (known = emptyProbeState) => {
    const { ledger } = openMemoryStore(() => clock.nowMs, known);
    return runTick({
      tickMs: startMs,
      config,
      allowLoopback: true,
      nowMs: () => startMs,
      ledger: { ...ledger, writeProbeState: async () => full },
      readKey: async () => ({ kind: "none" }),
    });
  };

  test("A store that takes nothing loses no observation, but there are no hashes without a key that is kept", async () => {
    const { observations, unsaved, nextTickMs } = await run();
    expect(observations.map(({ outcome }) => outcome.kind)).toEqual(Array(observations.length).fill("ok"));
    expect(observations.length).toBeGreaterThanOrEqual(3);
    expect(observations.every((one) => one.records === undefined && one.sample === undefined)).toBe(true);
    expect(unsaved).toEqual(full);
    // The next tick is that of a state with these results.
    expect(nextTickMs).toBe(startMs + 12 * minuteMs);
    const known = await run({ ...emptyProbeState, hashKey: "kept" });
    expect(known.observations[0]?.records).toHaveLength(25);
  });

  test("A store that takes nothing is no fault of a tick that was written", async () => {
    const { tick } = start();
    expect((await tick(startMs)).unsaved).toBeUndefined();
  });
});
