// One exchange → one Observation: facts about shape, freshness, access and retirement, under 8 KB.

import type { Config } from "../../config/config.ts";
import { durationMs } from "../../config/values.ts";
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import {
  type CheckReason,
  type Fact,
  type Finding,
  maxFacts,
  maxFindings,
  type Notices,
  type Observation,
  type Outcome,
  type Staleness,
  type Variant,
} from "../../records/observation.ts";
import type { Exchange } from "../http/exchange.ts";
import { readTargetNow } from "../http/http-date.ts";
import type { Asked } from "../http/request.ts";
import { createFinding, findDrift, sortFindings } from "./drift.ts";
import { readAnswerFacts, readBodyFacts } from "./evidence.ts";
import { recogniseFakeOk } from "./fake-ok.ts";
import {
  checkAgreement,
  checkKeyword,
  checkOrder,
  checkPagination,
  type Order,
  paginationOf,
  recordsOf,
} from "./invariants.ts";
import { readNotices } from "./notices.ts";
import { findDuplicateKeys, parseBody } from "./parse-body.ts";
import { type Hasher, hashRecords } from "./record-hashes.ts";
import { type Clock, measureStaleness } from "./staleness.ts";
import { walkBody } from "./walk.ts";

const maxBytes = 8_000;

export type Ask = {
  endpoint: EndpointId;
  variant: Variant;
  reason: CheckReason;
  isPrimary: boolean;
  tickMs: number;
  atMs: number;
  /** Without it, no record is hashed. */
  hasher?: Hasher | undefined;
  /** The id of the sample that is requested. */
  sampleId?: string | undefined;
};

/** A second opinion is a second request of one tick. */
export const observationId = ({ endpoint, variant, reason, tickMs }: Ask) =>
  `${endpoint}/${variant}/${new Date(tickMs).toISOString()}${reason === "second-opinion" ? `/${reason}` : ""}`;

/** Whatever the body, the record stays small: evidence goes first, then the mildest findings. */
function shrink(observation: Observation): Observation {
  const size = () => Buffer.byteLength(JSON.stringify(observation));
  while (size() > maxBytes && observation.evidence.length > 0) observation.evidence.pop();
  while (size() > maxBytes && observation.findings.length > 0) {
    observation.findings.pop();
    observation.findingsOmitted++;
  }
  return observation;
}

/** The observation of a request that was never sent: our own fault, never V1's. */
export function observeNothing(ask: Ask, outcome: Outcome): Observation {
  return {
    schema: "v1watch/observation/2",
    id: observationId(ask),
    endpoint: ask.endpoint,
    variant: ask.variant,
    at: new Date(ask.atMs).toISOString(),
    reason: ask.reason,
    isPrimary: ask.isPrimary,
    attempts: [],
    outcome,
    timings: { totalMs: 0 },
    bytes: { wire: 0, body: 0 },
    tls: null,
    findings: [],
    findingsOmitted: 0,
    staleness: null,
    notices: {},
    evidence: [],
  };
}

export type Observed = { observation: Observation; value?: unknown };

export function observe(ask: Ask, asked: Asked, exchange: Exchange, config: Config): Observed {
  const { headers, status } = exchange;
  const nowMs = ask.atMs;
  const targetNowMs = readTargetNow(headers, nowMs);
  const clock = { nowMs, targetNowMs, maxSkewSeconds: durationMs(config.staleness.maxSkew) / 1000 };
  let reading: Reading = { outcome: exchange.outcome };
  if (exchange.outcome.kind === "ok" && exchange.body) {
    const context = { clock, keyword: asked.keyword, listed: asked.listed };
    reading = readBody(ask.endpoint, exchange.body, headers["content-type"] ?? "", context);
  }
  const { analysis, value } = reading;
  // 404 may be the id's fault; 410 is the path's, whoever is asked for.
  const documentedPath = ask.variant !== "unknown-id" && (asked.isSampled || status === 410);
  const notices =
    status === undefined
      ? {}
      : readNotices({ status, headers, requestUrl: asked.url, documentedPath, nowMs });
  if (analysis?.body) notices.body = analysis.body;
  const isExhausted = exchange.outcome.kind === "unauthorized" && notices.usage?.exhausted;
  const saysNothing = status === 404 && ask.variant !== "unknown-id" && !asked.isSampled;
  const outcome: Outcome = saysNothing
    ? { kind: "refused", detail: "no-sample" }
    : {
        ...reading.outcome,
        ...(status !== undefined && { status }),
        ...(isExhausted && { detail: "quota" }),
      };
  const errorBody = exchange.outcome.kind !== "ok" && exchange.body ? parseBody(exchange.body) : undefined;
  const pagination = paginationOf(value);
  const answers = readAnswerFacts({
    variant: ask.variant,
    endpoint: ask.endpoint,
    outcome,
    notices,
    ...(errorBody?.kind === "json" && { errorBody: errorBody.value }),
    ...(analysis &&
      endpoints[ask.endpoint].sortedBy && {
        list: {
          order: analysis.order,
          records: analysis.staleness.records,
          currentPage: pagination?.current_page,
          lastPage: pagination?.last_page,
        },
      }),
  });
  const findings = analysis?.findings ?? [];
  const records = ask.hasher && analysis ? hashRecords(ask.endpoint, value, ask.hasher) : undefined;
  const observation = shrink({
    ...observeNothing(ask, outcome),
    attempts: exchange.attempts,
    timings: exchange.timings,
    bytes: exchange.bytes,
    tls: exchange.tls,
    findings: findings.slice(0, maxFindings),
    findingsOmitted: Math.max(0, findings.length - maxFindings),
    staleness: analysis?.staleness ?? null,
    notices,
    evidence: [...answers, ...(analysis?.facts ?? [])].slice(0, maxFacts),
    ...(records && { records }),
    ...(ask.hasher && ask.sampleId !== undefined && { sample: ask.hasher("sample", ask.sampleId) }),
  });
  return { observation, ...(value !== undefined && { value }) };
}

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
    body: recogniseFakeOk(tally, body),
    order,
    keys: tally.keys,
  };
}
