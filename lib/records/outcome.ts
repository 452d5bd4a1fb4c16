// What came of a request: one table from an outcome's kind and detail to its class, label and sentence. Whatever reads an
// outcome (scheduler, history, alerts, dashboard, terminal) reads it here.
import { api, endpoints } from "../contract/endpoints.ts";
import { formatCount } from "../text.ts";
import { describeDuration } from "../time.ts";
import type { Observation, Outcome, Variant } from "./observation.ts";

/** What a class of responses says about V1. `unknown`: nothing. */
const verdicts = {
  ok: "good",
  failed: "bad",
  unauthorized: "bad",
  quota: "bad",
  forbidden: "bad",
  throttled: "bad",
  "not-found": "bad",
  gone: "bad",
  redirect: "bad",
  "v2-shape": "bad",
  "error-envelope": "bad",
  "not-json": "bad",
  empty: "bad",
  stub: "bad",
  unsafe: "bad",
  /** No request was sent. */
  none: "unknown",
} as const satisfies Record<string, "good" | "bad" | "unknown">;

export type ResponseClass = keyof typeof verdicts;
export const responseClasses = Object.keys(verdicts) as [ResponseClass, ...ResponseClass[]];

type Classified = { class: ResponseClass };
export const isGood = (check: Classified) => verdicts[check.class] === "good";
export const isBad = (check: Classified) => verdicts[check.class] === "bad";
export const isRefused = (check: Classified) =>
  check.class === "unauthorized" || check.class === "quota" || check.class === "forbidden";

/**
 * Why a due check was not sent. The prober tests these reasons in this order and reports the first that applies, so a reason
 * rules out those before it. `no-sample`: no id to request is known, and the 404 for an invented one would say nothing.
 */
export const notSentReasons = ["budget", "no-key", "address", "proxy", "no-sample"] as const;
export type NotSentReason = (typeof notSentReasons)[number];

type Row = {
  class: ResponseClass;
  /** Of a check that was due and not sent. */
  notSent?: NotSentReason;
  /** Two or three words, for a title, a line of a log or a cell of a table. */
  label: string;
  /** Half a sentence. */
  sentence: string;
};

const noResponse = (label: string, why: string): Row => ({
  class: "failed",
  label,
  sentence: `no response: ${why}`,
});

const notRequested = (notSent: NotSentReason, label: string, why: string): Row => ({
  class: "none",
  notSent,
  label: `not requested: ${label}`,
  sentence: `not requested: ${why}`,
});

const failed = (label: string, sentence: string): Row => ({ class: "failed", label, sentence });
const unsafe = (label: string, sentence: string): Row => ({ class: "unsafe", label, sentence });
const notJson = (label: string, sentence: string): Row => ({ class: "not-json", label, sentence });

