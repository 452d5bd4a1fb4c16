// Checks that were due and not sent, for random reasons over random times, at every cadence.
import { expect, test } from "vitest";
import { foldTick, showIncidents } from "../../../lib/assess/fold.ts";
import { type AssessState, freshState } from "../../../lib/assess/state.ts";
import { type EndpointId, endpointIds, sampleSource } from "../../../lib/contract/endpoints.ts";
import type { Observation, Outcome } from "../../../lib/records/observation.ts";
import { type NotSentReason, notSentReasons } from "../../../lib/records/outcome.ts";
import { hourMs, minuteMs } from "../../../lib/time.ts";
import { fc } from "../../random.ts";
import { settings, startMs, watch } from "../driver.ts";
import { observationOf } from "../observation-builder.ts";

type Reason = NotSentReason | "sent";

const outcomes: Record<Reason, Outcome> = {
  sent: { kind: "ok" },
  budget: { kind: "refused", detail: "budget" },
  "no-key": { kind: "no-secret" },
  address: { kind: "refused", detail: "address" },
  proxy: { kind: "refused", detail: "proxy-unreachable" },
  "no-sample": { kind: "refused", detail: "no-sample" },
};
const rules = {
  budget: "silent",
  "no-key": "no-secret",
  address: "address-refused",
  proxy: "proxy-failed",
  "no-sample": "no-sample",
};
const ownRules: readonly string[] = Object.values(rules);

type Made = { atMs: number; reason: Reason };
type Marked = Made & { isBad: boolean };

/** Whether a check that was or was not sent shows that a reason does not hold. */
const isGood = (made: Reason, reason: NotSentReason) =>
  made === "sent" || notSentReasons.indexOf(made) > notSentReasons.indexOf(reason);

/** What is known of a reason, check by check; what says nothing of it is left out. */
const marksOf = (made: readonly Made[], reason: NotSentReason): Marked[] =>
  made
    .filter((one) => one.reason === reason || isGood(one.reason, reason))
    .map((one) => ({ ...one, isBad: one.reason === reason }));

const lastRun = (marks: readonly Marked[], isBad: boolean) =>
  marks.slice(marks.findLastIndex((mark) => mark.isBad !== isBad) + 1);

/**
 * Bad checks of every endpoint, three of them in all, over five minutes; of a sample, three of each endpoint. Endpoints that became bad
 * more than 40 min apart have to be bad once more.
 */
function mustFire(runs: readonly (readonly Marked[])[], reason: NotSentReason): boolean {
  const all = runs.flat().map(({ atMs }) => atMs);
  const onsets = runs.map((run) => run[0]?.atMs ?? 0);
  const isApart = Math.max(...onsets) - Math.min(...onsets) > 40 * minuteMs;
  const each = reason === "no-sample" ? 3 : isApart ? 2 : 1;
  const spanMs = (ms: readonly number[]) => Math.max(...ms) - Math.min(...ms);
  if (!runs.every((run) => run.length >= each) || all.length < 3) return false;
  if (reason !== "no-sample") return spanMs(all) >= 5 * minuteMs;
  return runs.every((run) => spanMs(run.map(({ atMs }) => atMs)) >= 5 * minuteMs);
}

const firing = ({ incidents }: AssessState) =>
  incidents.filter(({ state, rule }) => state === "firing" && ownRules.includes(rule));

const cadences = [2 * minuteMs, 36 * minuteMs, 3 * hourMs, 24 * hourMs];
const phase = fc.record({
  reason: fc.constantFrom<Reason[]>("sent", ...notSentReasons),
  rounds: fc.integer({ min: 1, max: 4 }),
});

test("Checks that were not sent, for whatever reasons and however long, fire with their reason as soon as three show it, and end when they are sent", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...cadences),
      fc.array(phase, { minLength: 1, maxLength: 5 }),
      (cadenceMs, phases) => {
        const given = { ...settings, silentAfterMs: Math.max(hourMs, 3 * cadenceMs) };
        const state = freshState();
        const made = new Map<EndpointId, Made[]>(endpointIds.map((endpoint) => [endpoint, []]));
        const opened = new Set<string>();
        let atMs = startMs;
        for (const { reason, rounds } of [...phases, { reason: "sent" as const, rounds: 2 }])
          for (let turn = 0; turn < rounds * endpointIds.length; turn++) {
            const endpoint = endpointIds[turn % endpointIds.length]!;
            const own: Reason = reason === "no-sample" && endpoint === sampleSource ? "sent" : reason;
            made.get(endpoint)!.push({ atMs, reason: own });
            const attempts =
              own === "sent" || own === "no-sample" ? [{ kind: "ok" as const, totalMs: 1 }] : [];
            const tick = [observationOf({ endpoint, at: atMs, outcome: outcomes[own], attempts })];
            for (const { event, incident } of foldTick(state, tick, given)) {
              if (event === "opened") opened.add(incident.id);
              // Nobody is told of the end of what they were not told of.
              else expect(opened).toContain(incident.id);
            }
            showIncidents(state, given);
            checkLaws(state, made, endpoint);
            atMs += cadenceMs / endpointIds.length;
          }
        // What comes and goes ends later, after a longer calm.
        expect(firing(state).filter(({ facts }) => !facts.comesAndGoes)).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
});

