// Three laws of what people hear of failures, over random histories at three cadences: what is bad for long was told, what is good
// for long is over, and no day has more messages than a person reads. Weeks of storms spend a month's reserve, and then only the
// scheduled checks are left, which prove nothing within hours: the budget has room for them.
import type { IncidentEvent } from "../../lib/assess/engine/engine-state.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { failureRules, type RuleId } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { classify } from "../../lib/records/outcome.ts";
import { fc } from "../random.ts";
import { type Outcome, type Service, startMs, type Watched, watch } from "./driver.ts";
import { cadences } from "./histories.ts";
import { dayMs, hourMs, minuteMs } from "./observation-builder.ts";

type Calm = "10s" | "36m" | "3h";
export const daysOf: Readonly<Record<Calm, number>> = { "10s": 0.25, "36m": 8, "3h": 20 };

const outcomes: readonly NonNullable<Outcome>[] = [
  ...[401, 403, 404, 410, 500, 503].map((status) => ({ status })),
  { outcome: { kind: "timeout" } },
  { outcome: { kind: "not-json", detail: "html", status: 200 } },
];

const tenths = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 10);

/** Times are units: a round, or 20 min where a round is shorter. */
const spell = fc.record({
  /** After the end of the spell before it: spells of other endpoints may overlap. */
  gap: fc.oneof(tenths(-40, 30), tenths(30, 250)),
  length: fc.oneof(tenths(2, 30), tenths(30, 90)),
  /** It repeats so often, with so long a pause. */
  times: fc.constantFrom(1, 1, 2, 4, 8),
  pause: tenths(3, 45),
  share: fc.constantFrom(1, 1, 1, 0.8, 0.5, 0.3, 0.2),
  endpoints: fc.oneof(
    fc.constant([...endpointIds]),
    fc.subarray([...endpointIds], { minLength: 1, maxLength: 2 }),
  ),
  outcome: fc.nat(outcomes.length - 1),
});
type Spell = typeof spell extends fc.Arbitrary<infer Value> ? Value : never;

export const anyHistory = fc.record({
  calm: fc.constantFrom<Calm>("36m", "36m", "3h", "10s"),
  spells: fc.array(spell, { minLength: 1, maxLength: 9 }),
  seed: fc.nat(100_000),
  phase: fc.nat(11),
});
export type History = typeof anyHistory extends fc.Arbitrary<infer Value> ? Value : never;

type Bad = { fromMs: number; untilMs: number } & Pick<Spell, "share" | "endpoints" | "outcome">;

export function badTimes({ calm, spells }: History): Bad[] {
  const unitMs = Math.max(cadences[calm].roundMs, 20 * minuteMs);
  let atMs = startMs + 5 * unitMs;
  return spells.flatMap(({ gap, length, times, pause, share, endpoints, outcome }) => {
    const firstMs = Math.max(startMs + 5 * unitMs, atMs + gap * unitMs);
    const bad = Array.from({ length: times }, (_, index) => {
      const fromMs = firstMs + index * (length + pause) * unitMs;
      return { fromMs, untilMs: fromMs + length * unitMs, share, endpoints, outcome };
    });
    atMs = bad.at(-1)!.untilMs;
    return bad;
  });
}

export const serviceOf = (history: History): Service => {
  const all = badTimes(history);
  return ({ atMs, endpoint, random }) => {
    const bad = all.find(
      (one) =>
        atMs >= one.fromMs && atMs < one.untilMs && one.endpoints.includes(endpoint) && random < one.share,
    );
    return bad ? outcomes[bad.outcome]! : {};
  };
};

type Told = { atMs: number } & Pick<IncidentEvent, "event" | "incident" | "supersedes">;
type Check = { atMs: number; isBad: boolean; isScheduled: boolean };
type Played = Pick<Watched, "alerts" | "observations"> & {
  told: Told[];
  checks: Record<EndpointId, Check[]>;
  roundMs: number;
};

const rates: readonly RuleId[] = ["error-rate", "unauthorized-rate", "partial-drift"];
const isRate = ({ incident }: Pick<Told, "incident">) => rates.includes(incident.rule);
const isOfFailures = (one: IncidentEvent) =>
  isRate(one) || (failureRules as readonly RuleId[]).includes(one.incident.rule);

const played = new Map<string, Played>();

/** The laws have the same seed and so the same histories: each is played once. */
export function play(history: History): Played {
  const key = JSON.stringify(history);
  const known = played.get(key);
  if (known) return known;
  const { calm, seed, phase } = history;
  const { alerts, events, observations } = watch(serviceOf(history), {
    days: daysOf[calm],
    calm,
    seed,
    phase,
    monthlyRequests: 10_000_000,
  });
  const checksOf = (endpoint: EndpointId): Check[] =>
    observations.filter((one) => one.isPrimary && one.endpoint === endpoint).map(toCheck);
  const now: Played = {
    alerts,
    observations,
    told: events
      .filter(isOfFailures)
      .map(({ event, incident, supersedes, at }) => ({ event, incident, supersedes, atMs: Date.parse(at) })),
    checks: Object.fromEntries(endpointIds.map((one) => [one, checksOf(one)])) as Played["checks"],
    roundMs: cadences[calm].roundMs,
  };
  played.set(key, now);
  return now;
}