/** The row of a kind, and of the details that have one of their own. The detail of a status is its number. */
const rows: Record<Outcome["kind"], Row & { details?: Record<string, Row> }> = {
  ok: {
    class: "ok",
    label: "ok",
    sentence: "ok",
    details: {
      "v2-shape": { class: "v2-shape", label: "200 in V2's shape", sentence: "200 in V2's shape" },
      "error-envelope": {
        class: "error-envelope",
        label: "200 in another shape",
        sentence: "200 in another shape than the document's",
      },
      empty: { class: "empty", label: "200 with an empty list", sentence: "200 with an empty list" },
      stub: { class: "stub", label: "200 with every score 0", sentence: "200 with every score 0" },
    },
  },
  unauthorized: {
    class: "unauthorized",
    label: "401",
    sentence: "401 unauthorized",
    details: {
      quota: { class: "quota", label: "401", sentence: "401, the key's quota is exhausted" },
    },
  },
  redirect: { class: "redirect", label: "redirect", sentence: "redirect" },
  status: {
    class: "failed",
    label: "no documented status",
    sentence: "is not documented",
    details: {
      403: { class: "forbidden", label: "403", sentence: "403 forbidden" },
      "403/quota": { class: "quota", label: "403", sentence: "403, the key's quota is exhausted" },
      404: { class: "not-found", label: "404", sentence: "404 not found: the documented path is not there" },
      410: { class: "gone", label: "410", sentence: "410 gone" },
      429: { class: "throttled", label: "429", sentence: "429 too many requests" },
      500: failed("500", "500: an error inside V1"),
      502: failed("502", "502: a gateway in front of V1 failed"),
      503: failed("503", "503 unavailable"),
      504: failed("504", "504: a gateway in front of V1 timed out"),
    },
  },
  network: {
    ...noResponse("no response", "the network failed"),
    details: {
      dns: noResponse("host name not found", "the host name cannot be resolved"),
      refused: noResponse("connection refused", "the connection was refused"),
      reset: noResponse("connection reset", "the connection was reset"),
      closed: noResponse("connection closed", "the connection was closed"),
      unreachable: noResponse("host not reachable", "the host cannot be reached"),
      tls: noResponse("certificate not trusted", "the certificate is not trusted"),
      "tls-expired": noResponse("certificate expired", "the certificate has expired"),
      "tls-hostname": noResponse("certificate of another name", "the certificate is for another name"),
      protocol: noResponse("no HTTP response", "it does not speak HTTP"),
      // What a proxy says of V1, in place of a connection to it.
      "proxy-502": noResponse("502 from the proxy", "the proxy cannot connect to V1 (502)"),
      "proxy-503": noResponse("503 from the proxy", "the proxy cannot connect to V1 (503)"),
      "proxy-504": noResponse("504 from the proxy", "V1 did not answer the proxy in time (504)"),
    },
  },
  timeout: failed("timeout", "no complete response before the deadline"),
  "too-large": {
    ...unsafe("body too large", "the body is larger than the limit"),
    details: {
      headers: unsafe("headers too large", "the headers are larger than the limit"),
      values: unsafe("too many values", "the body has too many values"),
    },
  },
  truncated: failed("body cut off", "the body was cut off"),
  "bad-encoding": {
    ...unsafe("broken encoding", "the body's compression is broken or unknown"),
    details: { "utf-8": unsafe("broken encoding", "the body is not valid UTF-8") },
  },
  "not-json": {
    ...notJson("no JSON", "the body is not JSON"),
    details: {
      html: notJson("HTML", "HTML instead of JSON"),
      empty: notJson("empty body", "an empty body in place of JSON"),
      deep: unsafe("nested too deeply", "the body is nested too deeply"),
    },
  },
  "no-secret": notRequested("no-key", "no key", "the key's source has no key that can be sent"),
  refused: {
    ...notRequested("address", "refused", "the request was refused"),
    details: {
      "no-sample": {
        class: "none",
        notSent: "no-sample",
        label: "not requested: no sample",
        sentence: `not judged: the list has no ${api.sample.nouns.one} to request`,
      },
      budget: notRequested("budget", "budget spent", "the month's request budget is spent"),
      address: notRequested("address", "forbidden address", "its address is private, link-local or loopback"),
      // A name that leads to a private address is found out only by looking it up: V1 cannot be reached there.
      "resolved-address": failed("no public address", "its name leads to a private or loopback address"),
      scheme: notRequested("address", "address", "its address is neither http nor https"),
      credentials: notRequested("address", "address", "its address contains a user name or a password"),
      "proxy-address": notRequested(
        "proxy",
        "no proxy address",
        "the source of the proxy's address has none",
      ),
      "proxy-unreachable": notRequested(
        "proxy",
        "proxy unreachable",
        "the proxy cannot be reached, or its certificate is not trusted",
      ),
      "proxy-407": notRequested(
        "proxy",
        "407 from the proxy",
        "the proxy does not accept our credentials, or wants some (407)",
      ),
      "proxy-refused": notRequested("proxy", "refused by the proxy", "the proxy refuses to connect to V1"),
      "proxy-failed": notRequested(
        "proxy",
        "error of the proxy",
        "the proxy reports an error, of its own or of V1",
      ),
      "proxy-slow": notRequested(
        "proxy",
        "proxy slow",
        "the proxy opened no connection to V1 before the deadline",
      ),
      "proxy-closed": notRequested(
        "proxy",
        "connection closed by the proxy",
        "the proxy closed the connection without an answer",
      ),
      "proxy-protocol": notRequested(
        "proxy",
        "no HTTP proxy",
        "what answers as the proxy does not speak HTTP",
      ),
      "bad-key": notRequested("no-key", "key", "the key has characters that no header may have"),
      stopped: {
        class: "none",
        label: "not requested: stopped",
        sentence: "not requested: the watch was stopped",
      },
    },
  },
};

