// The laws of the judgement over random histories, at the usual cadence. V1WATCH_RUNS plays more; `npm run soak` does.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isPartial } from "../../lib/assess/engine/partial.ts";
import { foldTick, groupTicks, showIncidents } from "../../lib/assess/fold.ts";
import { readOutlook } from "../../lib/assess/outlook.ts";
import { freshState } from "../../lib/assess/state.ts";
import { renderAlert } from "../../lib/assess/text/render-alert.ts";
import {
  exitCodeOf,
  firingIncidents,
  readSchedule,
  readVerdict,
  severityOf,
} from "../../lib/assess/verdict.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { alert as alertSchema } from "../../lib/records/alert.ts";
import { failureRules, type Incident, ownRules } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { classify } from "../../lib/records/outcome.ts";
import { fc } from "../random.ts";
import { type Service, settings, startMs, type Watched, watch, watchWithCountdown } from "./driver.ts";
import { auditAllFacts } from "./fact-auditor.ts";
import { answers, historyOf, lengthMsOf, optionsOf, type RandomHistory, serviceOf } from "./histories.ts";
import { anyHistory, dayMs, hourMs, minuteMs } from "./observation-builder.ts";

const runs = (usual: number) => ({
  numRuns: usual * Number(process.env.V1WATCH_RUNS ?? 1),
  endOnFailure: true,
});

/** Found by seeds that `npm test` does not draw. They name answers by their places in `answers`, which gets new ones at its end. */
const onceToldWrong: RandomHistory[] = JSON.parse(
  readFileSync(new URL("once-told-wrong.json", import.meta.url), "utf8"),
);
const histories = historyOf(10);
/** The watch is never off, and nobody mutes anything. */
const unattended = histories.map((one): RandomHistory => ({ ...one, person: null }));

/** The laws have the same seed and so the same histories: each is played once. */
const played = new Map<string, Watched>();

function play(one: RandomHistory): Watched {
  const key = JSON.stringify(one);
  const watched = played.get(key) ?? watchWithCountdown(serviceOf(one), optionsOf(one));
  played.set(key, watched);
  return watched;
}

/** Throttling is about our own request rate. */
const isFailure = ({ rule }: Incident) =>
  rule !== "throttled" && (failureRules as readonly string[]).includes(rule);

const isServed = (check: Observation) => classify(check) === "ok";
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** A failure that is there for some minutes again and again, after some minutes without it. */
const spells = fc.record({
  status: fc.constantFrom(401, 403, 410, 500, 503),
  endpoints: fc.subarray([...endpointIds], { minLength: 1 }),
  minutes: fc.array(fc.tuple(fc.integer({ min: 5, max: 300 }), fc.integer({ min: 5, max: 90 })), {
    minLength: 2,
    maxLength: 7,
  }),
  phase: fc.nat(11),
});

/** Every endpoint has been good for longer than that, and all of them together for five minutes. */
function isProven(
  own: readonly (readonly Observation[])[],
  { lastBadAt, untilAt, calmMs }: { lastBadAt: string; untilAt: string; calmMs: number },
): boolean {
  const good = own.map((all) => {
    const from = all.findLastIndex((check) => !isServed(check) && check.at <= lastBadAt) + 1;
    return all
      .slice(from)
      .filter((check) => check.at <= untilAt)
      .map((check) => Date.parse(check.at));
  });
  const lengthOf = (times: readonly number[]) => Math.max(...times) - Math.min(...times);
  return (
    good.every((times) => times.length >= 2 && lengthOf(times) > calmMs) &&
    lengthOf(good.flat()) >= 5 * minuteMs - 15_000
  );
}

