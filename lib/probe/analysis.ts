// A parsed body against the contract: drift, staleness, evidence and silent death, in one walk.
import { type EndpointId, endpoints } from "../contract/endpoints.ts";
import type { Fact, Finding, Notices, Staleness } from "../records/observation.ts";
import { findDrift, sortFindings } from "./drift.ts";
import { readBodyFacts } from "./evidence.ts";
import {
  checkAgreement,
  checkKeyword,
  checkOrder,
  checkPagination,
  type Order,
  paginationOf,
  recordsOf,
} from "./promises.ts";
import { recogniseSilentDeath } from "./silent-death.ts";
import { type Clock, measureStaleness } from "./staleness.ts";
import { walkBody } from "./walk.ts";

export type Analysis = {
  findings: Finding[];
  staleness: Staleness;
  facts: Fact[];
  body: Notices["body"];
  order: Order["direction"];
  /** Object keys met; fewer than the text holds calls for a search for repeated ones. */
  keys: number;
};

export type AnalysisContext = {
  clock: Clock;
  /** The keyword that was asked for, where one was. */
  keyword?: string | undefined;
  /** The same passport as the list showed it in this cycle; compared in memory, never kept. */
  listed?: Record<string, unknown> | undefined;
};

export function analyseBody(endpoint: EndpointId, body: unknown, context: AnalysisContext): Analysis {
  const tally = walkBody(endpoint, body);
  const findings = findDrift(tally);
  const staleness = measureStaleness(tally, context.clock);
  let order: Order["direction"] = "unknown";
  if (endpoints[endpoint].sortedBy) {
    const records = recordsOf(body, "passports");
    const checked = checkOrder(records);
    order = checked.direction;
    if (checked.finding) findings.push(checked.finding);
    const { total } = paginationOf(body) ?? {};
    if (Number.isSafeInteger(total) && (total as number) >= 0) staleness.total = total as number;
    const pagination = checkPagination(body);
    if (pagination) findings.push(pagination);
    const filter = context.keyword === undefined ? undefined : checkKeyword(records, context.keyword);
    if (filter) findings.push(filter);
  }
  if (endpoint === "passport" && context.listed) findings.push(...checkAgreement(body, context.listed));
  return {
    findings: sortFindings(findings),
    staleness,
    facts: readBodyFacts(tally),
    body: recogniseSilentDeath(tally, body),
    order,
    keys: tally.keys,
  };
}
