// Outcomes, notices and ages in whole words: the same in the terminal, in an alert and on the page.

import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Facts } from "../../records/incident.ts";
import type { Observation, Staleness } from "../../records/observation.ts";
import { daysUntil } from "../date-text.ts";

/** With commas. Written here, because the first use of Intl takes a function as long as a third of its start. */
export const count = (number: number) =>
  Number.isSafeInteger(number)
    ? String(number).replace(/\B(?=(?:\d{3})+$)/g, ",")
    : number.toLocaleString("en-US");

export const plural = (number: number, one: string, many = `${one}s`) =>
  `${count(number)} ${number === 1 ? one : many}`;

/** 130 min → "2 h 10 min": two units at the most, because nobody acts on the third. */
export function describeDuration(seconds: number): string {
  const units: [string, number][] = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ];
  const whole = Math.max(0, Math.round(seconds));
  const first = units.findIndex(([, size]) => whole >= size);
  if (first < 0) return "0 s";
  const [name, size] = units[first]!;
  const head = `${Math.floor(whole / size)} ${name}`;
  const next = units[first + 1];
  const rest = next ? Math.floor((whole % size) / next[1]) : 0;
  return rest > 0 && next ? `${head} ${rest} ${next[0]}` : head;
}

/** The same, rounded up: what takes up to so long never takes longer than it says. */
export function describeAtMost(seconds: number): string {
  const step = seconds >= 86_400 ? 3_600 : seconds >= 3_600 ? 60 : 1;
  return describeDuration(Math.ceil(seconds / step) * step);
}

/** 0.05 → "5 %". */
export const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`;

const networkWords: Record<string, string> = {
  dns: "its name cannot be resolved",
  refused: "the connection is refused",
  reset: "the connection is reset",
  unreachable: "it cannot be reached",
  tls: "its certificate is not trusted",
  "tls-expired": "its certificate has expired",
  "tls-hostname": "its certificate is for another name",
  closed: "the connection is closed without an answer",
  protocol: "it does not speak HTTP",
};

const refusedWords: Record<string, string> = {
  address: "its address is private, link-local or loopback",
  scheme: "its address is neither http nor https",
  credentials: "its address holds a user name or a password",
  "bad-key": "the key holds characters that no header may hold",
  stopped: "it was stopped",
};

const statusWords: Record<number, string> = {
  403: "forbidden",
  404: "not found: the documented path is not there",
  410: "gone",
  429: "too many requests",
  500: "V1 fails inside",
  502: "a gateway in front of V1 fails",
  503: "unavailable",
  504: "a gateway in front of V1 gives up",
};

/** Whether the answer, though no 200, is what a sane V1 gives: nobody has such an id, or such a key. */
export function isExpectedRefusal({
  variant: name,
  outcome,
}: Pick<Observation, "variant" | "outcome">): boolean {
  const isRefused = outcome.kind === "unauthorized" || outcome.status === 403;
  if (name === "bad-key") return isRefused;
  return name === "unknown-id" && (isRefused || [400, 404, 422].includes(outcome.status ?? 0));
}

/** What came of a request, as half a sentence; "ok" where nothing is to be said. */
export function describeOutcome({ outcome, notices }: Pick<Observation, "outcome" | "notices">): string {
  const { kind, status, detail } = outcome;
  switch (kind) {
    case "ok":
      return "ok";
    case "unauthorized": {
      const { usage } = notices;
      if (!usage?.exhausted) return "401 unauthorized";
      const used =
        usage.current !== undefined && usage.limit !== undefined
          ? ` (${count(usage.current)} of ${count(usage.limit)} requests used)`
          : "";
      return `401, the key's quota is exhausted${used}`;
    }
    case "redirect": {
      const { redirect } = notices;
      const where = redirect?.origin === "other" ? "another origin" : "another path";
      const to = redirect?.leadsTo === "other-version" ? ", of another version" : "";
      return `${status} redirect to ${where}${to}; not followed`;
    }
    case "status": {
      const wait = notices.retryAfterSeconds;
      const retry = wait === undefined ? "" : `, retry after ${describeDuration(wait)}`;
      return `${status} ${statusWords[status ?? 0] ?? "is not documented"}${retry}`;
    }
    case "network":
      return `no answer: ${networkWords[detail ?? ""] ?? "the network fails"}`;
    case "timeout":
      return "no whole answer before the deadline";
    case "too-large":
      if (detail === "values") return "the body holds too many values";
      return `${detail === "headers" ? "the headers are" : "the body is"} larger than the limit`;
    case "truncated":
      return "the body is cut off";
    case "bad-encoding":
      return detail === "utf-8"
        ? "the body is not valid UTF-8"
        : "the body's compression is broken or unknown";
    case "not-json":
      if (detail === "html") return "an HTML page in place of JSON";
      if (detail === "empty") return "an empty body in place of JSON";
      return detail === "deep" ? "the body is nested too deeply" : "the body is not JSON";
    case "no-secret":
      return "not requested: the key's source holds no key that can be sent";
    case "refused":
      if (detail === "no-sample") return "not judged: the list offers no passport to ask for";
      return `not requested: ${refusedWords[detail ?? ""] ?? "the request was refused"}`;
  }
}

