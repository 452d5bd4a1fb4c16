// The watch without HTTP and without a store: the product's own plan asks a V1 that is given as a function of time, and the
// product's own fold judges what it got. Only the requests, the clock and the memory are not real, so days take milliseconds.

import type { IncidentEvent } from "../../lib/assess/engine/engine-state.ts";
import { advanceTo, foldTick, renderAll, showIncidents } from "../../lib/assess/fold.ts";
import { readOutlook } from "../../lib/assess/outlook.ts";
import { type AssessSettings, type AssessState, freshState } from "../../lib/assess/state.ts";
import { countdownAlerts } from "../../lib/assess/text/scheduled-alerts.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { sampleTurn } from "../../lib/probe/schedule/budget.ts";
import { findNextTick, forgetDue, type PlannedRequest, planRequests } from "../../lib/probe/schedule/plan.ts";
import { applyResults, isTelling, type RequestResult } from "../../lib/probe/schedule/probe-state.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Decision } from "../../lib/records/incident.ts";
import type { CheckReason, Observation, Variant } from "../../lib/records/observation.ts";
import { classify } from "../../lib/records/outcome.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { configure } from "../config/configure.ts";
import { createChance } from "../random.ts";
import { dayMs, hourMs, minuteMs, observationOf } from "./observation-builder.ts";

