import { expect, test } from "vitest";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Versioned } from "../../../lib/ports.ts";
import { slotStartMs } from "../../../lib/probe/schedule/budget.ts";
import { runTick } from "../../../lib/probe/tick.ts";
import { emptyProbeState, type ProbeState, probeState } from "../../../lib/records/probe-state.ts";
import { configure } from "../../config/configure.ts";

const minuteMs = 60_000;
const startMs = Date.parse("2026-11-15T00:00:00Z");
const config = configure({ cadence: { calm: "1d" } });

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
    tickMs,
    config,
    ledger,
    allowLoopback: false,
    nowMs: () => tickMs,
    ...(only && { only }),
    readKey: async () => ({ kind: "none" }),
  });
  return result;
}

test("A tick in which nothing is due writes nothing", async () => {
  const ledger = keep(waiting);
  for (let minute = 1; minute <= 120; minute++) {
    expect((await run(ledger, startMs + minute * minuteMs, "passport")).observations).toEqual([]);
    expect((await run(ledger, startMs + minute * minuteMs)).observations).toEqual([]);
  }
  expect(ledger.writes()).toBe(0);
  expect(ledger.probeState()).toEqual(waiting);
});

test("A tick in which nothing is due forgets extra checks that were left behind, of its own endpoint", async () => {
  const check = { variant: "authenticated", reason: "confirmation", atMs: startMs } as const;
  const pending = [
    { ...check, endpoint: "passport" as const },
    { ...check, endpoint: "passport-list" as const },
  ];
  const laterMs = startMs + 46 * minuteMs;
  const own = keep({ ...waiting, pending });
  const { nextTickMs, deferred } = await run(own, laterMs, "passport");
  expect(own.probeState().pending).toEqual([pending[1]]);
  expect(own.writes()).toBe(1);
  expect(deferred).toEqual([]);
  expect(nextTickMs).toBe(startMs + 8 * 60 * minuteMs);
  const all = keep({ ...waiting, pending });
  await run(all, laterMs);
  expect(all.probeState().pending).toEqual([]);
});

test("A tick in a month that is used up requests nothing, says why, and records each check once as not sent", async () => {
  const ledger = keep({ ...emptyProbeState, spent: { "2026-11": 5_000 } });
  const { observations, deferred, nextTickMs } = await run(ledger, startMs);
  expect(observations.map(({ outcome, attempts }) => ({ ...outcome, attempts }))).toEqual(
    endpointIds.map(() => ({ kind: "refused", detail: "budget", attempts: [] })),
  );
  expect((await run(ledger, startMs + minuteMs)).observations).toEqual([]);
  expect(deferred).toEqual(["all 5,000 requests of the month are made; the next is on 2026-12-01"]);
  expect(nextTickMs).toBe(startMs + 8 * 60 * minuteMs);
  expect(ledger.probeState().spent).toEqual({ "2026-11": 5_000 });
  const next = Date.UTC(2026, 11, 1);
  expect((await run(ledger, next - minuteMs)).nextTickMs).toBe(next);
});
