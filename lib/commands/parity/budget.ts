// The V1 request budget of a parity run: announced before the run, and rejected if it cannot be sufficient.

import { api } from "../../contract/endpoints.ts";
import { maxReadAgain } from "../../parity/judge.ts";
import type { Target } from "../../parity/request.ts";
import { describeSample } from "../../parity/sample.ts";
import { sharedBurst } from "../../probe/schedule/shared-budget.ts";
import { capitalise, formatCount, plural } from "../../text.ts";
import { describeDuration } from "../../time.ts";
import { UsageError } from "../command.ts";
import { describeRemaining, formatDay, type RemainingBudget } from "../watch-budget.ts";
import type { Cohort, RequestNeed } from "./options.ts";

export type ParityBudget = {
  need: RequestNeed;
  perPair: { v1: number; v2: number };
  /** From --requests, or its default. */
  maxRequests: number;
  /** What the watch has left for other requests; undefined if no watch counts the requests. */
  remaining: RemainingBudget | undefined;
};

const { nouns } = api.sample;
const requestsNeeded = ({ need, perPair }: ParityBudget) => need.passports * perPair.v1 + need.lookups;
const requestLimit = ({ maxRequests, remaining }: ParityBudget) =>
  Math.min(maxRequests, remaining?.spare ?? maxRequests);
const passportsWithin = ({ need, perPair }: ParityBudget, limit: number) =>
  Math.min(need.passports, Math.max(0, Math.floor((limit - need.lookups) / perPair.v1)));

/** Called before the first request. A run that can be resumed is never rejected. */
export function checkBudget(budget: ParityBudget): void {
  const { need, maxRequests, remaining } = budget;
  const [needed, limit] = [requestsNeeded(budget), requestLimit(budget)];
  if (needed <= limit || need.isResumable) return;
  const isLimitedByWatch = remaining !== undefined && remaining.spare < maxRequests;
  const sample = passportsWithin(budget, limit);
  const problem = `${plural(need.passports, nouns.one, nouns.many)} need ${plural(needed, "request")} to V1`;
  const cause = isLimitedByWatch
    ? `but only ${formatCount(limit)} are available until ${formatDay(remaining.monthEndMs)}; ${formatCount(remaining.kept)} are reserved for the watch`
    : `but only ${formatCount(limit)} are allowed`;
  // Without lookups the ids are those of a file.
  const alternatives = [
    ...(sample > 0 ? [`--sample ${sample}`] : []),
    ...(need.lookups === 0 ? ["--resume FILE to continue on another day"] : []),
  ];
  const lastResort = isLimitedByWatch
    ? "wait for the next month, or raise budget.monthlyRequests if V1's key allows more"
    : "or raise --requests";
  const remedy = `${alternatives.length > 0 ? `Use ${alternatives.join(", ")}, ` : ""}${lastResort}.`;
  throw new UsageError(`${problem}, ${cause}. ${capitalise(remedy)}`);
}

export function announceBudget(budget: ParityBudget, storePath: string): string {
  const { perPair, remaining, need } = budget;
  const limit = Math.min(requestsNeeded(budget), requestLimit(budget));
  const passports = passportsWithin(budget, limit);
  const lookups = need.lookups > 0 ? `, ${formatCount(need.lookups)} of them to look up ids` : "";
  const maximum =
    passports === 0
      ? "No requests to V1 are available for this run."
      : `This run makes at most ${plural(limit, "request")} to V1${lookups}, and ${formatCount(passports * perPair.v2)} to V2, for about ${plural(passports, nouns.one, nouns.many)}.`;
  return `${maximum}\n${describeRemaining(remaining, storePath)}\n`;
}

type EstimateInput = { v1: Target; v2: Target; cohort: Cohort; storePath: string };

/** What the whole run takes, whether the budget has it or not. */
export function describeEstimate(budget: ParityBudget, { v1, v2, cohort, storePath }: EstimateInput): string {
  const { need, perPair, remaining } = budget;
  const requests = { v1: requestsNeeded(budget), v2: need.passports * perPair.v2 };
  // With a watch, each request to V1 waits for room in the burst that both share.
  const v1Burst =
    v1.burst && remaining ? { ...v1.burst, requests: Math.min(v1.burst.requests, sharedBurst) } : v1.burst;
  const seconds = Math.max(secondsOf(requests.v1, v1Burst), secondsOf(requests.v2, v2.burst));
  const time = seconds > 0 ? `, which takes at least ${describeDuration(seconds)}` : "";
  const lines = [
    `${plural(need.passports, nouns.one, nouns.many)} ${need.passports === 1 ? "needs" : "need"} ${plural(requests.v1, "request")} to V1 and ${formatCount(requests.v2)} to V2${time}.`,
    describeRemaining(remaining, storePath),
    ...describeMonths(requests.v1, remaining),
    `${nouns.many[0]!.toUpperCase()}${nouns.many.slice(1)} that differ rarely are read again after 1 h: at most ${formatCount(maxReadAgain)} of them, with ${formatCount(Math.min(maxReadAgain, need.passports) * perPair.v1)} more requests to V1.`,
  ];
  if ("ids" in cohort && cohort.sampledFrom !== undefined)
    lines.push(describeSample({ passports: cohort.sampledFrom, compared: cohort.ids.length }));
  return `${lines.join("\n")}\n`;
}

/** Until when the budget has room for all of them, where this month has not. */
function describeMonths(requests: number, remaining: RemainingBudget | undefined): string[] {
  if (!remaining || requests <= remaining.spare) return [];
  const { spare, monthly, monthEndMs } = remaining;
  if (monthly === 0)
    return ["The budget of the watch leaves none for a comparison in a whole month, either."];
  const further = Math.ceil((requests - spare) / monthly);
  const last = new Date(monthEndMs);
  last.setUTCMonth(last.getUTCMonth() + further - 1);
  const name = last.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
  return [
    `The budget allows ${formatCount(spare)} of them this month and ${formatCount(monthly)} in each further one: ${plural(further, "further month")}, until ${name}.`,
  ];
}

const secondsOf = (requests: number, burst: Target["burst"]) =>
  burst ? (requests / burst.requests) * (burst.windowMs / 1_000) : 0;
