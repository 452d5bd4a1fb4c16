import { alarmTable, defaultAlarmSettings } from "../../assess/alarms/alarm-table.ts";
import { count, describeDuration, describeOutcome, plural } from "../../assess/alerts/text.ts";
import { primaryVariant, tellsOfV1 } from "../../assess/rules/response-class.ts";
import type { AssessState } from "../../assess/state.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Observation } from "../../records/observation.ts";
import { drawSpark, type Spark } from "../../report/charts.ts";
import type { Card, RangeName, Tone } from "../server/api-schemas.ts";
import type { Bucket, History } from "../store/history.ts";
import { presentRows } from "./drift.ts";

export type CardInput = {
  history: History;
  state: AssessState;
  range: Range;
  frozenAfterSeconds: number;
  monthlyRequests: number;
};

export function readCards(input: CardInput): Card[] {
  return endpointIds.map((endpoint) => readCard(endpoint, input));
}

function readCard(endpoint: EndpointId, input: CardInput): Card {
  const { history, state, range } = input;
  const asked = primaryVariant(state.availability.primary);
  const { whole, parts } = history.buckets(endpoint, asked, range, range.bucketMs);
  const [lastBrief] = history.briefs(endpoint, range.untilMs, 12).filter((row) => row.variant === asked);
  const last = lastBrief && history.observation(lastBrief.id);
  const { tone, word } = judge(endpoint, state, last);
  return {
    endpoint,
    title: endpoints[endpoint].title,
    tone,
    word,
    answers: whole?.answers ?? 0,
    measures: measure(endpoint, parts, whole, last, input),
    ...(last && { lastId: last.id, lastAt: last.at }),
  };
}

function judge(
  endpoint: EndpointId,
  state: AssessState,
  last: Observation | undefined,
): { tone: Tone; word: string } {
  if (!last) return { tone: "unknown", word: "not asked yet" };
  if (!tellsOfV1(last)) return { tone: "unknown", word: describeOutcome(last) };
  if (last.outcome.kind !== "ok") return { tone: "broken", word: describeOutcome(last) };
  const open = (cause: string) => state.incidents[cause]?.incident;
  const isOpen = (cause: string) =>
    open(cause)?.state === "open" && open(cause)?.endpoints.includes(endpoint) === true;
  if (isOpen("data/serves-v2")) return { tone: "broken", word: "in the shape of V2" };
  if (last.notices.body === "v2-shaped") return { tone: "look", word: "in the shape of V2" };
  if (isOpen("data/stub-data"))
    return { tone: "broken", word: last.notices.body === "empty" ? "no record" : "every score is 0" };
  const breaking = presentRows(state, "breaking").filter((row) => row.endpoint === endpoint).length;
  if (breaking > 0) return { tone: "look", word: `${plural(breaking, "breaking difference")}` };
  if (isOpen("data/frozen")) return { tone: "look", word: "data frozen" };
  if (isOpen("data/data-shrinking")) return { tone: "look", word: "records missing" };
  if (isOpen("slow")) return { tone: "look", word: "slow" };
  return { tone: "ok", word: "as documented" };
}

const percent = (part: number, whole: number) => (whole === 0 ? undefined : (100 * part) / whole);
const percentText = (value: number | undefined) =>
  value === undefined ? "–" : `${value === 100 || value === 0 ? value : value.toFixed(1)} %`;

