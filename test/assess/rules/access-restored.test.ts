import fc from "fast-check";
import { expect, test } from "vitest";
import { foldTick, groupTicks } from "../../../lib/assess/fold.ts";
import { freshState } from "../../../lib/assess/state.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { minuteMs, observationOf, tickOf } from "../observation-builder.ts";
import { replaySettings } from "../replay.ts";

const startMs = Date.parse("2026-03-02T00:00:00Z");
const stepMs = 30 * minuteMs;

type ResponseClass = Omit<Parameters<typeof observationOf>[0] & {}, "at" | "endpoint" | "variant">;

const failures: ResponseClass[] = [
  { status: 401 },
  { status: 401, notices: { usage: { exhausted: true } } },
  { status: 404 },
  { status: 410 },
  { status: 302 },
  { status: 429 },
  { status: 503 },
  { outcome: { kind: "timeout" } },
];

/** So many ticks, each endpoint with its own answer to requests with the key and without. */
type Phase = { ticks: number; authenticated: Record<EndpointId, ResponseClass>; anonymous: ResponseClass };

function play(phases: readonly Phase[]): Observation[] {
  let atMs = startMs;
  return phases.flatMap(({ ticks, authenticated, anonymous }) =>
    Array.from({ length: ticks }, () => {
      atMs += stepMs;
      const withKey = endpointIds.map((endpoint) =>
        observationOf({ at: atMs, endpoint, ...authenticated[endpoint] }),
      );
      return [...withKey, ...tickOf(atMs, { variant: "anonymous", ...anonymous })];
    }).flat(),
  );
}

const alike = (responseClass: ResponseClass) =>
  Object.fromEntries(endpointIds.map((endpoint) => [endpoint, responseClass])) as Phase["authenticated"];
const phase = (ticks: number, authenticated: ResponseClass, anonymous = authenticated): Phase => ({
  ticks,
  authenticated: alike(authenticated),
  anonymous,
});
const goodDay = phase(48, {});

/** Of V1's absence and our access; drift, data and the network are other tables' matter. */
const isAccess = (cause: string) => /^(access\/|retirement\/gone$|down$)/.test(cause);

function live(phases: readonly Phase[]) {
  const state = freshState();
  const events = groupTicks(play(phases)).flatMap((tick) => foldTick(state, tick, replaySettings));
  const told = events.filter(({ incident }) => isAccess(incident.cause));
  const open = Object.values(state.incidents).filter(({ incident }) => incident.state === "open");
  return {
    told: told.map(({ event, incident }) => `${event} ${incident.cause}`),
    open: open.map(({ incident }) => incident.cause).filter(isAccess),
  };
}

test("retired-by-401 is not resolved when anonymous requests fail in another way", () => {
  const closed = [goodDay, phase(4, { status: 401 }), phase(12, { status: 401 }, { status: 503 })];
  expect(live(closed).told.filter((one) => one.startsWith("resolved"))).toEqual([]);
  const served = live([...closed, phase(4, { status: 401 }, {})]);
  expect(served.told).toContain("resolved access/retired-by-401");
  expect(served.open).toEqual(["access/key-revoked"]);
});

test("a key that is served again at some endpoints is not revoked; the other endpoints are withdrawn", () => {
  const back = {
    ...phase(6, {}, { status: 429 }),
    authenticated: { ...alike({}), passport: { status: 401 } },
  };
  const { told, open } = live([goodDay, phase(6, { status: 401 }, { status: 429 }), back]);
  expect(told).toContain("resolved access/key-revoked");
  expect(open).toEqual(["access/endpoint-withdrawn"]);
});

const responseClass = fc.constantFrom(...failures);
const badPhase: fc.Arbitrary<Phase> = fc.record({
  ticks: fc.integer({ min: 1, max: 10 }),
  authenticated: fc.oneof(
    responseClass.map(alike),
    fc.record({
      "passport-list": responseClass,
      passport: responseClass,
      "passport-credentials": responseClass,
    }),
  ),
  anonymous: responseClass,
});

test("whatever failure follows another, nothing is resolved before V1 serves, and a day without faults resolves all", () => {
  fc.assert(
    fc.property(fc.array(badPhase, { minLength: 1, maxLength: 5 }), (bad) => {
      const { told } = live([goodDay, ...bad]);
      expect(told.filter((one) => one.startsWith("resolved"))).toEqual([]);
      expect(live([goodDay, ...bad, goodDay]).open).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