const toCheck = (one: Observation): Check => ({
  atMs: Date.parse(one.at),
  isBad: classify(one) !== "ok",
  isScheduled: one.reason === "scheduled",
});

/** A message is sent with the tick of the check, which begins a moment before it. */
const momentMs = 5_000;
/** A page needs bad checks over 14 min where one endpoint fails. */
const confirmationMs = 15 * minuteMs;
/** What people know to be bad at an instant: the last message of each incident that has not ended. */
function knownAt(told: readonly Told[], ms: number): Told[] {
  const known = new Map<string, Told>();
  for (const one of told) {
    if (one.atMs > ms) break;
    for (const id of one.supersedes ?? []) known.delete(id);
    if (one.event === "resolved") known.delete(one.incident.id);
    else known.set(one.incident.id, one);
  }
  return [...known.values()];
}

/** The checks in a row that are alike, at the end of each part of the log. */
function runsOf(checks: readonly Check[], isBad: boolean): Check[][] {
  const all: Check[][] = [];
  for (const [index, check] of checks.entries()) {
    if (check.isBad !== isBad) continue;
    if (checks[index - 1]?.isBad === isBad) all.at(-1)!.push(check);
    else all.push([check]);
  }
  return all;
}

/** What is bad for long and was not told. */
export function findUnheard({ told, checks, roundMs }: Played): string[] {
  const longMs = confirmationMs + Math.max(2 * hourMs, 3 * roundMs) + roundMs;
  return endpointIds.flatMap((endpoint) =>
    runsOf(checks[endpoint], true).flatMap((run) => {
      const fromMs = run[0]!.atMs;
      const due = run.find(({ atMs }) => atMs - fromMs >= longMs);
      if (!due) return [];
      const untilMs = due.atMs + momentMs;
      const own = ({ incident }: Told) => incident.endpoints.includes(endpoint);
      const isKnown = knownAt(told, untilMs).some(own);
      const isTold = told.some(
        (one) =>
          one.event !== "resolved" && own(one) && one.atMs <= untilMs && one.atMs >= fromMs - 2 * hourMs,
      );
      const at = `${endpoint} from ${new Date(fromMs).toISOString()} to ${new Date(due.atMs).toISOString()}`;
      if (!isKnown) return [`people were last told that it is over: ${at}`];
      return isTold ? [] : [`nothing was told of it: ${at}`];
    }),
  );
}

const isOf = (one: Told, { id }: Told["incident"]) => one.incident.id === id;

/** What is good for long and is not over. */
export function findOpen(played: Played): string[] {
  const { told, checks, roundMs } = played;
  const calmMs = Math.max(2 * hourMs, 4 * roundMs) + roundMs + confirmationMs;
  const untilMs = Math.max(...endpointIds.map((one) => checks[one].at(-1)!.atMs));
  const found = new Set<string>();
  for (let ms = startMs; ms <= untilMs; ms += Math.max(5 * minuteMs, roundMs / 4))
    for (const one of knownAt(told, ms + momentMs)) {
      // An incident is about every endpoint that a message of it has named: each may be bad again.
      const named = new Set(told.flatMap(({ incident }) => (isOf(one, incident) ? incident.endpoints : [])));
      const names = isRate(one) ? endpointIds : [...named];
      const good = names.map((endpoint) => {
        const all = checks[endpoint].filter(({ atMs }) => atMs <= ms);
        return all.slice(all.findLastIndex(({ isBad }) => isBad) + 1);
      });
      const isLong = good.every((all) => all.length > 0 && ms - all[0]!.atMs >= calmMs);
      if (isLong && (!isRate(one) || isEnoughForRate(good, roundMs))) found.add(one.incident.id);
    }
  return [...found];
}

/** Whatever its share, a rate is over by three quarters of a day's checks; storms of one share end sooner. */
const isEnoughForRate = (good: readonly Check[][], roundMs: number): boolean =>
  good.every((all) => all.filter(({ isScheduled }) => isScheduled).length >= (0.75 * dayMs) / roundMs + 1);

export function mostInADay(told: readonly Told[]): number {
  // Reminders have the team's hour, one a day.
  const news = told.filter(({ event }) => event !== "reminder");
  const inDay = (one: Told) => news.filter(({ atMs }) => atMs <= one.atMs && atMs > one.atMs - dayMs).length;
  return Math.max(0, ...news.map(inDay));
}
