// One response → one Observation: what was observed about its shape, data, access and retirement signals.

import type { Config } from "../../config/config.ts";
import { durationMs } from "../../config/durations.ts";
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import {
  bodyPath,
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
import type { BuiltRequest } from "../http/request.ts";
import { findDrift, findNewValues } from "./drift.ts";
import { readBodyFacts, readResponseFacts } from "./evidence.ts";
import {
  createKeyMask,
  isJsonObject,
  maskHeaders,
  maxRecords,
  readFieldValues,
  recordsOf,
} from "./field-values.ts";
import { createFinding, sortFindings } from "./findings.ts";
import {
  checkAgreement,
  checkKeyword,
  checkOrder,
  checkPagination,
  type Order,
  paginationOf,
} from "./invariants.ts";
import { detectFakeOk, hasDeprecationMessage, readNotices } from "./notices.ts";
import { parseBody } from "./parse-body.ts";
import {
  countEqualScores,
  findMedianScore,
  type Hasher,
  hashRecords,
  isOtherRecord,
} from "./record-hashes.ts";
import { type Clock, measureStaleness } from "./staleness.ts";

export type CheckedRequest = {
  endpoint: EndpointId;
  variant: Variant;
  tickMs: number;
  atMs: number;
  reason: CheckReason;
  isPrimary: boolean;
  /** The key in use, which nothing of a response may repeat, whether this request sends it or not. */
  apiKey?: string | undefined;
  /** Without it, no record and no sample is hashed. */
  hasher?: Hasher | undefined;
  /** The id of the requested sample. */
  sampleId?: string | undefined;
};

export type Observed = { observation: Observation; value?: unknown };

/** The observation of an exchange, and the parsed body, which is used in memory and never stored. */
export function observe(
  request: CheckedRequest,
  sent: BuiltRequest,
  exchange: Exchange,
  config: Config,
): Observed {
  const { endpoint, variant, atMs: nowMs, apiKey } = request;
  const { status } = exchange;
  const headers = maskHeaders(exchange.headers, createKeyMask(apiKey));
  const maxSkewSeconds = durationMs(config.staleness.maxSkew) / 1000;
  const clock = { nowMs, targetNowMs: readTargetNow(headers, nowMs), maxSkewSeconds };
  const isOk = exchange.outcome.kind === "ok";
  const read: BodyResult =
    isOk && exchange.body
      ? readBody(endpoint, exchange.body, headers["content-type"] ?? "", {
          clock,
          keyword: sent.keyword,
          listed: sent.listed,
          apiKey,
        })
      : { outcome: exchange.outcome };
  const { outcome, validation, value } = isServed(status, read)
    ? read
    : { outcome: { kind: "status" } as const };
  // A 404 may mean that the id is unknown; a 410 is about the path, whatever the id.
  const isDocumentedPath = variant !== "unknown-id" && (sent.isSampled || status === 410);
  const notices: Notices =
    status === undefined
      ? {}
      : readNotices({ status, headers, requestUrl: sent.url, documentedPath: isDocumentedPath, nowMs });
  if (validation?.fakeOk) notices.body = validation.fakeOk;
  if (validation && hasDeprecationMessage(value)) notices.message = true;
  const completeOutcome = completeOutcomeOf({ outcome, request, sent, exchange, notices });
  const errorBody = !isOk && exchange.body ? parseBody(exchange.body, apiKey) : undefined;
  const pagination = paginationOf(endpoint, value);
  const responseFacts = readResponseFacts({
    variant,
    endpoint,
    outcome: completeOutcome,
    notices,
    errorBody: errorBody?.kind === "json" ? errorBody.value : undefined,
    list:
      validation && endpoints[endpoint].role === "list"
        ? {
            order: validation.order,
            records: validation.staleness.records,
            currentPage: pagination?.currentPage,
            lastPage: pagination?.lastPage,
          }
        : undefined,
  });
  const findings = validation?.findings ?? [];
  const { hasher, sampleId } = request;
  const records = hasher && validation ? hashRecords(endpoint, value, hasher) : undefined;
  const isOneRecord =
    endpoints[endpoint].role === "single" && (variant === "authenticated" || variant === "anonymous");
  const isOther =
    validation && isOneRecord && sampleId !== undefined
      ? isOtherRecord(endpoint, value, sampleId)
      : undefined;
  const observation = shrink({
    ...createEmptyObservation(request, completeOutcome),
    attempts: exchange.attempts,
    timings: exchange.timings,
    bytes: exchange.bytes,
    tls: exchange.tls,
    findings: findings.slice(0, maxFindings),
    findingsOmitted: Math.max(0, findings.length - maxFindings),
    validated: validation?.validated,
    staleness: validation?.staleness ?? null,
    notices,
    evidence: [...responseFacts, ...(validation?.facts ?? [])].slice(0, maxFacts),
    records,
    equalScores: validation?.equalScores,
    medianScore: validation?.medianScore,
    isOtherRecord: isOther,
    sample: hasher && sampleId !== undefined ? hasher("sample", sampleId) : undefined,
  });
  return { observation, value };
}

/** A 203 or another 2xx is served where its body is that of a 200; "202, accepted" without data is its status. */
function isServed(status: number | undefined, { outcome, validation }: BodyResult): boolean {
  if (status === undefined || status === 200 || status < 200 || status >= 300) return true;
  return outcome.kind === "ok" && validation?.findings.every(({ kind }) => kind !== "envelope") === true;
}

/** The outcome with its status, and with a detail for what the status alone does not say. */
function completeOutcomeOf({
  outcome,
  request,
  sent,
  exchange,
  notices,
}: {
  outcome: Outcome;
  request: CheckedRequest;
  sent: BuiltRequest;
  exchange: Exchange;
  notices: Notices;
}): Outcome {
  const { status, headers } = exchange;
  // A guessed id that does not exist shows nothing about V1.
  if (status === 404 && request.variant !== "unknown-id" && !sent.isSampled)
    return { kind: "refused", detail: "no-sample" };
  const isQuotaExhausted = outcome.kind === "unauthorized" && notices.usage?.exhausted;
  // A web page is not V1's own response, but of what stands in front of it.
  const isWebPage = outcome.kind === "status" && /\bhtml\b/i.test(headers["content-type"] ?? "");
  return {
    kind: outcome.kind,
    status: status ?? outcome.status,
    detail: isQuotaExhausted ? "quota" : isWebPage ? "html" : outcome.detail,
  };
}

/** An observation that holds the request and its outcome only, such as that of a request that was not sent. */
export function createEmptyObservation(request: CheckedRequest, outcome: Outcome): Observation {
  const { endpoint, variant, tickMs, atMs, reason, isPrimary } = request;
  return {
    schema: "v1watch/observation/2",
    // A second opinion is a second request of the same tick.
    id: `${endpoint}/${variant}/${new Date(tickMs).toISOString()}${reason === "second-opinion" ? `/${reason}` : ""}`,
    endpoint,
    variant,
    at: new Date(atMs).toISOString(),
    reason,
    isPrimary,
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

const maxObservationBytes = 8_000;

/** Keeps the stored observation small, whatever the body: evidence is dropped first, then the mildest findings. */
function shrink(observation: Observation): Observation {
  const { evidence, findings } = observation;
  while (Buffer.byteLength(JSON.stringify(observation)) > maxObservationBytes) {
    if (evidence.length > 0) evidence.pop();
    else if (findings.length > 0) {
      findings.pop();
      observation.findingsOmitted++;
    } else break;
  }
  return observation;
}

export type BodyResult = { outcome: Outcome; validation?: BodyValidation; value?: unknown };

export type ValidationContext = {
  clock: Clock;
  /** The keyword of the request, where it had one. */
  keyword?: string | undefined;
  /** The same record as the list showed it in this cycle. It is compared in memory and never stored. */
  listed?: Record<string, unknown> | undefined;
  /** The key in use. */
  apiKey?: string | undefined;
};

/** Parses the bytes of a 200 and, where they are JSON, validates the body against the contract. */
export function readBody(
  endpoint: EndpointId,
  bytes: Uint8Array,
  contentType: string | undefined,
  context: ValidationContext,
): BodyResult {
  const { apiKey } = context;
  const parsed = parseBody(bytes, apiKey);
  if (parsed.kind !== "json") return { outcome: { kind: parsed.kind, detail: parsed.detail } };
  const { value } = parsed;
  const validation = validateBody(endpoint, value, context);
  const { findings } = validation;
  if (contentType !== undefined && !jsonContentType.test(contentType)) {
    findings.push(
      createFinding(endpoint, {
        path: bodyPath,
        kind: "content-type",
        expected: "application/json",
        observed: nameContentType(contentType),
        count: 1,
        of: 1,
      }),
    );
  }
  return {
    outcome: { kind: "ok" },
    validation: { ...validation, findings: sortFindings(findings) },
    value,
  };
}

const jsonContentType = /^application\/(?:[a-z0-9.+-]{1,60}\+)?json(?:\s*;|$)/i;
const knownContentType =
  /^(text\/html|text\/plain|text\/csv|application\/xml|text\/xml|application\/octet-stream)\b/i;

/** The content type if it is a well-known one. Other texts of the header are not stored. */
function nameContentType(header: string): string {
  if (header === "") return "none";
  return knownContentType.exec(header)?.[1]?.toLowerCase() ?? "another type";
}

export type BodyValidation = {
  findings: Finding[];
  /** How many records were validated, of how many. */
  validated: { records: number; of: number };
  staleness: Staleness;
  facts: Fact[];
  fakeOk: Notices["body"];
  order: Order["direction"];
  equalScores: Observation["equalScores"];
  medianScore: number | undefined;
};

/** Compares a parsed body with the contract. The findings are not sorted yet. */
export function validateBody(
  endpoint: EndpointId,
  body: unknown,
  context: ValidationContext,
): BodyValidation {
  const records = recordsOf(endpoint, body);
  const objects = records.filter(isJsonObject);
  const fieldValues = readFieldValues(endpoint, body);
  const drift = findDrift(endpoint, body, fieldValues);
  const findings = [...drift, ...findNewValues(endpoint, fieldValues)];
  const staleness = measureStaleness(endpoint, objects, context.clock);
  let order: Order["direction"] = "unknown";
  const { role } = endpoints[endpoint];
  if (role === "list") {
    const checkedOrder = checkOrder(endpoint, objects);
    order = checkedOrder.direction;
    const { keyword } = context;
    const filter = keyword === undefined ? undefined : checkKeyword(endpoint, objects, keyword);
    for (const finding of [checkedOrder.finding, checkPagination(endpoint, body), filter])
      if (finding) findings.push(finding);
    const { total } = paginationOf(endpoint, body) ?? {};
    if (Number.isSafeInteger(total) && (total as number) >= 0) staleness.total = total as number;
  }
  if (role === "single" && context.listed) findings.push(...checkAgreement(endpoint, body, context.listed));
  return {
    findings,
    validated: { records: Math.min(records.length, maxRecords), of: records.length },
    staleness,
    facts: readBodyFacts(endpoint, fieldValues, drift),
    fakeOk: detectFakeOk(endpoint, body, fieldValues),
    order,
    equalScores: countEqualScores(endpoint, objects.slice(0, maxRecords)),
    medianScore: findMedianScore(endpoint, objects),
  };
}
