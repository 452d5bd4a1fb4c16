// What a restart within the day has to fold again.
import { expect, test } from "vitest";
import { assess, readAssessment } from "../../lib/assess/assess.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { Ledger, Ports } from "../../lib/ports.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { settings, startMs, watch } from "./driver.ts";
import { dayMs, hourMs, minuteMs } from "./observation-builder.ts";

const { decisions: _, ...given } = settings;

/** A ledger that counts the observations that are read from it. */
function countReads(ledger: Ledger): { ledger: Ledger; reads(): number } {
  let count = 0;
  return {
    reads: () => count,
    ledger: {
      ...ledger,
      async *observations(fromMs, untilMs) {
        for await (const one of ledger.observations(fromMs, untilMs)) {
          count++;
          yield one;
        }
      },
    },
  };
}

test("After an hour of checks every ten seconds a restart folds some minutes of them, and ends in the same state", async () => {
  const outage = { fromMs: startMs + 20 * minuteMs, untilMs: startMs + 40 * minuteMs };
  const { observations } = watch(
    ({ atMs, random }) =>
      (atMs >= outage.fromMs && atMs < outage.untilMs) || random < 0.01 ? { status: 503 } : {},
    { days: hourMs / dayMs, calm: "10s" },
  );
  let nowMs = startMs;
  const store = openMemoryStore(() => nowMs, emptyProbeState);
  const ports: Ports = {
    nowMs: () => nowMs,
    readKey: async () => ({ kind: "none" }),
    ledger: store.ledger,
    outbox: store.outbox,
    receivers: [],
  };
  const memory = {};
  for (const [index, one] of observations.entries()) {
    await store.ledger.append(one);
    nowMs = Date.parse(one.at) + 1;
    if (index % 50 === 0) await assess(ports, given, memory);
  }
  const { state } = await assess(ports, given, memory);
  const counted = countReads(store.ledger);
  const restarted = await readAssessment(counted.ledger, given, nowMs);
  expect(restarted.state).toEqual(state);
  expect(observations.length).toBeGreaterThan(1_000);
  expect(counted.reads()).toBeLessThan(500);
  store.close();
});
