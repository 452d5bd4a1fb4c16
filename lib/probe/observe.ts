// One exchange → one Observation: facts about shape, freshness, access and retirement, under 8 KB.

import { durationMs } from "../config/duration.ts";
import type { Config } from "../config.ts";
import { type EndpointId, endpoints } from "../contract/endpoints.ts";
import type { Case, Observation, Outcome } from "../records/observation.ts";
import { maxFacts, maxFindings } from "../records/observation-words.ts";
import { parseBody } from "./body.ts";
import { readAnswerFacts } from "./evidence.ts";
import type { Exchange } from "./exchange.ts";
import { readTargetNow } from "./http-date.ts";
import { readNotices } from "./notices.ts";
import { paginationOf } from "./promises.ts";
import { type Reading, readBody } from "./reading.ts";
import type { Asked } from "./request.ts";

const maxBytes = 8_000;

export type Ask = { endpoint: EndpointId; case: Case; tickMs: number; atMs: number };

export const observationId = (endpoint: EndpointId, name: Case, tickMs: number) =>
  `${endpoint}/${name}/${new Date(tickMs).toISOString()}`;

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
    schema: "v1watch/observation/1",
    id: observationId(ask.endpoint, ask.case, ask.tickMs),
    endpoint: ask.endpoint,
    case: ask.case,
    at: new Date(ask.atMs).toISOString(),
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
  const documentedPath = ask.case !== "unknown-id" && (asked.isSampled || status === 410);
  const notices =
    status === undefined
      ? {}
      : readNotices({ status, headers, requestUrl: asked.url, documentedPath, nowMs });
  if (analysis?.body) notices.body = analysis.body;
  const isExhausted = exchange.outcome.kind === "unauthorized" && notices.usage?.exhausted;
  const saysNothing = status === 404 && ask.case !== "unknown-id" && !asked.isSampled;
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
    case: ask.case,
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
  });
  return { observation, ...(value !== undefined && { value }) };
}
