// The engine with one made-up rule at a time: what it decides is compared with a count over the whole log of marks.
import { describe, expect, test } from "vitest";
import { freshHistory, noteCheck } from "../../lib/assess/checks/history.ts";
import { judge, listIncidents, noteEnded, observe } from "../../lib/assess/engine/engine.ts";
import { freshEngine, type Judging, type OpenIncident } from "../../lib/assess/engine/engine-state.ts";
import { countBetween } from "../../lib/assess/engine/tallies.ts";
import { type AnyRule, type Rule, row } from "../../lib/assess/rules/rule.ts";
import { rules } from "../../lib/assess/rules/table.ts";
import { tell } from "../../lib/assess/telling/telling.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { gapOf } from "../../lib/contract/gaps.ts";
import { type CheckReason, linkRelations, variants } from "../../lib/records/observation.ts";
import { createChance, fc } from "../random.ts";
import { dayMs, hourMs, minuteMs, observationOf } from "./observation-builder.ts";

const startMs = Date.parse("2026-03-02T00:00:00Z");

type Logged = { atMs: number; endpoint: EndpointId; isBad: boolean; isCounted: boolean };

const ruleOf = (own: Pick<Rule<object, string>, "opens" | "closes" | "looksAt">): AnyRule =>
  row<object, string>({
    id: "failure",
    severity: "page",
    mark: ({ label }) => (label === "ok" ? "good" : { bad: label }),
    label: (label) => label,
    ...own,
  });

const judgingOf = ({
  rule,
  ...own
}: Pick<Judging, "state" | "history" | "nowMs"> & { rule: AnyRule }): Judging => ({
  ...own,
  rules: [rule],
  settings: { silentAfterMs: hourMs, isMuted: () => false },
  decisions: [],
  teamDay: 0,
  endings: [],
  failed: {},
});

/** Plays marks, and calls back after each of them. */
function play(
  rule: AnyRule,
  log: readonly Logged[],
  afterMark: (played: { judging: Judging; past: readonly Logged[]; opened: OpenIncident[] }) => void,
) {
  const state = freshEngine();
  const history = freshHistory();
  for (const [index, { atMs, endpoint, isBad, isCounted }] of log.entries()) {
    const judging = judgingOf({ state, history, rule, nowMs: atMs });
    const reason: CheckReason = isCounted ? "scheduled" : "confirmation";
    const known = new Set(state.open);
    observe(
      judging,
      noteCheck(history, observationOf({ endpoint, at: atMs, status: isBad ? 503 : 200, reason }), []),
    );
    judge(judging);
    // Where an endpoint has joined an incident, another one may open an incident in the next evaluation.
    if (rule.opens.run) judge(judging);
    tell(judging);
    noteEnded(judging);
    listIncidents(judging);
    expect(judging.failed).toEqual({});
    const opened = state.open.filter((incident) => !known.has(incident));
    afterMark({ judging, past: log.slice(0, index + 1), opened });
  }
}

const marksOf = (past: readonly Logged[], endpoint: EndpointId) =>
  past.filter((one) => one.endpoint === endpoint);

/** The marks of one kind at the end of the log of an endpoint. */
function runOf(past: readonly Logged[], endpoint: EndpointId, isBad: boolean) {
  const own = marksOf(past, endpoint);
  const run = own.slice(own.findLastIndex((one) => one.isBad !== isBad) + 1);
  return { count: run.length, firstMs: run[0]?.atMs ?? Infinity, lastMs: run.at(-1)?.atMs ?? -Infinity };
}

/** Endpoints that became bad in this time became bad together; nothing here is by the schedule, so a round is 36 min. */
const togetherMs = 1.1 * 36 * minuteMs;

const minutes = (...all: number[]) => fc.constantFrom(...all).map((count) => count * minuteMs);

