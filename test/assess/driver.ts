// What a prober sees of a V1 that is given as a function of time, at the slots of the specification: each endpoint
// every 36 min, one endpoint every 12; confirmation at +1 and +5 (one endpoint alone: +5, +10, +15); recovery at +1
// and +5; anonymous checks beside 401s; another sample after a 404.

import type { IncidentEvent } from "../../lib/assess/engine-state.ts";
import { foldTick, groupTicks } from "../../lib/assess/fold.ts";
import { type AssessSettings, type AssessState, freshState } from "../../lib/assess/state.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { CheckReason, Observation, Variant } from "../../lib/records/observation.ts";
import { classify } from "../../lib/records/outcome.ts";
import { dayMs, hourMs, minuteMs, observationOf } from "./observation-builder.ts";

export type Request = {
  endpoint: EndpointId;
  variant: Variant;
  atMs: number;
  sample: string | undefined;
  random: number;
};
export type Outcome = Parameters<typeof observationOf>[0];
export type Service = (request: Request) => Outcome;

export const startMs = Date.parse("2026-03-02T00:00:00Z");

export const settings: AssessSettings = {
  baseUrl: "https://api.example.com",
  runbookUrl: "https://runbooks.example.com/v1watch",
  publicUrl: "https://v1watch.example.com",
  monthlyRequests: 5_000,
  silentAfterMs: 2 * hourMs,
  decisions: [],
};

/** A small generator with a seed: the same history for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const samples = ["00000000a1", "00000000b2", "00000000c3"];

export type Watched = { observations: Observation[]; events: IncidentEvent[]; state: AssessState };

export type WatchOptions = {
  days: number;
  seed?: number;
  /** Minutes by which the slots are shifted. */
  phase?: number;
  settings?: Partial<AssessSettings>;
  /** Changes the state before the first check. */
  prepare?(state: AssessState): void;
  /** Without a key the primary variant is anonymous. */
  hasKey?: boolean;
};

type Planned = { atMs: number; endpoint: EndpointId; variant: Variant; reason: CheckReason };

