// What people are told where checks are dated by a wrong clock and nobody knows it: by their own clock the checks come in another
// order than they were made in, and a RESOLVED may be wrong.
import { expect, test } from "vitest";
import { assess, type Memory } from "../../lib/assess/assess.ts";
import { recordTick } from "../../lib/assess/record-tick.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import { type Alert, incidentOf, isOfIncident, isOwnWarning } from "../../lib/records/alert.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { fc, runs } from "../random.ts";
import { settings, startMs, watch } from "./driver.ts";
import { minuteMs } from "./observation-builder.ts";

/** In minutes since the start. */
type Span = { from: number; length: number };
type History = { outages: Span[]; wrong: (Span & { by: number })[] };

const anyHistory: fc.Arbitrary<History> = fc.record({
  outages: fc.array(
    fc.record({ from: fc.integer({ min: 60, max: 400 }), length: fc.integer({ min: 10, max: 300 }) }),
    {
      minLength: 1,
      maxLength: 2,
    },
  ),
  wrong: fc.array(
    fc.record({
      from: fc.integer({ min: 30, max: 600 }),
      length: fc.integer({ min: 1, max: 40 }),
      by: fc.oneof(fc.integer({ min: 4, max: 60 }), fc.integer({ min: -240, max: 240 })),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const isIn = ({ from, length }: Span, ms: number) =>
  ms >= startMs + from * minuteMs && ms < startMs + (from + length) * minuteMs;

function dateBy(one: Observation, byMs: number): Observation {
  const [endpoint, variant, tick = "", ...others] = one.id.split("/");
  const moved = (instant: string) => new Date(Date.parse(instant) + byMs).toISOString();
  return { ...one, id: [endpoint, variant, moved(tick), ...others].join("/"), at: moved(one.at) };
}

/** Every tick is assessed when it is made, by the clock of that moment. */
async function play({ outages, wrong }: History) {
  const { observations } = watch(
    ({ atMs }) => (outages.some((one) => isIn(one, atMs)) ? { status: 503 } : {}),
    {
      days: 0.9,
    },
  );
  const ticks = Map.groupBy(observations, ({ id }) => Date.parse(id.split("/")[2]!));
  const store = openMemoryStore(() => nowMs);
  const sent: { trueMs: number; alert: Alert }[] = [];
  const memory: Memory = {};
  let [nowMs, trueMs] = [startMs, startMs];
  const ports = {
    nowMs: () => nowMs,
    readKey: async () => ({ kind: "none" }) as const,
    ledger: store.ledger,
    outbox: store.outbox,
    receivers: [acceptAlerts((alert) => sent.push({ trueMs, alert }))],
  };
  await store.outbox.subscribe(ports.receivers);
  let state: Awaited<ReturnType<typeof assess>>["state"] | undefined;
  for (const [tickMs, tick] of ticks) {
    trueMs = tickMs;
    const byMs = (wrong.find((one) => isIn(one, tickMs))?.by ?? 0) * minuteMs;
    nowMs = tickMs + 5_000 + byMs;
    await recordTick(
      ports,
      tick.map((one) => (byMs === 0 ? one : dateBy(one, byMs))),
    );
    ({ state } = await assess(ports, settings, memory));
  }
  const announced = await store.outbox.announced();
  store.close();
  const ofV1 = sent.filter(({ alert }) => isOfIncident(alert) && !isOwnWarning(alert));
  return { sent: ofV1, announced: announced.filter((one) => !isOwnWarning(one)), state: state! };
}

async function expectLaws(history: History) {
  const { sent, announced, state } = await play(history);
  const log = sent.map(({ trueMs, alert }) => `${new Date(trueMs).toISOString()} ${alert.id}`).join("\n");
  const ids = sent.map(({ alert }) => alert.id);
  expect(new Set(ids).size, log).toBe(ids.length);
  // By the order in which people got the messages.
  const open = new Set<string>();
  const over = new Set<string>();
  for (const { alert } of sent) {
    if (alert.event === "resolved" && !open.has(incidentOf(alert)))
      expect(over.has(incidentOf(alert)), log).toBe(false);
    if (alert.event === "resolved") over.add(incidentOf(alert));
    for (const replaced of alert.supersedes ?? []) open.delete(replaced);
    if (alert.event === "resolved") open.delete(incidentOf(alert));
    else open.add(incidentOf(alert));
  }
  const firing = state.incidents.filter((one) => one.state === "firing" && one.sent.length > 0);
  expect([...open].toSorted(), log).toEqual(firing.map(({ id }) => id).toSorted());
  expect(announced.map(incidentOf).toSorted(), log).toEqual([...open].toSorted());
}

/** Their RESOLVED had the number of a message that was sent before. */
const onceOpen: History[] = [
  {
    outages: [{ from: 120, length: 287 }],
    wrong: [
      { from: 343, length: 16, by: 223 },
      { from: 352, length: 37, by: 55 },
    ],
  },
  {
    outages: [{ from: 171, length: 46 }],
    wrong: [
      { from: 175, length: 10, by: 13 },
      { from: 174, length: 31, by: 53 },
      { from: 544, length: 3, by: 38 },
    ],
  },
];

test.each(onceOpen.map((history, index) => ({ history, index })))(
  "A history that once left an incident open for people ends it ($index)",
  ({ history }) => expectLaws(history),
);

test("Whatever order wrong clocks give to the checks, every incident that people were told of ends for them once it is over, and no two messages have one id", () =>
  fc.assert(fc.asyncProperty(anyHistory, expectLaws), { numRuns: runs(4), endOnFailure: true }));