describe("runs", () => {
  const together = fc.record({
    endpoints: fc.integer({ min: 2, max: 3 }),
    checks: fc.integer({ min: 2, max: 6 }),
    each: fc.integer({ min: 1, max: 2 }),
    forMs: minutes(0, 5, 10),
  });
  const limits = fc.record(
    { checks: fc.integer({ min: 1, max: 4 }), forMs: minutes(0, 10, 20, 30), together },
    { requiredKeys: ["checks", "forMs"] },
  );
  const ends = fc.record({ checks: fc.integer({ min: 1, max: 3 }), forMs: minutes(0, 10, 20) });
  const steps = fc.array(
    fc.record({
      gapMs: minutes(5, 10, 10, 20),
      endpoint: fc.constantFrom(...endpointIds),
      isChange: fc.constantFrom(false, false, true),
    }),
    { minLength: 20, maxLength: 40 },
  );
  const logOf = (all: typeof steps extends fc.Arbitrary<infer Value> ? Value : never): Logged[] => {
    const isBad = new Map<EndpointId, boolean>();
    let atMs = startMs;
    return all.map(({ gapMs, endpoint, isChange }) => {
      atMs += gapMs;
      isBad.set(endpoint, (isBad.get(endpoint) ?? false) !== isChange);
      return { atMs, endpoint, isBad: isBad.get(endpoint)!, isCounted: false };
    });
  };
  type Limits = typeof limits extends fc.Arbitrary<infer Value> ? Value : never;

  const isEnough = (past: readonly Logged[], endpoint: EndpointId, { checks, forMs }: Limits) => {
    const run = runOf(past, endpoint, true);
    return run.count >= checks && run.lastMs - run.firstMs >= forMs;
  };

  /** All that are bad, and enough of them: since the earliest onset that is together with the latest one. */
  function areTogether(past: readonly Logged[], names: readonly EndpointId[], { together: limit }: Limits) {
    const bad = names.map((endpoint) => runOf(past, endpoint, true)).filter(({ count }) => count > 0);
    if (!limit || bad.length < limit.endpoints) return false;
    const latestMs = Math.max(...bad.map(({ firstMs }) => firstMs));
    const onsetMs = Math.min(
      ...bad.map(({ firstMs }) => firstMs).filter((ms) => latestMs - ms <= togetherMs),
    );
    return (
      bad.every(({ count, lastMs }) => count >= limit.each && lastMs >= onsetMs) &&
      bad.reduce((sum, { count }) => sum + count, 0) >= limit.checks &&
      Math.max(...bad.map(({ lastMs }) => lastMs)) - onsetMs >= limit.forMs
    );
  }

  test("An incident is open as soon as its marks are enough, not before, and counts them as the log does", () => {
    fc.assert(
      fc.property(limits, ends, steps, (opens, closes, all) => {
        play(ruleOf({ opens: { run: opens }, closes }), logOf(all), ({ judging, past, opened }) => {
          const { open, incidents } = judging.state;
          for (const endpoint of endpointIds)
            if (isEnough(past, endpoint, opens))
              expect(open.flatMap((one) => one.endpoints)).toContain(endpoint);
          // Those of another incident may be old: they are no part of what is together.
          for (const { endpoints } of opened)
            expect(
              areTogether(past, endpointIds, opens) ||
                areTogether(past, endpoints, opens) ||
                endpoints.some((endpoint) => isEnough(past, endpoint, opens)),
            ).toBe(true);
          for (const incident of open)
            for (const endpoint of incident.endpoints) {
              const part = incident.parts[endpoint]!;
              const own = marksOf(past, endpoint);
              const counted = own.filter(({ atMs }) => atMs >= part.firstMs && atMs <= part.lastMs);
              const bad = counted.filter((one) => one.isBad);
              expect(part).toMatchObject({
                firstMs: bad[0]?.atMs,
                lastMs: own.findLast((one) => one.isBad)?.atMs,
              });
              expect(countBetween(part.before, { [endpoint]: part.through }, [endpoint])).toMatchObject({
                bad: bad.length,
                total: counted.length,
                labels: { 503: bad.length },
              });
              expect(part.before[endpoint]?.goodMs).toBe(
                own.findLast(({ atMs, isBad }) => !isBad && atMs < part.firstMs)?.atMs,
              );
              expect(part.recent.at(-1)).toMatchObject({ atMs: part.lastMs, value: "503" });
            }
          // What is bad and not enough is listed as pending.
          const listed = incidents.flatMap(({ endpoints }) => endpoints);
          for (const endpoint of endpointIds)
            expect(listed.includes(endpoint)).toBe(
              runOf(past, endpoint, true).count > 0 ||
                open.some(({ endpoints }) => endpoints.includes(endpoint)),
            );
        });
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  test("An incident ends as soon as the good marks of all its endpoints are enough, and not before", () => {
    fc.assert(
      fc.property(limits, ends, steps, (opens, closes, all) => {
        play(ruleOf({ opens: { run: opens }, closes }), logOf(all), ({ judging, past }) => {
          const isOver = ({ endpoints, allEndpoints }: OpenIncident) => {
            const good = endpoints.map((endpoint) => runOf(past, endpoint, false));
            return (
              allEndpoints.every((endpoint) => runOf(past, endpoint, false).count >= closes.checks) &&
              Math.max(...good.map(({ lastMs }) => lastMs)) -
                Math.min(...good.map(({ firstMs }) => firstMs)) >=
                closes.forMs
            );
          };
          for (const incident of judging.state.open)
            if (!incident.comesAndGoes) expect(isOver(incident), "it is over").toBe(false);
          for (const { incident, successor } of judging.endings) {
            if (successor) continue;
            expect(isOver(incident), "it is not over").toBe(true);
            const ended = judging.state.resolved.find(({ id }) => id === incident.id)!;
            const { firstBadAt, lastBadAt, firstGoodAfterAt } = ended.facts;
            const ofIt = past.filter(({ endpoint }) => incident.allEndpoints.includes(endpoint));
            const lastMs = ofIt.findLast(({ isBad }) => isBad)!.atMs;
            expect(Date.parse(lastBadAt)).toBe(lastMs);
            expect(ofIt.some(({ atMs, isBad }) => isBad && atMs === Date.parse(firstBadAt))).toBe(true);
            // The first good mark, after all bad ones, of an endpoint that had none before.
            const again = incident.allEndpoints
              .map((endpoint) => runOf(past, endpoint, false).firstMs)
              .filter((ms) => ms > lastMs);
            expect(Date.parse(firstGoodAfterAt ?? "")).toBe(Math.min(...again));
          }
        });
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });
});

describe("shares", () => {
  const levels = fc.record({
    bad: fc.integer({ min: 2, max: 6 }),
    share: fc.constantFrom(undefined, 0.1, 0.25),
    of: fc.constantFrom(undefined, undefined, 8, 12),
  });
  /** Each endpoint is checked every hour, 20 min after the one before it; some checks are not by the schedule. */
  const logs = fc
    .tuple(
      fc.array(fc.constantFrom(0, 0.1, 0.3, 0.6), { minLength: 5, maxLength: 8 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 99 })),
    )
    .map(([shares, chances]) =>
      shares.flatMap((share, part) =>
        Array.from({ length: 20 }, (_, index): Logged => {
          const number = part * 20 + index;
          const { value } = chances.next();
          return {
            atMs: startMs + number * 20 * minuteMs,
            endpoint: endpointIds[number % endpointIds.length]!,
            isBad: value < share * 100,
            isCounted: value % 10 !== 9,
          };
        }),
      ),
    );

  /** The longest of the endpoints: the median gap of the latest six scheduled checks. */
  const roundMsOf = (past: readonly Logged[]) =>
    Math.max(
      ...endpointIds.map((endpoint) => {
        const times = marksOf(past, endpoint).flatMap((one) => (one.isCounted ? one.atMs : []));
        const gaps = times.slice(-6).flatMap((ms, index, all) => (index === 0 ? [] : ms - all[index - 1]!));
        return gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 36 * minuteMs;
      }),
    );

  /** Its endpoints are good for two hours or four rounds, and in so many scheduled checks that one in a thousand is chance. */
  function isShareOver(
    past: readonly Logged[],
    nowMs: number,
    known: { share: number; names: EndpointId[] },
  ) {
    const roundMs = roundMsOf(past);
    const runs = known.names.map((endpoint) => runOf(past, endpoint, false));
    const awayMs = Math.max(2 * hourMs, 4 * roundMs);
    if (!runs.every(({ count, firstMs, lastMs }) => count > 0 && lastMs - firstMs >= awayMs)) return false;
    const scheduled = past.filter(
      ({ atMs, isCounted, endpoint }) => isCounted && atMs > nowMs - dayMs && known.names.includes(endpoint),
    );
    const good = scheduled.length - 1 - scheduled.findLastIndex(({ isBad }) => isBad);
    const byChance = known.share < 1 ? Math.ceil(Math.log(0.001) / Math.log(1 - known.share)) : 1;
    return good >= Math.min((0.75 * known.names.length * dayMs) / roundMs, byChance);
  }

  test("A share is open as soon as so many of the day's scheduled checks are bad, and ends with good ones that are no chance", () => {
    fc.assert(
      fc.property(levels, logs, ({ bad: least, share = 0, of }, log) => {
        const level = of === undefined ? { bad: least, share } : { bad: least, share, of };
        const rule = ruleOf({
          opens: { share: [level], mayBeRun: true },
          closes: {},
          looksAt: { reasons: ["scheduled"] },
        });
        let known: { share: number; names: EndpointId[] } | undefined;
        let endedMs = 0;
        play(rule, log, ({ judging: { nowMs, state }, past }) => {
          const sinceMs = Math.max(nowMs - dayMs, endedMs);
          const day = past.filter(({ atMs, isCounted }) => isCounted && atMs > sinceMs);
          const bad = day.filter(({ isBad }) => isBad);
          const window = of === undefined ? day : day.slice(-of);
          const badInWindow = window.filter(({ isBad }) => isBad);
          const isEnough = badInWindow.length >= Math.max(least, share * window.length);
          const wasOpen = known !== undefined;
          const isOpen = known ? !isShareOver(past, nowMs, known) : isEnough;
          expect(state.open.length > 0).toBe(isOpen);
          const [incident] = state.open;
          if (incident && bad.length > 0) {
            const shown = wasOpen ? bad : badInWindow;
            const counted = wasOpen ? day : window;
            const names = endpointIds.filter((name) => shown.some(({ endpoint }) => endpoint === name));
            const own = counted.filter(({ endpoint }) => names.includes(endpoint));
            expect(incident.endpoints).toEqual(names);
            expect(incident.overMs).toBe(own.at(-1)!.atMs - own[0]!.atMs);
            expect(incident.counted?.labels).toEqual({ 503: shown.length });
            // From the first bad one to the good one after the last.
            const until = own.indexOf(shown.at(-1)!) + 2;
            expect(incident.share).toBeCloseTo(
              shown.length / own.slice(own.indexOf(shown[0]!), until).length,
            );
            expect(incident.counted).toMatchObject({ bad: shown.length, total: own.length });
            for (const name of names)
              expect(incident.parts[name]).toMatchObject({
                firstMs: marksOf(shown, name)[0]!.atMs,
                lastMs: marksOf(shown, name).at(-1)!.atMs,
              });
          }
          if (wasOpen && !isOpen) endedMs = nowMs;
          known = incident && { share: incident.share!, names: incident.allEndpoints };
        });
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

test("A rule that throws while it opens an incident leaves none behind", () => {
  const rule = ruleOf({ opens: { run: { checks: 1, forMs: 0 } }, closes: {} });
  const failing: AnyRule = {
    ...rule,
    name: () => {
      throw new RangeError();
    },
  };
  const state = freshEngine();
  const history = freshHistory();
  const judging = judgingOf({ state, history, rule: failing, nowMs: startMs });
  observe(judging, noteCheck(history, observationOf({ at: startMs, status: 503 }), []));
  judge(judging);
  expect(state.open).toEqual([]);
  expect(judging.failed).toEqual({ failure: "RangeError" });
});

test("What is remembered of checks is bounded, whatever V1 answers and for however long", () => {
  const chance = createChance(1);
  const below = (count: number) => Math.floor(chance() * count);
  const hexOf = (value: number) => value.toString(16).padStart(10, "0");
  const state = freshEngine();
  const history = freshHistory();
  /** The lengths of all lists and tables by their place; those of any endpoint or name count together. */
  const sizes = (value: unknown, place: string, found: Record<string, number>) => {
    if (typeof value !== "object" || value === null) return found;
    const all = Object.entries(value);
    found[place] = Math.max(found[place] ?? 0, all.length);
    for (const [name, one] of all) sizes(one, `${place}.${Number.isNaN(Number(name)) ? name : "n"}`, found);
    return found;
  };
  const play = (checks: number) => {
    for (let index = 0; index < checks; index++) {
      // Every eight hours, and now and then a hundred checks within minutes.
      const isBurst = index % 400 < 100;
      nowMs += isBurst ? 5_000 + below(5_000) : 8 * hourMs;
      const endpoint = endpointIds[below(3)]!;
      const variant = variants[isBurst ? below(2) : below(variants.length)]!;
      const observation = observationOf({
        endpoint,
        variant,
        at: nowMs,
        reason: "scheduled",
        status: [200, 200, 200, 401, 403, 500 + below(90)][below(6)]!,
        sample: endpoint === "passport-list" ? undefined : hexOf(below(1e6)),
        isPrimary: variant === "authenticated",
        medianScore: 1 + below(100),
        notices: {
          links: linkRelations.filter(() => chance() < 0.3),
          deprecation: { form: "rfc9745", at: new Date(nowMs + below(1e9)).toISOString() },
          sunset: new Date(nowMs + below(9) * dayMs).toISOString(),
        },
        evidence: [{ gap: gapOf("nulls")!, subject: `field${below(1e6)}`, of: 25, answers: { null: 1 } }],
        records: [0, 1, 2].map(() => ({
          id: hexOf(below(1e9)),
          at: new Date(nowMs).toISOString(),
          values: hexOf(below(1e9)),
        })),
      });
      const judging = { ...judgingOf({ state, history, rule: rules[0]!, nowMs }), rules };
      observe(judging, noteCheck(history, observation, []));
      expect(judging.failed).toEqual({});
    }
    return sizes({ series: state.series, history, scheduled: state.scheduled }, "", {});
  };
  let nowMs = startMs;
  const once = play(2_400);
  const twice = play(2_400);
  for (const [place, size] of Object.entries(twice))
    expect(size, place).toBeLessThanOrEqual(Math.max(60, 1.2 * (once[place] ?? 0)));
});
