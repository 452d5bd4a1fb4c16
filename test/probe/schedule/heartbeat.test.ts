import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../lib/config/config.ts";
import type { Versioned } from "../../../lib/ports.ts";
import { runTick } from "../../../lib/probe/tick.ts";
import { emptyProbeState, isAlive, type ProbeState, probeState } from "../../../lib/records/probe-state.ts";

const minuteMs = 60_000;
const startMs = Date.parse("2026-11-15T00:00:00Z");
const loaded = loadConfig({ fileText: '{"baseUrl":"https://v1.example.com"}', env: {}, flags: {} });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
const { config } = loaded;

/** V1's Retry-After is a day for all endpoints, so no request is due. */
const waiting: ProbeState = {
  ...emptyProbeState,
  endpoints: Object.fromEntries(
    (["passport-list", "passport", "passport-credentials"] as const).map((endpoint) => [
      endpoint,
      { lastMs: { authenticated: startMs }, notBeforeMs: startMs + 1_440 * minuteMs },
    ]),
  ),
};

function createLedger(first: ProbeState) {
  let stored: Versioned<ProbeState> = { value: first, version: 1 };
  let writes = 0;
  return {
    probeState: () => stored.value,
    writes: () => writes,
    readProbeState: async () => stored,
    async writeProbeState(value: ProbeState, version: number) {
      writes += 1;
      stored = { value: probeState.parse(value), version: version + 1 };
      return { kind: "written" as const };
    },
  };
}

async function run(ledger: ReturnType<typeof createLedger>, tickMs: number, only?: "passport") {
  const result = await runTick({
    ...{ tickMs, config, ledger, allowLoopback: false, nowMs: () => tickMs, ...(only && { only }) },
    readKey: async () => ({ kind: "none" }),
  });
  expect(result.observations).toEqual([]);
  return result;
}

describe("a prober without a due request", () => {
  test("writes a heartbeat every 15 minutes and nothing in between", async () => {
    const ledger = createLedger(waiting);
    for (let minute = 1; minute <= 120; minute++) {
      const tickMs = startMs + minute * minuteMs;
      await run(ledger, tickMs, "passport");
      expect(isAlive(tickMs, ledger.probeState(), "passport")).toBe(true);
    }
    expect(ledger.writes()).toBe(8);
    expect(isAlive(startMs + 120 * minuteMs, ledger.probeState(), "passport-list")).toBe(false);
  });

  test("writes the heartbeat of all endpoints when it is the only prober", async () => {
    const ledger = createLedger(waiting);
    await run(ledger, startMs + 20 * minuteMs);
    expect(ledger.writes()).toBe(1);
    const atMs = startMs + 40 * minuteMs;
    expect(isAlive(atMs, ledger.probeState(), "passport-list")).toBe(true);
    expect(isAlive(atMs, ledger.probeState(), "passport-credentials")).toBe(true);
  });

  test("does not change the rest of its endpoint's state", async () => {
    const ledger = createLedger(waiting);
    await run(ledger, startMs + 20 * minuteMs, "passport");
    expect(ledger.probeState()).toEqual({
      ...waiting,
      endpoints: {
        ...waiting.endpoints,
        passport: { ...waiting.endpoints.passport, idleMs: startMs + 20 * minuteMs },
      },
    });
  });
});

describe("a heartbeat", () => {
  test("is valid for 30 minutes", () => {
    expect(isAlive(startMs + 29 * minuteMs, waiting, "passport")).toBe(true);
    expect(isAlive(startMs + 30 * minuteMs, waiting, "passport")).toBe(false);
  });

  test("from the future is ignored, because the clock was set back", () => {
    expect(isAlive(startMs - 60 * minuteMs, waiting, "passport")).toBe(false);
  });

  test("from the future does not hide the other heartbeats", () => {
    const { passport, ...others } = waiting.endpoints;
    const lastMs = { authenticated: startMs, anonymous: startMs + 300 * minuteMs };
    const probeState = { ...waiting, endpoints: { ...others, passport: { ...passport!, lastMs } } };
    expect(isAlive(startMs + minuteMs, probeState, "passport")).toBe(true);
  });

  test("does not exist for an endpoint that was never probed", () => {
    expect(isAlive(startMs, emptyProbeState, "passport")).toBe(false);
  });
});