describe("laws over random histories", () => {
  test("Whatever an alert claims is what the log of checks shows", () => {
    fc.assert(
      fc.property(histories, (one) => {
        const { alerts, observations } = play(one);
        expect(auditAllFacts(alerts, observations)).toEqual([]);
      }),
      runs(10),
    );
  });

  test.for([...onceToldWrong.keys()])(
    "A history that was once told wrongly is told as the log shows (%i)",
    (number) => {
      const { alerts, observations } = play(onceToldWrong[number]!);
      expect(auditAllFacts(alerts, observations)).toEqual([]);
    },
  );

  test("A page about V1 has at least 3 bad checks over 5 min", () => {
    fc.assert(
      fc.property(histories, (one) => {
        for (const { event, incident } of play(one).events) {
          const { bad, firstBadAt, lastBadAt } = incident.facts;
          if (event !== "opened" || incident.severity !== "page" || incident.rule === "silent") continue;
          expect(bad).toBeGreaterThanOrEqual(3);
          expect(Date.parse(lastBadAt) - Date.parse(firstBadAt)).toBeGreaterThanOrEqual(4.5 * minuteMs);
        }
      }),
      runs(10),
    );
  });

  test("No rule opens more than 2 incidents an hour and 6 a day for the same endpoints", () => {
    fc.assert(
      fc.property(histories, (one) => {
        const opened = play(one).events.filter(({ event }) => event === "opened");
        const nameOf = ({ rule, endpoints }: Incident) => `${rule} ${endpoints.toSorted().join()}`;
        for (const { incident, at } of opened) {
          const openedWithin = (ms: number) =>
            opened.filter(
              (other) =>
                nameOf(other.incident) === nameOf(incident) &&
                other.at <= at &&
                Date.parse(at) - Date.parse(other.at) < ms,
            ).length;
          expect(openedWithin(hourMs)).toBeLessThanOrEqual(2);
          expect(openedWithin(dayMs)).toBeLessThanOrEqual(6);
        }
      }),
      runs(10),
    );
  });

  test("What is claimed of V1 holds of V1", () => {
    fc.assert(
      fc.property(histories, (one) => {
        const { events, observations } = play(one);
        for (const { event, incident, at } of events) {
          if (event !== "opened" && event !== "changed") continue;
          const { rule, scope, endpoints, facts } = incident;
          expect(scope === "api").toBe(endpoints.length === endpointIds.length);
          const fromAt = facts.causes?.at(-1)?.from ?? facts.firstBadAt;
          const since = observations.filter(
            (check) => endpoints.includes(check.endpoint) && check.at >= fromAt && check.at <= at,
          );
          const isServed = ({ outcome }: Observation) => outcome.kind === "ok";
          // Of a part of the checks only the count is told.
          if (rule === "key-refused" && !isPartial(facts)) {
            const isAnonymous = ({ variant }: Observation) => variant === "anonymous";
            expect(since.filter((check) => !isAnonymous(check) && isServed(check))).toEqual([]);
            const wasServed = observations.some(
              (check) => isAnonymous(check) && isServed(check) && check.at < facts.firstBadAt,
            );
            // Where anonymous was never served, the text says that the two cannot be distinguished.
            expect(!wasServed || since.some((check) => isAnonymous(check) && isServed(check))).toBe(true);
          }
          if (rule === "maybe-retired" || rule === "retired")
            expect(since.filter((check) => check.at >= facts.lastBadAt && isServed(check))).toEqual([]);
          if (rule === "retired" && !(facts.announcedEnd && facts.announcedEnd <= at)) {
            // The last cause may have begun later than the refusals: first removed, then refused.
            const sinceAt = (facts.rows ?? []).map(({ firstBadAt }) => firstBadAt).sort()[0] ?? "";
            expect(Date.parse(at) - Date.parse(sinceAt)).toBeGreaterThanOrEqual(24 * hourMs);
          }
        }
      }),
      runs(10),
    );
  });

  // That the checks themselves come in time is shown with the real plan, in test/replay/total-outage.test.ts.
  test("RESOLVED of a failure is sent with the first check that proves its end, also of one that comes and goes", () => {
    fc.assert(
      fc.property(spells, ({ status, endpoints, minutes, phase }) => {
        const turns = minutes.flat().map((_, index, all) => sum(all.slice(0, index + 1)));
        const service: Service = ({ atMs, endpoint }) => {
          const next = turns.findIndex((turn) => atMs < startMs + turn * minuteMs);
          return next % 2 === 1 && endpoints.includes(endpoint) ? { status } : {};
        };
        const { events, observations } = watch(service, { days: turns.at(-1)! / 1_440 + 1.5, phase });
        const own = endpoints.map((endpoint) =>
          observations.filter((check) => check.isPrimary && check.endpoint === endpoint),
        );
        for (const { event, incident, at } of events) {
          if (event !== "resolved" || !isFailure(incident)) continue;
          const { lastBadAt, comesAndGoes } = incident.facts;
          const calmMs = comesAndGoes ? 4 * 36 * minuteMs - 10_000 : 0;
          const proof = own
            .flatMap((all) => all.map((check) => check.at))
            .sort()
            .find((untilAt) => untilAt > lastBadAt && isProven(own, { lastBadAt, untilAt, calmMs }));
          expect(proof, `${incident.id} is not over`).toBeDefined();
          expect(Date.parse(at) - Date.parse(proof ?? "")).toBeLessThanOrEqual(minuteMs);
        }
      }),
      runs(6),
    );
  });

  test("The headline, the exit code and the outlook follow from the same incidents", () => {
    fc.assert(
      fc.property(histories, (one) => {
        const { state } = play(one);
        const nowMs = startMs + lengthMsOf(one);
        const outlook = readOutlook(state, settings, nowMs);
        const schedule = readSchedule(settings, undefined);
        const verdict = readVerdict({ state, outlook, schedule, nowMs: Date.parse(state.lastAt ?? "") });
        const [worst] = firingIncidents(state);
        // Where nothing is known of V1, a fault of the watch itself says why, and is no verdict on V1.
        const leading = verdict.kind === "unknown" && worst && ownRules.has(worst.rule) ? undefined : worst;
        expect(verdict.incident?.id).toBe(leading?.id);
        if (leading) expect(severityOf(verdict)).toBe(leading.severity);
        expect(exitCodeOf(verdict)).toBe(leading ? 1 : verdict.kind === "unknown" ? 2 : 0);
        expect(outlook.level === "retired").toBe(
          state.incidents.some(({ rule, state: name }) => rule === "retired" && name === "firing"),
        );
      }),
      runs(10),
    );
  });

  test("The same observations give the same state, whatever the order of arrival", () => {
    fc.assert(
      fc.property(unattended, fc.nat(), (one, salt) => {
        const { observations, state } = play(one);
        const shuffled = observations
          .map((check, index) => ({ check, rank: (index * 7_919 + salt) % 1_009 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ check }) => check);
        const again = freshState();
        optionsOf(one).prepare?.(again);
        const untilMs = startMs + lengthMsOf(one);
        for (const tick of groupTicks(shuffled)) foldTick(again, tick, settings);
        showIncidents(again, settings);
        expect({ ...again, untilMs }).toEqual({ ...state, untilMs });
      }),
      runs(3),
    );
  });

  test("Any observations that the schema allows fold into a state that is plain JSON", () => {
    fc.assert(
      fc.property(anyHistory(60), (observations) => {
        const state = freshState();
        for (const tick of groupTicks(observations))
          for (const event of foldTick(state, tick, settings))
            alertSchema.parse(renderAlert(event, settings));
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        readOutlook(state, settings, Date.UTC(2026, 11, 1));
      }),
      runs(20),
    );
  });

  test("One check of any kind sends nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom(...answers), fc.integer({ min: 0, max: 20 }), (answer, hour) => {
        let isDone = false;
        const { events } = watch(
          ({ atMs, variant }) => {
            if (isDone || atMs < startMs + hour * hourMs || variant !== "authenticated") return {};
            isDone = true;
            return answer(atMs);
          },
          { days: 1 },
        );
        expect(events).toEqual([]);
      }),
      runs(10),
    );
  });
});