export type Request = {
  endpoint: EndpointId;
  variant: Variant;
  atMs: number;
  sample: string | undefined;
  reason: CheckReason;
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

const samples = ["00000000a1", "00000000b2", "00000000c3"];

export type Watched = {
  /** The log of checks. */
  observations: Observation[];
  /** What people get, as it is rendered. */
  alerts: Alert[];
  events: IncidentEvent[];
  state: AssessState;
};

/** From an instant up to another one, in milliseconds. */
export type Span = { fromMs: number; untilMs: number };

export type WatchOptions = {
  days: number;
  seed?: number;
  /** How often each endpoint is checked: `10s`, `36m`, `1d`. */
  calm?: string;
  /** Minutes by which the slots are shifted. */
  phase?: number;
  settings?: Partial<AssessSettings>;
  /** Changes the state before the first check. */
  prepare?(state: AssessState): void;
  /** Requests of a month; at other cadences than 36 min there is no limit unless it is given. */
  monthlyRequests?: number;
  /** Without a key the primary variant is anonymous. */
  hasKey?: boolean;
  /** The monitor is off. */
  gaps?: readonly Span[];
  /** What somebody decides who gets this message. */
  decide?(alert: Alert): Decision | undefined;
  /** What else the log has: it is judged in place of each tick, and the schedule knows nothing of it. */
  alter?(tick: readonly Observation[]): Observation[];
  /** After every tick, or less often. */
  onTick?(state: AssessState, nowMs: number, events: readonly IncidentEvent[]): void;
  lookEveryMs?: number;
};

/** As the probe makes its requests: the endpoints in their order, rare variants after the checks. */
const byNeed = (a: PlannedRequest, b: PlannedRequest) =>
  Number(a.isRare === true) - Number(b.isRare === true) ||
  Number(b.variant === "authenticated") - Number(a.variant === "authenticated") ||
  endpointIds.indexOf(a.endpoint) - endpointIds.indexOf(b.endpoint);

/** The local watch rests for an hour at the most, and never less than a second. */
const rest = { leastMs: 1_000, mostMs: hourMs };

const unlimited = 10_000_000;
const configOf = (calm: string, hasKey: boolean, monthlyRequests: number | undefined) =>
  configure({
    cadence: { calm },
    budget: { monthlyRequests: monthlyRequests ?? (calm === "36m" ? 5_000 : unlimited) },
    key: hasKey ? undefined : "none",
  });

export function watch(service: Service, options: WatchOptions): Watched {
  const { days, seed = 1, calm = "36m", phase = 0, hasKey = true, gaps = [], lookEveryMs = 0 } = options;
  const config = configOf(calm, hasKey, options.monthlyRequests);
  const { silentAfterMs } = assessmentSettings(config);
  const given = { ...settings, silentAfterMs, ...options.settings };
  const random = createChance(seed);
  const state = freshState();
  options.prepare?.(state);
  const watched: Watched = { observations: [], alerts: [], events: [], state };
  const primary: Variant = hasKey ? "authenticated" : "anonymous";
  let probeState = emptyProbeState;
  let lookedMs = 0;

  const tell = (events: IncidentEvent[], nowMs: number) => {
    watched.events.push(...events);
    const alerts = renderAll(state, events, given);
    watched.alerts.push(...alerts);
    const decisions = alerts.flatMap((alert) => options.decide?.(alert) ?? []);
    if (decisions.length > 0) given.decisions = [...given.decisions, ...decisions];
    if (!options.onTick || nowMs - lookedMs < lookEveryMs) return;
    lookedMs = nowMs;
    showIncidents(state, given);
    options.onTick(state, nowMs, events);
  };

  /** One request; what it means to the scheduler is added to the results. */
  const send = (
    planned: PlannedRequest,
    { tickMs, ownMs, turn }: { tickMs: number; ownMs: number; turn: number },
  ): { observation: Observation; result: RequestResult } => {
    const { endpoint, reason } = planned;
    const variant = planned.variant === "authenticated" ? primary : planned.variant;
    const hasSample = endpoint !== "passport-list" && variant !== "unknown-id";
    const sample = hasSample ? samples[turn % samples.length] : undefined;
    const outcome = service({ endpoint, variant, atMs: ownMs, sample, reason, random: random() });
    const opinion = reason === "second-opinion" ? "/second-opinion" : "";
    const tick = new Date(tickMs + (planned.isRare ? 1 : 0)).toISOString();
    const observation: Observation = {
      ...observationOf({
        endpoint,
        variant,
        at: ownMs,
        reason,
        sample,
        isPrimary: variant === primary,
        ...outcome,
      }),
      id: `${endpoint}/${variant}/${tick}${opinion}`,
    };
    const name = classify(observation);
    const breaking = observation.findings.filter(({ level }) => level === "breaking").map(({ id }) => id);
    const result: RequestResult = {
      endpoint,
      variant: planned.variant,
      reason,
      atMs: ownMs,
      requests: 1,
      slotMs: planned.slotMs,
      class: name === "none" ? undefined : name,
      findings: name === "ok" ? breaking.sort().join(" ") : undefined,
      sample,
      sunset: observation.notices.sunset,
      retryAfterSeconds: observation.notices.retryAfterSeconds,
    };
    return { observation, result };
  };

  /** Whether a request that depends on the check of its endpoint is sent. */
  const isWanted = ({ endpoint, variant, isRare, isIfUnauthorized }: PlannedRequest, made: Observation[]) => {
    if (!isRare && !isIfUnauthorized) return true;
    const check = made.findLast((one) => one.endpoint === endpoint && one.isPrimary);
    if (!check || (!hasKey && variant === "anonymous")) return false;
    if (isIfUnauthorized) return check.outcome.kind === "unauthorized";
    const name = classify(check);
    return name !== "none" && isTelling(variant, name);
  };

  const endMs = startMs + days * dayMs;
  for (let tickMs = startMs; tickMs < endMs; ) {
    const gap = gaps.find(({ fromMs, untilMs }) => tickMs >= fromMs && tickMs < untilMs);
    if (gap) {
      tickMs = gap.untilMs;
      continue;
    }
    // The plan's clock is behind by the phase, which shifts its slots.
    const planMs = tickMs - phase * minuteMs;
    const { requests } = planRequests(planMs, probeState, config);
    const made: Observation[] = [];
    const rare: Observation[] = [];
    const results: RequestResult[] = [];
    const turn = sampleTurn(planMs, config);
    for (const planned of requests.toSorted(byNeed)) {
      if (!isWanted(planned, made)) continue;
      const isSide = planned.variant !== "authenticated";
      const ownMs =
        tickMs + endpointIds.indexOf(planned.endpoint) * 400 + (planned.isRare ? 3_000 : isSide ? 200 : 0);
      const first = send(planned, { tickMs, ownMs, turn });
      const isAskedAgain =
        planned.hasSecondOpinion &&
        planned.attempts > 1 &&
        planned.endpoint !== "passport-list" &&
        first.observation.outcome.status === 404;
      const second = isAskedAgain
        ? send({ ...planned, reason: "second-opinion" }, { tickMs, ownMs: ownMs + 2_000, turn: turn + 1 })
        : undefined;
      for (const { observation, result } of [first, second].filter((one) => one !== undefined)) {
        (planned.isRare ? rare : made).push(observation);
        results.push({ ...result, atMs: result.atMs - phase * minuteMs });
      }
      // A record that was deleted says nothing of V1 where another one is served.
      if (second?.observation.outcome.kind === "ok") results.at(-2)!.class = undefined;
    }
    probeState = applyResults(forgetDue(probeState, planMs, config, endpointIds), results, {
      tickMs: planMs,
      config,
    });
    for (const tick of [made, rare]) {
      if (tick.length === 0) continue;
      const noted = options.alter?.(tick) ?? tick;
      watched.observations.push(...noted);
      tell(foldTick(state, noted, given), tickMs);
    }
    const nextMs = findNextTick(planMs, probeState, config) + phase * minuteMs;
    tickMs = Math.min(tickMs + rest.mostMs, Math.max(tickMs + rest.leastMs, nextMs));
  }
  const events = advanceTo(state, given, endMs);
  // Nothing is judged after the last full hour.
  tell(events, state.evaluatedMs);
  showIncidents(state, given);
  return watched;
}

/** With the countdown, which follows from the date and not from a check. */
export function watchWithCountdown(service: Service, options: WatchOptions): Watched {
  const countdowns = new Map<string, Alert>();
  const watched = watch(service, {
    ...options,
    lookEveryMs: 6 * hourMs,
    onTick: (state, nowMs) => {
      for (const alert of countdownAlerts(state, readOutlook(state, settings, nowMs), settings, nowMs))
        if (!countdowns.has(alert.id)) countdowns.set(alert.id, alert);
    },
  });
  const alerts = [...watched.alerts, ...countdowns.values()];
  return { ...watched, alerts: alerts.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)) };
}

export const minutesAfter = (event: IncidentEvent | undefined, fromMs: number) =>
  event && (Date.parse(event.at) - fromMs) / minuteMs;

export const summary = ({ events }: Watched) =>
  events.map(
    ({ event, incident, at }) =>
      `${at.slice(5, 16)} ${event} ${incident.severity} ${incident.rule} ${incident.endpoints.length === 3 ? "api" : incident.endpoints.join(",")} ${incident.facts.bad}/${incident.facts.total}`,
  );