export function watch(service: Service, options: WatchOptions): Watched {
  const { days, seed = 1, phase = 0, hasKey = true } = options;
  const given = { ...settings, ...options.settings };
  const random = seeded(seed);
  const state = freshState();
  options.prepare?.(state);
  const observations: Observation[] = [];
  const events: IncidentEvent[] = [];
  const queue: Planned[] = [];
  const isBadNow: Partial<Record<EndpointId, boolean>> = {};
  const refusals: Partial<Record<EndpointId, number>> = {};
  const turn: Partial<Record<EndpointId, number>> = {};
  let refusedSinceMs: number | undefined;
  let suspectMs: number | undefined;
  let hasRecovery = false;
  const primary: Variant = hasKey ? "authenticated" : "anonymous";

  let tick: Observation[] = [];
  const fold = () => {
    for (const one of groupTicks(tick)) events.push(...foldTick(state, one, given));
    tick = [];
  };
  const send = ({ atMs, endpoint, variant, reason }: Planned, sampleStep = 0): Observation => {
    const opinion = reason === "second-opinion" ? "/second-opinion" : "";
    const id = `${endpoint}/${variant}/${new Date(atMs).toISOString()}${opinion}`;
    // Two reasons may want the same check of a tick, which is made once.
    const known = tick.find((one) => one.id === id);
    if (known) return known;
    const number = turn[endpoint] ?? 0;
    const sample = endpoint === "passport-list" ? undefined : samples[(number + sampleStep) % samples.length];
    turn[endpoint] = number + 1;
    const ownMs =
      atMs + endpointIds.indexOf(endpoint) * 400 + (variant === primary ? 0 : 200) + sampleStep * 2_000;
    const outcome = service({ endpoint, variant, atMs: ownMs, sample, random: random() });
    const observation = observationOf({
      endpoint,
      variant,
      at: ownMs,
      reason,
      isPrimary: variant === primary,
      ...(sample !== undefined && { sample }),
      ...outcome,
    });
    observations.push({ ...observation, id });
    tick.push(observations.at(-1)!);
    return observation;
  };
  const isPlanned = (endpoint: EndpointId, atMs: number) =>
    queue.some((one) => one.endpoint === endpoint && Math.abs(one.atMs - atMs) < 20_000);
  const plan = (endpoint: EndpointId, atMs: number, reason: CheckReason) => {
    if (!isPlanned(endpoint, atMs)) queue.push({ atMs, endpoint, variant: primary, reason });
  };

  const served: Partial<Record<EndpointId, boolean>> = {};
  /** Another result than before, while the key is refused, is confirmed. */
  const confirmAnonymous = ({ endpoint, atMs }: Planned, observation: Observation) => {
    const isServed = classify(observation) === "ok";
    if (refusedSinceMs !== undefined && served[endpoint] !== undefined && served[endpoint] !== isServed)
      for (const one of endpointIds)
        for (const [minutes, variant] of [
          [1, "anonymous"],
          [1, primary],
          [5, primary],
        ] as const)
          queue.push({ atMs: atMs + minutes * minuteMs, endpoint: one, variant, reason: "confirmation" });
    served[endpoint] = isServed;
  };

  const check = (planned: Planned) => {
    const { endpoint, atMs, reason } = planned;
    let observation = send(planned);
    if (observation.outcome.status === 404 && endpoint !== "passport-list" && planned.variant === primary)
      observation = send({ ...planned, reason: "second-opinion" }, 1);
    if (planned.variant !== primary) {
      confirmAnonymous(planned, observation);
      return;
    }
    const name = classify(observation);
    const isBad = name !== "ok" && name !== "none";
    refusals[endpoint] = name === "unauthorized" ? (refusals[endpoint] ?? 0) + 1 : 0;
    const refused = Math.max(...Object.values(refusals));
    if (refused === 0) refusedSinceMs = undefined;
    else refusedSinceMs ??= atMs;
    if (hasKey && (refusals[endpoint] ?? 0) + (refused > 1 ? 1 : 0) > 1 && atMs - refusedSinceMs! <= hourMs)
      confirmAnonymous(planned, send({ ...planned, variant: "anonymous" }));
    const isRate = state.incidents.some(
      ({ rule, state: name }) => name === "firing" && (rule.endsWith("-rate") || rule === "partial-drift"),
    );
    const hasFinding = name === "ok" && observation.findings.some(({ level }) => level === "breaking");
    if (isBad || hasFinding) {
      const wasBad = isBadNow[endpoint];
      isBadNow[endpoint] = true;
      hasRecovery = false;
      if (isRate) {
        if (!wasBad) plan(endpoint, atMs + minuteMs, "confirmation");
        return;
      }
      if (suspectMs === undefined || atMs - suspectMs > hourMs) {
        suspectMs = atMs;
        for (const one of endpointIds) plan(one, atMs + minuteMs, "confirmation");
      } else if (reason === "confirmation" && atMs - suspectMs <= 2 * minuteMs) {
        for (const one of endpointIds) plan(one, suspectMs + 5 * minuteMs, "confirmation");
        for (const minutes of [10, 15]) plan(endpoint, suspectMs + minutes * minuteMs, "confirmation");
      }
    } else if (isBadNow[endpoint]) {
      isBadNow[endpoint] = false;
      const bad = endpointIds.filter((one) => isBadNow[one] || one === endpoint);
      if (!hasRecovery)
        for (const minutes of [1, 5]) for (const one of bad) plan(one, atMs + minutes * minuteMs, "recovery");
      hasRecovery = true;
    }
    if (endpointIds.every((one) => !isBadNow[one])) suspectMs = undefined;
  };

  const endMs = startMs + days * dayMs;
  for (let slot = 0; ; slot++) {
    const slotMs = startMs + phase * minuteMs + slot * 12 * minuteMs;
    for (;;) {
      queue.sort((a, b) => a.atMs - b.atMs);
      if (!queue[0] || queue[0].atMs > slotMs - 15_000 || queue[0].atMs > endMs) break;
      const atMs = queue[0].atMs;
      while (queue[0] && queue[0].atMs - atMs < 15_000) check(queue.shift()!);
      fold();
    }
    if (slotMs >= endMs) break;
    const endpoint = endpointIds[slot % 3]!;
    // Extra checks that are due at the slot are made with it; one of the same endpoint is the scheduled one.
    const due = queue.filter(({ atMs }) => atMs <= slotMs + 15_000);
    for (const one of due) {
      queue.splice(queue.indexOf(one), 1);
      if (one.endpoint !== endpoint) check({ ...one, atMs: slotMs });
    }
    const isLongRefused = refusedSinceMs !== undefined && slotMs - refusedSinceMs > hourMs;
    if (hasKey && isLongRefused && (slot % 5) % 3 === 0)
      check({ atMs: slotMs, endpoint, variant: "anonymous", reason: "scheduled" });
    else check({ atMs: slotMs, endpoint, variant: primary, reason: "scheduled" });
    // The rare anonymous check of each endpoint, once a day.
    if (hasKey && slot % 120 >= 30 && slot % 120 < 33)
      check({ atMs: slotMs + 5_000, endpoint, variant: "anonymous", reason: "scheduled" });
    fold();
  }
  return { observations, events, state };
}

export const minutesAfter = (event: IncidentEvent | undefined, fromMs: number) =>
  event && (Date.parse(event.at) - fromMs) / minuteMs;

export const summary = ({ events }: Watched) =>
  events.map(
    ({ event, incident, at }) =>
      `${at.slice(5, 16)} ${event} ${incident.severity} ${incident.rule} ${incident.endpoints.length === 3 ? "api" : incident.endpoints.join(",")} ${incident.facts.bad}/${incident.facts.total}`,
  );