const outcomeNames: Record<Observation["outcome"]["kind"], string> = {
  ok: "ok",
  unauthorized: "401",
  status: "no documented status",
  redirect: "redirect",
  network: "no answer",
  timeout: "no answer in time",
  "too-large": "too large",
  truncated: "cut off",
  "bad-encoding": "not readable",
  "not-json": "not JSON",
  "no-secret": "not requested: no key",
  refused: "not requested",
};

/** The same in two or three words, for a line of a log or of a table. */
export function nameOutcome({ kind, status, detail }: Observation["outcome"]): string {
  if (kind === "refused" && detail === "no-sample") return "not requested: no sample";
  if (status !== undefined && kind === "status") return String(status);
  return status !== undefined && kind === "redirect" ? `${status} redirect` : outcomeNames[kind];
}

function describeSunset(dateMs: number, nowMs: number): string {
  const date = new Date(dateMs).toISOString().slice(0, 10);
  const days = daysUntil(dateMs, nowMs);
  if (nowMs < dateMs)
    return `Sunset ${date}: V1 announces its end ${days === 0 ? "today" : `in ${plural(days, "day")}`}`;
  return `Sunset ${date} passed ${days === 0 ? "today" : `${plural(-days, "day")} ago`}, and V1 still answers`;
}

/** Things that a response says beside its outcome; each is one line. */
export function describeNotices({ notices, endpoint, variant: name }: Observation, nowMs: number): string[] {
  const lines: string[] = [];
  if (notices.sunset) lines.push(describeSunset(Date.parse(notices.sunset), nowMs));
  if (notices.sunsetText !== undefined) lines.push("a Sunset header that cannot be read as a date");
  if (notices.deprecation) {
    const { at, form } = notices.deprecation;
    lines.push(
      at
        ? `Deprecation since ${at.slice(0, 10)}`
        : `a Deprecation header${form === "unreadable" ? " that cannot be read" : ""}`,
    );
  }
  if (notices.contradictory) lines.push("Sunset is earlier than Deprecation: an error of the sender");
  if (notices.warning === 299) lines.push("Warning 299: V1 sends a lasting notice");
  if (notices.links?.includes("successor-version")) lines.push("a link to the successor version");
  if (notices.withdrawn && name !== "unknown-id")
    lines.push("a documented path is withdrawn: a sign of retirement");
  if (notices.body === "v2-shaped")
    lines.push("it answers 200 in the shape of V2: the old version is quietly gone");
  if (notices.body === "stub-data") lines.push("every score is 0: a stub in place of data");
  // One person may have no credentials; a list without anybody is another matter.
  if (notices.body === "empty" && endpoints[endpoint].role === "list") lines.push("no records at all");
  return lines;
}

export function describeFreshness(staleness: Staleness | null): string {
  if (!staleness) return "";
  const records = plural(staleness.records, "record");
  if (staleness.muted)
    return `${records} · age unknown: the clocks differ by ${describeDuration(Math.abs(staleness.skewSeconds ?? 0))}`;
  return staleness.ages
    ? `${records} · newest ${describeDuration(staleness.ages.newest)} old`
    : `${records} · age unknown`;
}

// What the text of a rule consists of, and words that several rules share.
export type RuleText = {
  /** ASCII, and short enough for a subject. Once it is over, the facts have the first good check. */
  title(facts: Facts): string;
  /** Whole sentences; every number and instant is one of the facts. `at` is the instant of the alert. */
  facts(facts: Facts, at: string): string[];
  /** What is said of its end, where a beginning and an end would say little. `openedAt`: when it was reported. */
  ended?(facts: Facts, at: string, openedAt: string): string[];
  impact(facts: Facts): string;
  steps: readonly string[];
};

export const whereText = (endpoints: readonly EndpointId[]) =>
  endpoints.length === 0 || endpoints.length === endpointIds.length
    ? `all ${endpointIds.length} endpoints`
    : endpoints.join(", ");
export const where = ({ endpoints }: Facts) => whereText(endpoints);

/** What the records of the endpoint are called. */
export const nounsOf = ({ endpoints: [first = endpointIds[0]] }: Facts) => endpoints[first].nouns;

export const isOver = ({ firstGoodAfterAt }: Facts) => firstGoodAfterAt !== null;

/** What the failed checks got, the most frequent first. */
export const responsesOf = ({ responses = {} }: Facts): [label: string, number: number][] =>
  Object.entries(responses).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));

/** `401`, or `503 (4), timeout (2)` where there are several. */
export function responsesText(facts: Facts): string {
  const rows = responsesOf(facts);
  if (rows.length === 1) return rows[0]![0];
  return rows
    .slice(0, 4)
    .map(([label, number]) => `${label} (${count(number)})`)
    .join(", ");
}

export const zeros = "Consumers that turn a failed call into 0 or [] show wrong values.";
export const curlFirst = "Run the command below and compare.";
export const outlook = "`v1watch outlook` shows what is known about V1's retirement.";

/** " in the last 3 d", where the checks of a long incident are no longer all kept. */
export const windowText = ({ firstBadAt, lastBadAt, windowSeconds }: Facts): string =>
  Date.parse(lastBadAt) - Date.parse(firstBadAt) > (windowSeconds + 60) * 1_000
    ? ` in the last ${describeDuration(windowSeconds)}`
    : "";
