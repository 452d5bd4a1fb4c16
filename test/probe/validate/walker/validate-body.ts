// The validation by the generated walker, kept for this commit: a property test holds the new one equal to it.
import { type EndpointId, endpoints } from "../../../../lib/contract/endpoints.ts";
import { recordsOf } from "../../../../lib/probe/validate/field-values.ts";
import {
  checkAgreement,
  checkKeyword,
  checkOrder,
  checkPagination,
  type Order,
  paginationOf,
} from "../../../../lib/probe/validate/invariants.ts";
import { isJsonObject } from "../../../../lib/probe/validate/json-values.ts";
import { findDuplicateKeys, parseBody } from "../../../../lib/probe/validate/parse-body.ts";
import type { Fact, Finding, Notices, Outcome, Staleness } from "../../../../lib/records/observation.ts";
import { createFinding, findDrift, sortFindings } from "./drift.ts";
import { readBodyFacts } from "./evidence.ts";
import { recogniseFakeOk } from "./fake-ok.ts";
import { type Clock, measureStaleness } from "./staleness.ts";
import { walkBody } from "./walk.ts";

// The bytes of a 200 → a judgement on them: not JSON at all, or an analysis against the contract.
export type Reading = { outcome: Outcome; analysis?: Analysis; value?: unknown };

const jsonTypePattern = /^application\/(?:[a-z0-9.+-]{1,60}\+)?json(?:\s*;|$)/i;

/** Our own name for a content type; the header itself is a stranger's. */
function nameContentType(header: string): string {
  const type =
    /^(text\/html|text\/plain|text\/csv|application\/xml|text\/xml|application\/octet-stream)\b/i.exec(
      header,
    );
  return type ? type[1]!.toLowerCase() : header === "" ? "none" : "another type";
}

export function readBody(
  endpoint: EndpointId,
  bytes: Uint8Array,
  contentType: string | undefined,
  context: AnalysisContext,
): Reading {
  const parsed = parseBody(bytes);
  if (parsed.kind !== "json") return { outcome: { kind: parsed.kind, detail: parsed.detail } };
  const analysis = analyseBody(endpoint, parsed.value, context);
  const added = [];
  if (contentType !== undefined && !jsonTypePattern.test(contentType)) {
    const observed = nameContentType(contentType);
    added.push(createFinding(endpoint, "(body)", "content-type", "application/json", observed, 1, 1));
  }
  // Fewer keys met than written: one came twice, or an unlisted object was not walked; the slow search tells.
  if (analysis.keys < parsed.keys) {
    for (const { path, count } of findDuplicateKeys(bytes)) {
      added.push(createFinding(endpoint, path, "duplicate-key", "one", "repeated", count, count));
    }
  }
  if (added.length > 0) analysis.findings = sortFindings([...analysis.findings, ...added]);
  return { outcome: { kind: "ok" }, analysis, value: parsed.value };
}

// A parsed body against the contract: drift, staleness, evidence and fake-OK, in one walk.
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
    const records = (recordsOf(endpoint, body) as Record<string, unknown>[]).filter(isJsonObject);
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
    body: recogniseFakeOk(tally, body),
    order,
    keys: tally.keys,
  };
}
