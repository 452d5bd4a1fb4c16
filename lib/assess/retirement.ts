// All that tells of V1's end, kept while observations pass: notices, outages, and where it no longer answers.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Observation } from "../records/observation.ts";
import type { AccessVerdict } from "./access.ts";
import { answerOf, isLeading, type Lead, withdrawalOf } from "./answer.ts";
import { type Brownouts, judgeBrownouts } from "./brownouts.ts";
import { type Countdown, countDown, findBestDate } from "./countdown.ts";
import type { DataVerdict } from "./data-health.ts";
import { freshHistory, type NoticesHistory, noteNotices } from "./notices-history.ts";
import { freshOutages, noteOutage, type OutageState } from "./outage-windows.ts";
import { dayMs } from "./phrases.ts";

type Answers = {
  withdrawn: "yes" | "maybe" | "no";
  answer: string;
  sinceMs: number;
  lastMs: number;
  times: number;
};

export type RetirementState = {
  lead: Lead;
  firstMs: number;
  /** Answers of the steady stream, whatever they were. */
  responses: number;
  /** Of these, with a status and so with headers; and with data that is V1's own. Absent in older states. */
  heard?: { answers: number; bodies: number };
  notices: NoticesHistory;
  outages: OutageState;
  answers: Partial<Record<EndpointId, Answers>>;
};

export type RetirementSettings = {
  /** The day that somebody told, such as 2026-12-31; it outranks what V1 says. */
  date?: string | undefined;
};

/** `class` is the status: a change from 410 to 404 is news. */
export type Gone = { sinceMs: number; class: string; endpoints: EndpointId[]; responses: number };

const confirmations = 2;
const freshMs = 2 * dayMs;

export function noteRetirement(
  state: RetirementState | undefined,
  observation: Observation,
): RetirementState {
  const atMs = Date.parse(observation.at);
  const noted: RetirementState = state ?? {
    lead: {},
    firstMs: atMs,
    responses: 0,
    notices: freshHistory(),
    outages: freshOutages(),
    answers: {},
  };
  const answer = answerOf(observation);
  if (!isLeading(noted.lead, observation) || answer === undefined) return noted;
  noted.heard = heardOf(noted);
  if (observation.outcome.status !== undefined) noted.heard.answers++;
  if (observation.outcome.kind === "ok" && !observation.notices.body) noted.heard.bodies++;
  noted.responses++;
  noteNotices(noted.notices, observation);
  noteOutage(noted.outages, observation);
  const { endpoint } = observation;
  const withdrawn = withdrawalOf(observation);
  const before = noted.answers[endpoint];
  const isSame = before && (before.withdrawn === "no") === (withdrawn === "no");
  noted.answers[endpoint] = {
    withdrawn,
    answer,
    sinceMs: isSame ? before.sinceMs : atMs,
    lastMs: atMs,
    times: isSame ? before.times + 1 : 1,
  };
  return noted;
}

/** An older state did not tell them apart: then each response counts as heard. */
export const heardOf = ({ heard, responses }: RetirementState) =>
  heard ?? { answers: responses, bodies: responses };

/** 404, 410 or redirects wherever V1 was asked of late, confirmed at each endpoint. */
export function judgeGone(state: RetirementState, nowMs: number): Gone | undefined {
  const asked = endpointIds.flatMap((endpoint) => {
    const answers = state.answers[endpoint];
    return answers && nowMs - answers.lastMs <= freshMs ? [{ endpoint, ...answers }] : [];
  });
  const isGone =
    asked.some(({ withdrawn }) => withdrawn === "yes") &&
    asked.every(({ withdrawn, times }) => withdrawn !== "no" && times >= confirmations);
  if (!isGone) return undefined;
  const marked = asked.filter(({ withdrawn }) => withdrawn === "yes");
  return {
    sinceMs: Math.min(...asked.map(({ sinceMs }) => sinceMs)),
    class: [...new Set(marked.map(({ answer }) => answer))].sort().join(" or "),
    endpoints: asked.map(({ endpoint }) => endpoint),
    responses: asked.reduce((sum, { times }) => sum + times, 0),
  };
}

export type RetirementSigns = {
  state: RetirementState;
  nowMs: number;
  gone?: Gone;
  countdown?: Countdown;
  brownouts: Brownouts;
  data: readonly DataVerdict[];
  access: readonly AccessVerdict[];
};

/** Every single judgement; outlook.ts makes one of them, and alerts need them one by one. */
export function readSigns(
  state: RetirementState,
  others: { data: readonly DataVerdict[]; access: readonly AccessVerdict[] },
  nowMs: number,
  settings: RetirementSettings = {},
): RetirementSigns {
  const gone = judgeGone(state, nowMs);
  const best = findBestDate(state.notices, settings.date);
  return {
    state,
    nowMs,
    ...(gone && { gone }),
    ...(best && { countdown: countDown(best, nowMs, gone !== undefined) }),
    brownouts: judgeBrownouts(state.outages, nowMs),
    ...others,
  };
}
