// Who is refused, and what that means: the key, its quota, one endpoint, or V1 itself.
// Looks only at authenticated, anonymous and wrong-key requests; access-table.ts holds the judgement.
import type { EndpointId } from "../../../contract/endpoints.ts";
import { hourMs } from "../../date-text.ts";
import { type AccessEvidence, describeAccess, type Known } from "./evidence.ts";
import { type AccessState, freshMs, freshRunsOf, runsOf } from "./runs.ts";
import {
  type AccessCause,
  type AnonymousClass,
  type AuthenticatedClass,
  type BadKeyClass,
  type Certainty,
  findAccessRow,
} from "./truth-table.ts";

export type AccessVerdict = {
  cause: AccessCause;
  endpoints: EndpointId[];
  certainty: Certainty;
  evidence: string[];
};

/** So many other failures in a row, and it is no longer access that is the matter. */
const maxOthers = 3;
/** An endpoint that was not asked since is waited for; a regular cadence stretched by the budget takes this long. */
const patienceMs = 3 * hourMs;
/** After a authenticated 401 the anonymous question follows within a minute; what is old is believed only after this. */
const settleMs = 5 * 60_000;

const isCurrent = ({ run }: Known) => run.others < maxOthers;

export function judgeAccess(state: AccessState, nowMs: number): AccessVerdict[] {
  const verdicts = judgeRuns(state, nowMs, isCurrent);
  if (verdicts.length > 0) return verdicts;
  // An outage opens nothing again that was closed, to everybody or at one endpoint; not for one look alone.
  const isConfirmed = (known: Known) => isCurrent(known) || known.run.times >= 2;
  return judgeRuns(state, nowMs, isConfirmed).filter(
    ({ cause }) => cause === "access/retired-by-401" || cause === "access/endpoint-withdrawn",
  );
}

function judgeRuns(state: AccessState, nowMs: number, isCounted: (known: Known) => boolean): AccessVerdict[] {
  const authenticated = freshRunsOf(state, "authenticated").filter(isCounted);
  const anonymous = runsOf(state, "anonymous").filter(isCounted);
  if (authenticated.length === 0)
    return judgeAnonymous(freshRunsOf(state, "anonymous").filter(isCounted), nowMs);

  const served = authenticated.filter(({ run }) => run.responseClass === "served");
  // Where another failure came since, and elsewhere the key was served again, nobody knows who is refused.
  const isOpen = ({ run }: Known) => run.others > 0 && served.some((one) => one.run.sinceMs > run.lastMs);
  const denied = authenticated.filter((known) => known.run.responseClass === "denied" && !isOpen(known));
  const gone = authenticated.filter(({ run }) => run.responseClass === "gone");
  const wrongKey = wrongKeyWord(runsOf(state, "bad-key").filter(isCounted));
  const context = { anonymous, wrongKey, nowMs };
  const verdicts: AccessVerdict[] = [];
  if (denied.some(({ run }) => run.usage?.exhausted))
    verdicts.push(...judgeRow("all-quota", denied, context));
  else if (denied.length > 0) {
    const others = othersSince(authenticated, denied, nowMs);
    if (others === "none") verdicts.push(...judgeRow("all-denied", denied, context));
    if (others === "served")
      for (const one of denied) verdicts.push(...judgeRow("one-denied", [one], context));
  }
  if (gone.length > 0 && othersSince(authenticated, gone, nowMs) === "served")
    for (const one of gone) verdicts.push(...judgeRow("one-gone", [one], context));
  if (denied.length === 0) verdicts.push(...judgeMandatory(authenticated, anonymous, context));
  return verdicts;
}

/** How the endpoints beside the failing ones fare since these fail; `waiting` until they were asked. */
function othersSince(authenticated: Known[], failing: Known[], nowMs: number): "served" | "none" | "waiting" {
  const sinceMs = Math.min(...failing.map(({ run }) => run.sinceMs));
  const others = authenticated.filter((one) => !failing.includes(one));
  const asked = others.filter(({ run }) => run.lastMs >= sinceMs);
  if (asked.length < others.length && nowMs - sinceMs < patienceMs) return "waiting";
  return asked.some(({ run }) => run.responseClass === "served") ? "served" : "none";
}

type Context = { anonymous: Known[]; wrongKey: BadKeyClass; nowMs: number };

function judgeRow(
  authenticated: AuthenticatedClass,
  failing: Known[],
  { anonymous, wrongKey, nowMs }: Context,
): AccessVerdict[] {
  const endpoints = failing.map(({ endpoint }) => endpoint);
  const beside = anonymous.filter(({ endpoint }) => endpoints.includes(endpoint));
  const words = failing.map((one) => anonymousClass(one, beside, nowMs));
  const anonymousIs = precedence.find((word) => words.includes(word)) ?? "unknown";
  const row = findAccessRow(authenticated, anonymousIs, wrongKey);
  const sinceMs = Math.min(...failing.map(({ run }) => run.sinceMs));
  if (!row || (row.certainty !== "sure" && nowMs - sinceMs < settleMs)) return [];
  const certainty = weaken(row.cause, row.certainty, failing, words, beside);
  return [
    verdict(row.cause, certainty, {
      authenticated,
      failing,
      anonymous: anonymousIs,
      beside,
      wrongKey,
      sinceMs,
    }),
  ];
}

const precedence: readonly AnonymousClass[] = [
  "served-since",
  "denied-since",
  "served-before",
  "denied-before",
];

