// A monitor whose machine has a clock that jumps, beside a V1 that fails for a while: the real watch on a virtual clock, with a V1 on
// this machine whose own clock is right. What is played without the jumps is what people should get.
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { startMonitor } from "../../lib/local/monitor.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../../lib/local/simulation.ts";
import { createSteadyClock } from "../../lib/local/steady-clock.ts";
import { openMemoryStore, type Store } from "../../lib/local/store/store.ts";
import { type Alert, incidentOf } from "../../lib/records/alert.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { fc } from "../random.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const startMs = Date.parse("2026-11-10T10:00:00Z");

/** In minutes since the start, by the true time. */
type Span = { from: number; length: number };
export type Jump = Span & { by: number };
export type Outage = Span & { endpoints: EndpointId[]; effect: "status" | "reset" };
export type History = { outages: Outage[]; jumps: Jump[]; minutes: number };

const isIn = ({ from, length }: Span, ms: number) =>
  ms >= startMs + from * minuteMs && ms < startMs + (from + length) * minuteMs;

/** V1 fails before, during or after a jump; jumps last for one check to an hour. At the end all is well for hours. */
export const anyHistory: fc.Arbitrary<History> = fc
  .record({
    outages: fc.array(
      fc.record({
        from: fc.integer({ min: 40, max: 500 }),
        length: fc.integer({ min: 1, max: 200 }),
        endpoints: fc.oneof(
          fc.constant<EndpointId[]>([...endpointIds]),
          fc.subarray<EndpointId>([...endpointIds], { minLength: 1, maxLength: 2 }),
        ),
        effect: fc.constantFrom<Outage["effect"]>("status", "reset"),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    jumps: fc.array(
      fc.record({
        from: fc.integer({ min: 5, max: 640 }),
        length: fc.integer({ min: 1, max: 60 }),
        by: fc.oneof(
          fc.integer({ min: -240, max: -4 }),
          fc.integer({ min: 4, max: 60 }),
          fc.integer({ min: 60, max: 1_200 }),
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map((history) => ({ ...history, minutes: 1_200 }));

/** The monitor is started while the clock is wrong, which is corrected later, or again while or after it is wrong. */
export const anyHistoryWithStarts = fc
  .record({
    history: anyHistory,
    atStart: fc.option(
      fc.record({ length: fc.integer({ min: 1, max: 60 }), by: fc.integer({ min: -240, max: 1_200 }) }),
      { nil: undefined },
    ),
    restarts: fc.array(fc.integer({ min: 6, max: 700 }), { maxLength: 2 }),
  })
  .map(({ history, atStart, restarts }) => {
    const [first] = history.jumps;
    const jumps = atStart ? [{ from: 0, ...atStart }, ...history.jumps] : history.jumps;
    // One of them while the clock is wrong.
    const during = first ? [first.from + Math.floor(first.length / 2)] : [];
    return { history: { ...history, jumps }, restarts: [...during, ...restarts].sort((a, b) => a - b) };
  });

export type Sent = { trueMs: number; alert: Alert };

export type Options = {
  /** Steps of the clock are followed, as before the clock was compared with another one. */
  isFollowed?: boolean;
  isV1Elsewhere?: boolean;
  /** The process is started again at these minutes. */
  restarts?: readonly number[];
  store?: Store;
};

export async function play(history: History, options: Options = {}) {
  const { isV1Elsewhere = true, isFollowed = false, restarts = [] } = options;
  let trueMs = startMs;
  const wallMs = () => trueMs + (history.jumps.find((jump) => isIn(jump, trueMs))?.by ?? 0) * minuteMs;
  const simulation = await startSimulation({ passports: 10, clock: { now: () => trueMs } });
  const store = openMemoryStore(() => trueMs);
  const { cadence, ...fast } = configForSimulator(simulation.simulator.url, 10, "memory");
  const config = {
    ...fast,
    alerts: { ...fast.alerts, pageAfter: undefined },
    cadence: { ...cadence, calm: "36m", confirm: "1m", rare: "1d" },
    budget: { monthlyRequests: 10_000 },
    staleness: { ...fast.staleness, frozenAfter: "30d" },
    retention: { observationDays: 20 },
  };
  const sent: Sent[] = [];
  const observations: Observation[] = [];
  const ticksMs: number[] = [];
  const start = async () => {
    const clock = createSteadyClock({ wallMs, uptimeMs: isFollowed ? wallMs : () => trueMs, isV1Elsewhere });
    const monitor = await startMonitor({
      config,
      store: { ...store, close() {} },
      clock,
      allowLoopback: true,
      mode: "watch",
      signal: new AbortController().signal,
      readKey: async () => ({ kind: "key", key: simulatorKey }),
      onTick: (tick) => observations.push(...tick.observations),
      channels: [
        {
          name: "people",
          type: "console",
          reachesPeople: true,
          async send(alert) {
            sent.push({ trueMs, alert });
            return acceptedByReceiver();
          },
        },
      ],
    });
    return { clock, monitor };
  };
  let running = await start();
  const waiting = restarts.map((minute) => startMs + minute * minuteMs);
  const endMs = startMs + history.minutes * minuteMs;
  while (trueMs < endMs) {
    if (trueMs >= (waiting[0] ?? Number.POSITIVE_INFINITY)) {
      waiting.shift();
      await running.monitor.close();
      running = await start();
    }
    simulation.clear();
    for (const outage of history.outages)
      if (isIn(outage, trueMs))
        for (const endpoint of outage.endpoints) simulation.inject(outage.effect, endpoint);
    ticksMs.push(trueMs);
    const { nextTickMs } = await running.monitor.once();
    const restMs = Math.min(hourMs, Math.max(1_000, nextTickMs - running.clock.nowMs()));
    const nextRestart = waiting[0] ?? Number.POSITIVE_INFINITY;
    trueMs = Math.min(trueMs + restMs, Math.max(trueMs + 1_000, nextRestart));
  }
  const stored: Observation[] = [];
  for await (const one of store.ledger.observations(0, 1e15)) stored.push(one);
  const announced = await store.outbox.announced();
  await running.monitor.close();
  await simulation.simulator.close();
  store.close();
  return { sent, observations, stored, announced, ticksMs };
}

export type Played = Awaited<ReturnType<typeof play>>;

/** What the messages say against what V1 did; by the true time. */
export function findFaults(history: History, played: Played): string[] {
  const told = ofV1(played);
  const ids = played.sent.map(({ alert }) => alert.id);
  const twice = ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id} is used twice`);
  const isBad = (ms: number, endpoints: readonly string[]) =>
    history.outages.some((one) => isIn(one, ms) && one.endpoints.some((name) => endpoints.includes(name)));
  const tooSoon = told
    .filter(
      ({ trueMs, alert }) =>
        alert.event === "resolved" && alert.rule !== "silent" && isBad(trueMs, alert.endpoints),
    )
    .map(({ alert }) => `${alert.id} although V1 fails`);
  const ends = told.filter(({ alert }) => alert.event === "resolved").map(({ alert }) => incidentOf(alert));
  const again = ends.filter((id, index) => ends.indexOf(id) < index).map((id) => `${id} ends twice`);
  const open = played.announced.filter(({ rule }) => rule !== "monitor").map(({ id }) => `${id} has no end`);
  return [...twice, ...tooSoon, ...again, ...open];
}

/** What people got of V1, without what the monitor says of itself. */
export const ofV1 = ({ sent }: Pick<Played, "sent">) =>
  sent.filter(({ alert }) => alert.rule !== "monitor" && alert.rule !== "digest");