function checkLaws(
  state: AssessState,
  made: ReadonlyMap<EndpointId, readonly Made[]>,
  endpoint: EndpointId,
): void {
  const latest = made.get(endpoint)!.at(-1)!;
  expect(state.history.endpoints[endpoint]?.notSent?.reason ?? "sent").toBe(latest.reason);
  for (const { facts, rule, endpoints } of firing(state)) {
    const reason = facts.notSent;
    // What is recorded is no silence of unknown cause.
    expect(reason && rules[reason]).toBe(rule);
    expect(facts.bad).toBeGreaterThanOrEqual(3);
    expect(Date.parse(facts.lastBadAt) - Date.parse(facts.firstBadAt)).toBeGreaterThan(4.8 * minuteMs);
    // It is not over: somewhere a check was not sent, or only the latest one was.
    const good = endpoints.map((one) => lastRun(marksOf(made.get(one)!, reason!), false).length);
    if (!facts.comesAndGoes) expect(Math.min(...good)).toBeLessThan(2);
  }
  for (const reason of notSentReasons) {
    const concerned = endpointIds.filter((one) => reason !== "no-sample" || one !== sampleSource);
    const runs = concerned.map((one) => lastRun(marksOf(made.get(one)!, reason), true));
    if (!mustFire(runs, reason)) continue;
    expect(firing(state).filter(({ facts }) => facts.notSent === reason)).toHaveLength(1);
  }
}

test("Checks without a sample open nothing while the list is bad, and no other check ends what they say", () => {
  const state = freshState();
  let atMs = startMs;
  const play = (list: Outcome, rounds: number) => {
    for (let turn = 0; turn < rounds * endpointIds.length; turn++) {
      const endpoint = endpointIds[turn % endpointIds.length]!;
      const outcome = endpoint === sampleSource ? list : outcomes["no-sample"];
      foldTick(state, [observationOf({ endpoint, at: atMs, outcome })], settings);
      atMs += 12 * minuteMs;
    }
    showIncidents(state, settings);
    return firing(state).map(({ rule }) => rule);
  };
  expect(play({ kind: "status", status: 503 }, 6)).toEqual([]);
  expect(play({ kind: "ok" }, 4)).toEqual(["no-sample"]);
});

test("An endpoint of which nothing is recorded while the others are checked is silent, until it is checked again", () => {
  const someHours = fc.integer({ min: 4, max: 8 });
  fc.assert(
    fc.property(fc.constantFrom(...endpointIds), someHours, someHours, (left, from, hours) => {
      const [fromMs, untilMs] = [from, from + hours].map((hour) => startMs + hour * hourMs) as [
        number,
        number,
      ];
      const isLeftOut = ({ endpoint, at }: Observation) =>
        endpoint === left && Date.parse(at) >= fromMs && Date.parse(at) < untilMs;
      const { events, observations } = watch(() => ({}), {
        days: 1,
        alter: (tick) => tick.filter((one) => !isLeftOut(one)),
      });
      expect(events.map(({ event, incident }) => [event, incident.rule, incident.endpoints])).toEqual([
        ["opened", "silent", [left]],
        ["resolved", "silent", [left]],
      ]);
      const [opened, resolved] = events.map(({ at }) => Date.parse(at)) as [number, number];
      const own = observations.filter(({ endpoint }) => endpoint === left).map(({ at }) => Date.parse(at));
      const lastMs = own.findLast((atMs) => atMs < fromMs)!;
      const limitMs = events[0]!.incident.facts.limitSeconds! * 1_000;
      expect(opened - lastMs).toBeGreaterThan(limitMs);
      expect(opened - lastMs).toBeLessThanOrEqual(limitMs + 36 * minuteMs);
      expect(resolved - own.find((atMs) => atMs >= untilMs)!).toBeLessThanOrEqual(minuteMs);
    }),
    { numRuns: 5 },
  );
});