function anonymousClass({ endpoint, run }: Known, anonymous: Known[], nowMs: number): AnonymousClass {
  const beside = anonymous.find((one) => one.endpoint === endpoint)?.run;
  if (beside?.responseClass === "served") {
    if (beside.lastMs >= run.sinceMs) return "served-since";
    return nowMs - beside.lastMs <= freshMs ? "served-before" : "unknown";
  }
  if (beside?.responseClass !== "denied") return "unknown";
  // Refused while the key was still served: the key had become mandatory, which is another story.
  return run.servedMs !== undefined && beside.sinceMs < run.servedMs ? "denied-before" : "denied-since";
}

/** What the table cannot say: how many endpoints agree, and whether a 404 may be the sample's own. */
function weaken(
  cause: AccessCause,
  certainty: Certainty,
  failing: Known[],
  words: AnonymousClass[],
  beside: Known[],
): Certainty {
  if (certainty !== "sure") return certainty;
  if (cause === "access/retired-by-401") {
    if (!beside.some(({ run }) => run.servedMs !== undefined)) return "guess";
    return words.every((word) => word === "denied-since") ? "sure" : "likely";
  }
  const sampleMayBeGone = failing.some(
    ({ endpoint, run }) => endpoint === "passport" && run.answer === "404",
  );
  const isRedirect = failing.some(({ run }) => run.answer.startsWith("3"));
  return cause === "access/endpoint-withdrawn" && (sampleMayBeGone || isRedirect) ? "likely" : certainty;
}

/** The key is served, and requests without one no longer are. */
function judgeMandatory(authenticated: Known[], anonymous: Known[], { wrongKey }: Context): AccessVerdict[] {
  const lost = anonymous.filter(
    ({ endpoint, run }) =>
      run.responseClass === "denied" &&
      run.servedMs !== undefined &&
      authenticated.some(
        (one) =>
          one.endpoint === endpoint && one.run.responseClass === "served" && one.run.lastMs >= run.sinceMs,
      ),
  );
  const row = lost.length > 0 ? findAccessRow("served", "lost", wrongKey) : undefined;
  if (!row) return [];
  const times = lost.reduce((sum, { run }) => sum + run.times, 0);
  const certainty = lost.length === anonymous.length && times > 1 ? row.certainty : "likely";
  const sinceMs = Math.min(...lost.map(({ run }) => run.sinceMs));
  return [
    verdict(row.cause, certainty, {
      authenticated: "served",
      failing: lost,
      anonymous: "lost",
      beside: lost,
      wrongKey,
      sinceMs,
    }),
  ];
}

/** Without any key in use, requests without one are all there is. */
function judgeAnonymous(anonymous: Known[], nowMs: number): AccessVerdict[] {
  const failing = anonymous.filter(({ run }) => run.responseClass !== "served" && run.servedMs !== undefined);
  const denied = failing.filter(({ run }) => run.responseClass === "denied");
  if (failing.length === 0) return [];
  const others = othersSince(anonymous, failing, nowMs);
  const sinceMs = Math.min(...failing.map(({ run }) => run.sinceMs));
  const groups: [AnonymousClass, Known[]][] =
    others === "served"
      ? failing.map((one) => ["lost", [one]])
      : others === "none"
        ? [["all-lost", denied]]
        : [];
  return groups.flatMap(([word, group]) => {
    const row = findAccessRow("absent", word, "unknown");
    if (!row || group.length === 0 || nowMs - sinceMs < settleMs) return [];
    const evidence: AccessEvidence = {
      authenticated: "absent",
      failing: group,
      anonymous: word,
      beside: group,
      wrongKey: "unknown",
      sinceMs,
    };
    return [verdict(row.cause, row.certainty, evidence)];
  });
}

function wrongKeyWord(wrongKey: Known[]): BadKeyClass {
  if (wrongKey.some(({ run }) => run.responseClass === "served")) return "served";
  return wrongKey.some(({ run }) => run.responseClass === "denied") ? "denied" : "unknown";
}

const verdict = (cause: AccessCause, certainty: Certainty, evidence: AccessEvidence): AccessVerdict => ({
  cause,
  endpoints: evidence.failing.map(({ endpoint }) => endpoint),
  certainty,
  evidence: describeAccess(evidence),
});

// Whether a cause of access that has no verdict any more is over. A failure of another kind, or a question
// that is still open, ends nothing: only a served answer does.
export function isAccessRestored(
  state: AccessState,
  cause: AccessCause,
  verdicts: readonly AccessVerdict[],
): boolean {
  if (cause === "access/key-mandatory")
    return runsOf(state, "anonymous").every(
      ({ run }) => run.responseClass === "served" || run.servedMs === undefined,
    );
  const [authenticated, anonymous] = [freshRunsOf(state, "authenticated"), freshRunsOf(state, "anonymous")];
  const primary = authenticated.length > 0 ? authenticated : anonymous;
  const refused = primary.filter(({ run }) => run.responseClass !== "served");
  if (refused.length === 0) return true;
  const hasServed = (runs: readonly Known[]) =>
    runs.some(
      ({ run }) => run.responseClass === "served" && refused.every((one) => run.lastMs > one.run.sinceMs),
    );
  switch (cause) {
    case "access/retired-by-401":
      return hasServed([...authenticated, ...anonymous]);
    case "access/quota-exhausted":
      return hasServed(primary);
    case "access/key-revoked": {
      // The key is served elsewhere: the refusals that are left are the endpoints' own.
      const withdrawn = verdicts.filter((verdict) => verdict.cause === "access/endpoint-withdrawn");
      return refused.every((one) => withdrawn.some(({ endpoints }) => endpoints.includes(one.endpoint)));
    }
    case "access/endpoint-withdrawn":
      return false;
  }
}