/** What the row is chosen by, beside the kind. */
function rowOf({ kind, status, detail }: Outcome): Row {
  const row = rows[kind];
  if (kind === "redirect" && status !== undefined)
    return { class: row.class, label: String(status), sentence: `${status} redirect` };
  const key = kind === "status" ? `${status}${detail === "quota" ? "/quota" : ""}` : (detail ?? "");
  const known = row.details && Object.hasOwn(row.details, key) ? row.details[key] : undefined;
  if (known || kind !== "status" || status === undefined) return known ?? row;
  return { class: row.class, label: String(status), sentence: `${status} ${row.sentence}` };
}

type Response = Pick<Observation, "endpoint" | "outcome" | "notices" | "findings" | "attempts">;

/** The outcome with what only the whole observation shows: an exhausted quota, a 200 without V1's data. */
function completeOutcome({ endpoint, outcome, notices, findings, attempts }: Response): Outcome {
  const { kind, status, detail } = outcome;
  const complete = (more: string | undefined): Outcome => ({ kind, status, detail: more });
  if (kind === "refused" && detail === "address" && attempts.length > 0) return complete("resolved-address");
  if (kind === "unauthorized" || status === 403)
    return complete(notices.usage?.exhausted ? "quota" : undefined);
  if (kind !== "ok") return outcome;
  if (notices.body === "v2-shaped") return complete("v2-shape");
  if (findings.some((finding) => finding.kind === "envelope")) return complete("error-envelope");
  if (notices.body === "stub-data") return complete("stub");
  // One record may have an empty sublist; a list without records is another matter.
  return complete(notices.body === "empty" && endpoints[endpoint].role === "list" ? "empty" : undefined);
}

export const classify = (response: Response): ResponseClass => rowOf(completeOutcome(response)).class;
export const labelOf = (response: Response): string => rowOf(completeOutcome(response)).label;

/** Undefined where it was sent. */
export const notSentReasonOf = (response: Response): NotSentReason | undefined =>
  rowOf(completeOutcome(response)).notSent;

/** Whether the proxy says it, or its connection, in place of V1. */
export const isOfProxy = ({ detail }: Outcome): boolean => detail?.startsWith("proxy-") === true;

/** The label of what was not sent, without saying so. */
export const causeOfNotSent = (label: string): string => label.replace(/^not requested: /, "");

/** The label where only the outcome itself is known. */
export const labelOutcome = (outcome: Outcome): string => rowOf(outcome).label;

/** Whether it says something about V1: not where we lack a key or a sample, or refuse to send the request. */
export const isAboutV1 = (response: Response) => classify(response) !== "none";

/** Beside that, 429 is about our own request rate, and not about V1's health. */
export const isOwnFault = (response: Response) => {
  const name = classify(response);
  return name === "none" || name === "throttled";
};

/** Beside 401: the statuses with which V1 is right to refuse an id that nobody has, or a key that nobody has. */
export const expectedRefusals: Partial<Record<Variant, readonly number[]>> = {
  "bad-key": [403],
  "unknown-id": [400, 403, 404, 422],
};

/** Whether the response, though no 200, is what a sane V1 gives. */
export function isExpectedRefusal({ variant, outcome }: Pick<Observation, "variant" | "outcome">): boolean {
  const statuses = expectedRefusals[variant];
  return (
    statuses !== undefined && (outcome.kind === "unauthorized" || statuses.includes(outcome.status ?? 0))
  );
}

/** What came of a request, as half a sentence; "ok" where nothing is to be said. */
export function describeOutcome({ outcome, notices }: Pick<Observation, "outcome" | "notices">): string {
  const { kind, status } = outcome;
  const { usage, redirect, retryAfterSeconds: wait } = notices;
  if (kind === "unauthorized" && usage?.exhausted) {
    const { sentence } = rowOf({ kind, status, detail: "quota" });
    const isKnown = usage.current !== undefined && usage.limit !== undefined;
    return isKnown
      ? `${sentence} (${formatCount(usage.current!)} of ${formatCount(usage.limit!)} requests used)`
      : sentence;
  }
  const { sentence } = rowOf(outcome);
  if (kind === "redirect") {
    const where = redirect?.origin === "other" ? "another origin" : "another path";
    const version = redirect?.leadsTo === "other-version" ? ", of another version" : "";
    return `${sentence} to ${where}${version}; not followed`;
  }
  const retry = kind === "status" && wait !== undefined ? `, retry after ${describeDuration(wait)}` : "";
  return `${sentence}${retry}`;
}
