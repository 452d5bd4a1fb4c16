// What came to whoever asked, with the key, without and with a wrong one: a run of like answers at each endpoint.
import type { EndpointId } from "../../../contract/endpoints.ts";
import type { Observation } from "../../../records/observation.ts";
import { dayMs, sortEndpoints } from "../../date-text.ts";
import { answerOf, withdrawalOf } from "../response-class.ts";
import type { Known, Run } from "./evidence.ts";

type AccessCase = "authenticated" | "anonymous" | "bad-key";

export type AccessState = Partial<Record<EndpointId, Partial<Record<AccessCase, Run>>>>;

export const freshMs = 2 * dayMs;
/** A quota is spoken of with nearly every refusal, or it is no longer what refuses us. */
const usageMaxMs = dayMs;

function responseClassOf(observation: Observation, answer: string): Run["responseClass"] | undefined {
  if (answer === "ok") return "served";
  if (answer === "401") return "denied";
  if ((answer === "403" || answer === "429") && observation.notices.usage?.exhausted) return "denied";
  return withdrawalOf(observation) === "yes" ? "gone" : undefined;
}

export function noteAccess(state: AccessState | undefined, observation: Observation): AccessState {
  const noted = state ?? {};
  const { endpoint, variant: name, at, notices } = observation;
  const answer = answerOf(observation);
  if (name !== "authenticated" && name !== "anonymous" && name !== "bad-key") return noted;
  const atMs = Date.parse(at);
  const known = noted[endpoint]?.[name];
  if (known) known.askedMs = atMs;
  if (answer === undefined) return noted;
  const runs = noted[endpoint] ?? {};
  noted[endpoint] = runs;
  const before = runs[name];
  const responseClass = responseClassOf(observation, answer);
  if (!responseClass) {
    if (before) before.others++;
    return noted;
  }
  const servedMs = before?.responseClass === "served" ? before.lastMs : before?.servedMs;
  // A refusal without usage headers, right after a response that said "used up", is still the quota.
  const usageMs = notices.usage ? atMs : before?.usageMs;
  const isStillSaid = responseClass === "denied" && usageMs !== undefined && atMs - usageMs <= usageMaxMs;
  const usage = notices.usage ?? (isStillSaid ? before?.usage : undefined);
  const isSame = before?.responseClass === responseClass;
  runs[name] = {
    responseClass,
    answer,
    sinceMs: isSame ? before.sinceMs : atMs,
    lastMs: atMs,
    times: isSame ? before.times + 1 : 1,
    ...(servedMs !== undefined && { servedMs }),
    others: 0,
    ...(usage && { usage, ...(usageMs !== undefined && { usageMs }) }),
  };
  return noted;
}

export const runsOf = (state: AccessState, name: AccessCase): Known[] =>
  sortEndpoints(Object.keys(state) as EndpointId[]).flatMap((endpoint) => {
    const run = state[endpoint]?.[name];
    return run ? [{ endpoint, run }] : [];
  });

const askedMs = ({ run }: Known) => run.askedMs ?? run.lastMs;

/** What was asked of late, measured by the last question: while nobody looks, nothing is unlearned. */
export function freshRunsOf(state: AccessState, name: "authenticated" | "anonymous"): Known[] {
  const all = [...runsOf(state, "authenticated"), ...runsOf(state, "anonymous")];
  const lastMs = Math.max(...all.map(askedMs));
  return runsOf(state, name).filter((known) => lastMs - askedMs(known) <= freshMs);
}

/** The last answer there, with a key or without, was a refusal. */
export const isRefusedNow = (state: AccessState, endpoint: EndpointId): boolean =>
  [state[endpoint]?.authenticated, state[endpoint]?.anonymous].some(
    (run) => run !== undefined && run.responseClass !== "served" && run.others === 0,
  );
