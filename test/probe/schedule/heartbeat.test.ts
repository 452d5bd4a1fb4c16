import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../lib/config/config.ts";
import type { Versioned } from "../../../lib/ports.ts";
import { slotStartMs } from "../../../lib/probe/schedule/budget.ts";
import { runTick } from "../../../lib/probe/tick.ts";
import { emptyProbeState, isAlive, type ProbeState, probeState } from "../../../lib/records/probe-state.ts";

const minuteMs = 60_000;
const startMs = Date.parse("2026-11-15T00:00:00Z");
const fileText = '{"baseUrl":"https://v1.example.com","cadence":{"calm":"1d"}}';
const loaded = loadConfig({ fileText, env: {}, flags: {} });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
const { config } = loaded;

/** Every endpoint has had its check of this slot, and the next slot is far away. */
const waiting: ProbeState = {
  ...emptyProbeState,
  endpoints: Object.fromEntries(
    (["passport-list", "passport", "passport-credentials"] as const).map((endpoint) => [
      endpoint,
      { last: { authenticated: { atMs: startMs } }, slotMs: slotStartMs(endpoint, startMs, config) },
    ]),
  ),
};

function keep(first: ProbeState) {
  let known: Versioned<ProbeState> = { value: first, version: 1 };
  let writes = 0;
  return {
    probeState: () => known.value,
    writes: () => writes,
    readProbeState: async () => known,
    async writeProbeState(value: ProbeState, version: number) {
      writes += 1;
      known = { value: probeState.parse(value), version: version + 1 };
      return { kind: "written" as const };
    },
  };
}

async function run(ledger: ReturnType<typeof keep>, tickMs: number, only?: "passport") {
  const result = await runTick({
    ...{ tickMs, config, ledger, allowLoopback: false, nowMs: () => tickMs, ...(only && { only }) },
    readKey: async () => ({ kind: "none" }),
  });
  expect(result.observations).toEqual([]);
  return result;
}

describe("a prober that has nothing to ask", () => {
  test("gives a sign of life every quarter of an hour, and writes nothing in between", async () => {
    const ledger = keep(waiting);
    for (let minute = 1; minute <= 120; minute++) {
      const tickMs = startMs + minute * minuteMs;
      await run(ledger, tickMs, "passport");
      expect(isAlive(tickMs, ledger.probeState(), "passport")).toBe(true);
    }
    expect(ledger.writes()).toBe(8);
    expect(isAlive(startMs + 120 * minuteMs, ledger.probeState(), "passport-list")).toBe(false);
  });

  test("speaks for all endpoints where it is the only one", async () => {
    const ledger = keep(waiting);
    await run(ledger, startMs + 20 * minuteMs);
    expect(ledger.writes()).toBe(1);
    const atMs = startMs + 40 * minuteMs;
    expect(isAlive(atMs, ledger.probeState(), "passport-list")).toBe(true);
    expect(isAlive(atMs, ledger.probeState(), "passport-credentials")).toBe(true);
  });

  test("leaves what is remembered of its endpoint as it was", async () => {
    const ledger = keep(waiting);
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

describe("a sign of life", () => {
  test("counts for half an hour", () => {
    expect(isAlive(startMs + 29 * minuteMs, waiting, "passport")).toBe(true);
    expect(isAlive(startMs + 30 * minuteMs, waiting, "passport")).toBe(false);
  });

  test("from far ahead says nothing: a clock moved back", () => {
    expect(isAlive(startMs - 60 * minuteMs, waiting, "passport")).toBe(false);
  });

  test("from far ahead does not hide the others", () => {
    const { passport, ...others } = waiting.endpoints;
    const last = { authenticated: { atMs: startMs }, anonymous: { atMs: startMs + 300 * minuteMs } };
    const probeState = { ...waiting, endpoints: { ...others, passport: { ...passport!, last } } };
    expect(isAlive(startMs + minuteMs, probeState, "passport")).toBe(true);
  });

  test("of nobody is none", () => {
    expect(isAlive(startMs, emptyProbeState, "passport")).toBe(false);
  });
});
