// All that tells of V1's end, kept while observations pass: notices, outages, and where it no longer answers.
import { type EndpointId, endpointIds } from "../../../contract/endpoints.ts";
import type { Observation } from "../../../records/observation.ts";
import { dayMs } from "../../date-text.ts";
import type { AccessVerdict } from "../access/access.ts";
import type { DataVerdict } from "../data-health.ts";
import { answerOf, isOwnFault, isPrimary, type PrimaryState, withdrawalOf } from "../response-class.ts";
import { type Brownouts, judgeBrownouts } from "./brownouts.ts";
import { type Countdown, countDown, findAnnouncedDate, findBestDate } from "./countdown.ts";
import { freshHistory, type NoticesHistory, noteNotices } from "./notices-history.ts";
import { freshOutages, noteOutage, type OutageState } from "./outage-windows.ts";

/** A run of answers that are alike in whether the path is withdrawn. */
type Answers = {
  withdrawn: "yes" | "maybe" | "no";
  answer: string;
  sinceMs: number;
  /** When it was last asked. */
  lastMs: number;
  times: number;
  /** Failures since a withdrawal, that neither confirm nor contradict it: a 503, a reset. */
  others?: number;
};

type Heard = {
  /** Answers with a status and so with headers; and with data that is V1's own. */
  answers: number;
  bodies: number;
  /** When anybody was last served such data, with a key or without; and the first failure of V1 since. */
  servedMs?: number;
  silentMs?: number;
};

export type RetirementState = {
  primary: PrimaryState;
  firstMs: number;
  /** Answers of the steady stream, whatever they were. */
  responses: number;
  /** Absent in older states. */
  heard?: Heard;
  notices: NoticesHistory;
  outages: OutageState;
  answers: Partial<Record<EndpointId, Answers>>;
};

export type RetirementSettings = {
  /** The day that somebody told, such as 2026-12-31; it outranks what V1 says. */
  date?: string | undefined;
};

/** `class` is the status: a change from 410 to 404 is news. */
export type Gone = {
  sinceMs: number;
  class: string;
  endpoints: EndpointId[];
  responses: number;
  /** False where every endpoint has failed in another way since. */
  isLatest: boolean;
};

/** V1 serves nobody: from the first failure since its last data to the last look. */
export type Silence = { sinceMs: number; lastMs: number };

const confirmations = 2;
const freshMs = 2 * dayMs;

export function noteRetirement(
  state: RetirementState | undefined,
  observation: Observation,
): RetirementState {
  const atMs = Date.parse(observation.at);
  const noted: RetirementState = state ?? {
    primary: {},
    firstMs: atMs,
    responses: 0,
    notices: freshHistory(),
    outages: freshOutages(),
    answers: {},
  };
  const answer = answerOf(observation);
  const heard = heardOf(noted);
  const isServed = answer === "ok" && !observation.notices.body;
  noted.heard = heard;
  if (isServed) {
    heard.servedMs = atMs;
    delete heard.silentMs;
  }
  if (!isPrimary(noted.primary, observation) || answer === undefined) return noted;
  if (observation.outcome.status !== undefined) heard.answers++;
  if (isServed) heard.bodies++;
  // A quota that is used up is no silence of V1.
  else if (!isOwnFault(observation) && !observation.notices.usage?.exhausted) heard.silentMs ??= atMs;
  noted.responses++;
  noteNotices(noted.notices, observation);
  noteOutage(noted.outages, observation);
  const { endpoint } = observation;
  noted.answers[endpoint] = noteAnswer(noted.answers[endpoint], withdrawalOf(observation), answer, atMs);
  return noted;
}

function noteAnswer(
  before: Answers | undefined,
  withdrawn: Answers["withdrawn"],
  answer: string,
  atMs: number,
): Answers {
  const wasWithdrawn = before && before.withdrawn !== "no";
  if (wasWithdrawn && withdrawn === "no" && answer !== "ok")
    return { ...before, lastMs: atMs, others: (before.others ?? 0) + 1 };
  const isSame = before && wasWithdrawn === (withdrawn !== "no");
  return {
    withdrawn,
    answer,
    sinceMs: isSame ? before.sinceMs : atMs,
    lastMs: atMs,
    times: isSame ? before.times + 1 : 1,
  };
}

/** Older states did not tell answers apart, so each counts as heard, nor when data was last served. */
export function heardOf({ heard, responses, outages }: RetirementState): Heard {
  const known = heard ?? { answers: responses, bodies: responses };
  const servedMs = known.servedMs ?? (known.bodies > 0 ? outages.lastGoodMs : undefined);
  return { ...known, ...(servedMs !== undefined && { servedMs }) };
}

/** When V1 was last asked. What is old is measured by it: while nobody looks, nothing is unlearned. */
const lastLookMs = ({ answers }: RetirementState) =>
  Math.max(...Object.values(answers).map(({ lastMs }) => lastMs));

/** Where V1 was asked of late. */
export const askedOf = (state: RetirementState) =>
  endpointIds.flatMap((endpoint) => {
    const answers = state.answers[endpoint];
    return answers && lastLookMs(state) - answers.lastMs <= freshMs ? [{ endpoint, ...answers }] : [];
  });

/** Whether V1's data was seen lately, as of the last look. */
export function isServedLately(state: RetirementState): boolean {
  const { servedMs } = heardOf(state);
  return servedMs !== undefined && lastLookMs(state) - servedMs <= freshMs;
}

/** 404, 410 or redirects wherever V1 was asked of late, confirmed at each endpoint. */
export function judgeGone(state: RetirementState): Gone | undefined {
  const asked = askedOf(state);
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
    isLatest: asked.some(({ others }) => others === undefined),
  };
}

/** Every endpoint has failed since V1 last served; where only our own key is refused, V1 is not silent. */
function judgeSilence(state: RetirementState, access: readonly AccessVerdict[]): Silence | undefined {
  const { servedMs, silentMs } = heardOf(state);
  const isOurs = access.some(
    ({ cause, certainty }) =>
      cause === "access/quota-exhausted" || (cause === "access/key-revoked" && certainty !== "guess"),
  );
  if (servedMs === undefined || silentMs === undefined || isOurs) return undefined;
  if (askedOf(state).some(({ lastMs }) => lastMs <= servedMs)) return undefined;
  return { sinceMs: silentMs, lastMs: lastLookMs(state) };
}

/** V1 is gone, or closed to everybody. */
const hasEnded = (gone: Gone | undefined, access: readonly AccessVerdict[]) =>
  gone !== undefined ||
  access.some(({ cause, certainty }) => cause === "access/retired-by-401" && certainty !== "guess");

export type RetirementSigns = {
  state: RetirementState;
  nowMs: number;
  gone?: Gone;
  silence?: Silence;
  hasEnded: boolean;
  /** Of what V1 says itself, whatever is configured. */
  announced?: Countdown;
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
  const gone = judgeGone(state);
  const silence = judgeSilence(state, others.access);
  const announced = findAnnouncedDate(state.notices, nowMs);
  const best = findBestDate(state.notices, settings.date, nowMs);
  const life = {
    hasEnded: hasEnded(gone, others.access),
    servesMs: silence ? undefined : heardOf(state).servedMs,
  };
  return {
    state,
    nowMs,
    ...(gone && { gone }),
    ...(silence && { silence }),
    hasEnded: life.hasEnded,
    ...(announced && { announced: countDown(announced, nowMs, life) }),
    ...(best && { countdown: countDown(best, nowMs, life) }),
    brownouts: judgeBrownouts(state.outages, nowMs),
    ...others,
  };
}
