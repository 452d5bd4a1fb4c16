// Every scenario shows its alert within a minute of the simulator's fast mode, and a healthy V1 shows none.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { colourLines } from "../../lib/commands/layout.ts";
import { renderVerdict } from "../../lib/commands/up/text.ts";
import { readSummary } from "../../lib/local/dashboard/summary.ts";
import { type Monitor, startMonitor } from "../../lib/local/monitor.ts";
import { renderBadge, renderIcon } from "../../lib/local/server/metrics-and-badge.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../../lib/local/simulation.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { type ScenarioName, scenarios } from "../../lib/simulator/scenarios.ts";
import { makeFolder } from "../local/temporary-folder.ts";

const folder = makeFolder();
const everySeconds = 10;

const red = "#cf222e";

/** Everything that shows the worst firing incident agrees on whether it is a page. */
async function checkColours({ currentState, sources }: Monitor): Promise<void> {
  const nowMs = sources.nowMs();
  const range = { name: "1h", fromMs: nowMs - 3_600_000, untilMs: nowMs } as const;
  const { verdict, firing } = await readSummary(sources, range);
  const isPage = firing[0]?.severity === "page";
  expect(verdict.tone === "critical").toBe(isPage);
  expect(renderBadge(verdict).includes(red)).toBe(isPage);
  expect(renderIcon(verdict.tone).includes(red)).toBe(isPage);
  const terminal = { columns: 100, env: {} };
  const line = colourLines(renderVerdict(currentState.assessState(), verdict), terminal);
  expect(line.startsWith("\u001b[1m\u001b[31mPAGE")).toBe(isPage);
}

/** A minute of a healthy V1, and then the scenario, on a virtual clock. Returns the rules of the firing incidents. */
async function watch(name: ScenarioName, lengthMs: number, profile: ScenarioName = "healthy") {
  const clock = { nowMs: Date.parse("2026-11-15T10:07:03Z") };
  const nowMs = () => clock.nowMs;
  const simulation = await startSimulation({ scenario: profile, clock: { now: nowMs } });
  const fast = configForSimulator(simulation.simulator.url, everySeconds, join(folder, `${name}.db`));
  // By the clock on the wall: a request of a busy machine has to fit, or its retry moves all random faults after it.
  const config = { ...fast, timeouts: { deadlineMs: 1_000 } };
  const opened = openStore(config.store, { mode: "own", nowMs });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const monitor = await startMonitor({
    config,
    store: opened.store,
    simulation,
    channels: [],
    allowLoopback: true,
    mode: "simulator",
    nowMs,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    signal: new AbortController().signal,
    onTick() {},
  });
  const firing = () =>
    monitor.currentState
      .assessState()
      .incidents.flatMap(({ rule, state }) => (state === "firing" ? [rule as string] : []));
  const watchFor = async (ms: number) => {
    const untilMs = clock.nowMs + ms;
    while (clock.nowMs < untilMs && firing().length === 0) {
      const { nextTickMs } = await monitor.once();
      clock.nowMs = Math.max(clock.nowMs + 500, nextTickMs);
    }
  };
  try {
    await watchFor(60_000);
    expect(firing()).toEqual([]);
    if (profile === "healthy") simulation.start(name);
    await watchFor(lengthMs);
    await checkColours(monitor);
    return firing();
  } finally {
    await monitor.close();
    await simulation.simulator.close();
  }
}

/** The rule that comes first, where it is not the first of the truth. */
const first: Partial<Record<ScenarioName, string>> = {
  "date-passed-still-alive": "sunset-passed",
  // A total is compared with that of the day before; the second page of a list that shrank is gone at once.
  "data-shrinking": "variant-changed",
};

/** A third of failures is a rate after a few minutes. */
const longer: Partial<Record<ScenarioName, number>> = {
  "flaky-network": 5 * 60_000,
};

describe("a scenario of the simulator", () => {
  const faulty = scenarios.filter(({ truth }) => truth.length > 0);

  test.each(faulty)("The scenario $name shows its alert within a minute", async ({ name, truth }) => {
    const expected = first[name as ScenarioName] ?? truth[0]?.rule;
    const rules = await watch(name as ScenarioName, longer[name as ScenarioName] ?? 60_000);
    if (name === "flaky-network") expect(["down", "error-rate"]).toContain(rules[0]);
    else expect(rules).toContain(expected);
  });

  test.each(["healthy", "realistic"] as const)(
    "The scenario %s shows no alert in three minutes",
    async (name) => {
      expect(await watch(name, 180_000, name)).toEqual([]);
    },
  );
});
