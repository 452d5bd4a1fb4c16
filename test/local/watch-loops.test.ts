// Every endpoint has a loop of its own: one that hangs delays neither the checks of the others nor the counting of requests.
import { afterAll, expect, test } from "vitest";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../../lib/local/simulation.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { WatchInput, WatchTick } from "../../lib/local/watch.ts";
import { watch } from "../../lib/local/watch-loops.ts";
import type { Observation } from "../../lib/records/observation.ts";

const cleanups: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanups) await cleanUp();
});

/** A watch with a check of each endpoint every second, on the clock of this machine. */
async function prepare(deadlineMs: number) {
  const simulation = await startSimulation({ passports: 60 });
  const { ledger, outbox, close } = openMemoryStore(Date.now);
  cleanups.push(close, () => simulation.simulator.close());
  const fast = configForSimulator(simulation.simulator.url, 2, "memory");
  const config = { ...fast, cadence: { ...fast.cadence, calm: "1s" }, timeouts: { deadlineMs } };
  const stopping = new AbortController();
  const ticks: WatchTick[] = [];
  const observed: Observation[] = [];
  /** Waits for something to be true; it is looked at after every observation and every tick. */
  const looks = new Set<() => void>();
  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => isTrue() && looks.delete(look) && resolve();
      looks.add(look);
      look();
    });
  const lookAll = () => [...looks].map((look) => look());
  const input: WatchInput = {
    config,
    settings: assessmentSettings(config),
    ports: {
      nowMs: Date.now,
      readKey: async () => ({ kind: "key", key: simulatorKey }),
      ledger,
      outbox,
      receivers: [],
    },
    allowLoopback: true,
    signal: stopping.signal,
    onObservation(observation) {
      observed.push(observation);
      lookAll();
    },
    onTick(tick) {
      ticks.push(tick);
      lookAll();
    },
  };
  const count = (endpoint: EndpointId, rows: readonly Observation[] = observed) =>
    rows.filter((one) => one.endpoint === endpoint && one.variant === "authenticated").length;
  const readState = async () => (await ledger.readProbeState())!.value;
  return { simulation, input, stopping, ticks, observed, until, count, readState };
}

test.concurrent.each<EndpointId>(["passport-list", "passport"])(
  "An endpoint that hangs does not delay the checks of the others, and a stop leaves nothing booked or uncounted: %s",
  async (hanging) => {
    const { simulation, input, stopping, ticks, observed, until, count, readState } = await prepare(60_000);
    const running = watch(input);
    await until(() => ticks.length > 0);
    simulation.inject("hang", hanging);
    const others = endpointIds.filter((endpoint) => endpoint !== hanging);
    const before = others.map((endpoint) => count(endpoint));
    await until(() => others.every((endpoint, index) => count(endpoint) >= before[index]! + 2));
    stopping.abort();
    await running;
    const { spent, bookings } = await readState();
    // A request that was under way when it was stopped may not have arrived, and is counted.
    expect(Object.values(spent)[0]).toBeGreaterThanOrEqual(simulation.simulator.requests());
    // One got no answer.
    expect(simulation.simulator.requests()).toBeGreaterThan(observed.length);
    expect(bookings).toEqual({});
    // What was observed meanwhile is kept.
    const made = ticks.flatMap(({ observations }) => observations);
    expect(others.map((endpoint) => count(endpoint, made))).toEqual(
      others.map((endpoint) => count(endpoint)),
    );
  },
);

test.concurrent("Ticks are assessed whole and in the order in which they began, also where a check takes longer than those after it", async () => {
  const { simulation, input, stopping, ticks, until } = await prepare(800);
  const running = watch(input);
  await until(() => ticks.length > 0);
  simulation.inject("hang", "passport");
  const timeouts = () =>
    ticks.flatMap(({ observations }) => observations).filter(({ outcome }) => outcome.kind === "timeout");
  await until(() => timeouts().length >= 2);
  stopping.abort();
  await running;
  const began = ticks.map(({ tickMs }) => tickMs);
  expect(began).toEqual(began.toSorted((a, b) => a - b));
  const made = ticks.flatMap(({ observations }) => observations);
  expect(ticks.at(-1)?.assessment?.state.observations).toBe(made.length);
  const alerts = ticks.flatMap(({ assessment }) => assessment?.alerts ?? []);
  expect(new Set(alerts.map(({ id }) => id)).size).toBe(alerts.length);
});