function measure(
  endpoint: EndpointId,
  buckets: readonly Bucket[],
  whole: Bucket | undefined,
  last: Observation | undefined,
  { range, frozenAfterSeconds, monthlyRequests, state }: CardInput,
): Card["measures"] {
  const table = alarmTable({ ...defaultAlarmSettings, frozenAfterSeconds, monthlyRequests });
  const row = (id: string) => table.find((one) => one.id === id);
  const meaning = (id: string) => row(id)?.meaning ?? "";
  const length = Math.round((range.untilMs - range.fromMs) / range.bucketMs);
  const spread = (read: (bucket: Bucket) => number | null | undefined) => {
    const values: (number | undefined)[] = Array.from({ length });
    for (const bucket of buckets) values[bucket.index] = read(bucket) ?? undefined;
    return values;
  };
  const draw = (label: string, spark: Omit<Spark, "label">) =>
    drawSpark({ label: `${endpoint}: ${label} over ${range.name}`, ...spark });
  const availability = whole && percent(whole.ok, whole.answers);
  const refused = whole && percent(whole.unauthorized, whole.answers);
  const p95 = whole?.p95Ms ?? undefined;
  const age = last?.staleness?.muted ? undefined : last?.staleness?.ages?.newest;
  const slowMs = row("slow")?.threshold ?? 3_000;
  const isFrozen = age !== undefined && age > frozenAfterSeconds && endpoint === "passport-list";
  const breaking = presentRows(state, "breaking").filter((one) => one.endpoint === endpoint).length;
  const isCompared = last?.outcome.kind === "ok" && last.notices.body !== "v2-shaped";
  const differing = isCompared || breaking > 0 ? breaking : undefined;
  const tone = (value: number | undefined, isBad: boolean): Tone =>
    value === undefined ? "unknown" : isBad ? "look" : "ok";
  return [
    {
      name: "availability",
      label: `availability ${range.name}`,
      text: percentText(availability),
      value: availability ?? null,
      unit: "%",
      tone:
        availability === undefined
          ? "unknown"
          : availability < 50
            ? "broken"
            : tone(availability, availability < 99),
      threshold: meaning("down"),
      drawing: draw("availability", {
        values: spread(({ ok, answers }) => percent(ok, answers)),
        ...{ min: 0, max: 100, threshold: 99.99, bad: "below" },
      }),
    },
    {
      name: "latency",
      label: "p95",
      text: p95 === undefined ? "–" : `${count(Math.round(p95))} ms`,
      value: p95 ?? null,
      unit: "ms",
      tone: tone(p95, p95 !== undefined && p95 > slowMs),
      threshold: meaning("slow"),
      drawing: draw("latency, p95", { values: spread(({ p95Ms }) => p95Ms), min: 0, threshold: slowMs }),
    },
    {
      name: "unauthorized",
      label: "401",
      text: percentText(refused),
      value: refused ?? null,
      unit: "%",
      tone: refused !== undefined && refused >= 50 ? "broken" : tone(refused, (refused ?? 0) > 0),
      threshold: meaning("unauthorized"),
      drawing: draw("share of 401", {
        values: spread(({ unauthorized, answers }) => percent(unauthorized, answers)),
        ...{ min: 0, max: 100, threshold: row("unauthorized")?.threshold ?? 50 },
      }),
    },
    {
      name: "age",
      label: "newest record",
      text: age === undefined ? "–" : `${describeDuration(age)} old`,
      value: age ?? null,
      unit: "s",
      tone: tone(age, isFrozen),
      threshold:
        endpoint === "passport-list" ? meaning("frozen-data") : "One record may be old in good health.",
      drawing: draw("age of the newest record", {
        values: spread(({ newestAgeSeconds }) => newestAgeSeconds),
        min: 0,
        ...(endpoint === "passport-list" && { threshold: frozenAfterSeconds }),
      }),
    },
    {
      name: "drift",
      label: "breaking drift",
      text: differing === undefined ? "–" : plural(differing, "field"),
      value: differing ?? null,
      unit: "fields",
      tone: tone(differing, breaking > 0),
      threshold: meaning("breaking-drift"),
      drawing: draw("breaking differences", {
        values: spread((bucket) => (bucket.ok > 0 ? bucket.breaking : undefined)),
        ...{ min: 0, max: 1, threshold: 0.5 },
      }),
    },
  ];
}

// The ranges that the page offers, and how finely each is cut.
export type Range = { name: RangeName; fromMs: number; untilMs: number; bucketMs: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const sizes: Record<Exclude<RangeName, "all">, { lengthMs: number; bucketMs: number }> = {
  "1h": { lengthMs: hourMs, bucketMs: minuteMs },
  "24h": { lengthMs: dayMs, bucketMs: hourMs / 2 },
  "7d": { lengthMs: 7 * dayMs, bucketMs: 3 * hourMs },
  "30d": { lengthMs: 30 * dayMs, bucketMs: 12 * hourMs },
};
const mostBuckets = 60;

/** Ends with the bucket that now lies in, so that a picture does not shiver from second to second. */
export function findRange(name: RangeName, nowMs: number, firstMs: number | undefined): Range {
  if (name !== "all") {
    const { lengthMs, bucketMs } = sizes[name];
    const untilMs = (Math.floor(nowMs / bucketMs) + 1) * bucketMs;
    return { name, fromMs: untilMs - lengthMs, untilMs, bucketMs };
  }
  const spanMs = Math.max(hourMs, nowMs - (firstMs ?? nowMs));
  const unitMs = spanMs > mostBuckets * hourMs ? dayMs : minuteMs;
  const bucketMs = Math.ceil(spanMs / mostBuckets / unitMs) * unitMs;
  const untilMs = (Math.floor(nowMs / bucketMs) + 1) * bucketMs;
  const buckets = Math.ceil((untilMs - (nowMs - spanMs)) / bucketMs);
  return { name, fromMs: untilMs - buckets * bucketMs, untilMs, bucketMs };
}
