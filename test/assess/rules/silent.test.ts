import { expect, test } from "vitest";
import { foldTick, groupTicks } from "../../../lib/assess/fold.ts";
import { freshState } from "../../../lib/assess/state.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { hourMs, minuteMs, observationOf } from "../observation-builder.ts";
import { replaySettings } from "../replay.ts";

const startMs = Date.parse("2026-03-02T00:00:00Z");
/** Three calm intervals, as for the default cadence. */
const settings = { ...replaySettings, silentAfterMs: 90 * minuteMs };

function tell(observations: readonly Observation[]) {
  const state = freshState();
  return groupTicks(observations)
    .flatMap((tick) => foldTick(state, tick, settings))
    .map(({ event, at, incident }) => ({
      event,
      hours: (Date.parse(at) - startMs) / hourMs,
      cause: incident.cause,
      endpoints: incident.endpoints,
    }));
}

/** Twelve hours at the regular cadence; `isAsked` says which prober was there. */
const halfDay = (isAsked: (endpoint: EndpointId, hours: number) => boolean, status = () => 200) =>
  Array.from({ length: 24 }, (_, tick) => startMs + tick * 30 * minuteMs).flatMap((at) =>
    endpointIds
      .filter((endpoint) => isAsked(endpoint, (at - startMs) / hourMs))
      .map((endpoint) => observationOf({ endpoint, at, status: status() })),
  );

test("one stopped prober of three is reported within two hours, and resolved when it is back", () => {
  const told = tell(halfDay((endpoint, hours) => endpoint !== "passport" || hours < 4 || hours >= 9));
  expect(told).toEqual([
    { event: "opened", hours: 5.5, cause: "monitor/silent", endpoints: ["passport"] },
    { event: "resolved", hours: 9, cause: "monitor/silent", endpoints: ["passport"] },
  ]);
});

test("an endpoint with a Retry-After is not silent", () => {
  const observations = halfDay((endpoint, hours) => endpoint !== "passport" || hours < 4).map(
    (observation) =>
      observation.endpoint === "passport" && Date.parse(observation.at) === startMs + 3.5 * hourMs
        ? {
            ...observation,
            outcome: { kind: "status" as const, status: 429 },
            notices: { retryAfterSeconds: 86_400 },
          }
        : observation,
  );
  expect(tell(observations)).toEqual([]);
});

test("a watch that was stopped completely, and a single manual probe after it, is not a silent prober", () => {
  const before = halfDay((_, hours) => hours < 2);
  const byHand = observationOf({ endpoint: "passport", at: startMs + 11 * hourMs + minuteMs });
  const after = halfDay((_, hours) => hours > 11);
  expect(tell([...before, byHand, ...after])).toEqual([]);
});

test("an endpoint without a sample to request has a running prober", () => {
  const noSample = { outcome: { kind: "refused" as const, detail: "no-sample" }, staleness: null };
  const observations = halfDay(() => true).map((one) =>
    one.endpoint === "passport" && Date.parse(one.at) >= startMs + 4 * hourMs ? { ...one, ...noSample } : one,
  );
  expect(tell(observations).filter(({ cause }) => cause === "monitor/silent")).toEqual([]);
});
