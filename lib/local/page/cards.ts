// The endpoint cards of the page: availability, latency, 401 rate, data age and drift over the selected range.
import { type AlarmSettings, alarmTable } from "../../assess/alarms/alarm-table.ts";
import { count, describeDuration, describeOutcome, plural } from "../../assess/alerts/text.ts";
import { tellsOfV1 } from "../../assess/history/check.ts";
import type { AssessState } from "../../assess/state.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { RuleId } from "../../records/incident.ts";
import type { Observation } from "../../records/observation.ts";
import { drawSpark, type Spark } from "../../report/charts.ts";
import type { Card, RangeName, Tone } from "../server/api-schemas.ts";
import type { Bucket, History } from "../store/history.ts";
import { presentRows } from "./drift.ts";

export type CardInput = {
  history: History;
  state: AssessState;
  range: Range;
  /** The numbers that the cards and the alarms share. */
  settings: AlarmSettings;
};

export function readCards(input: CardInput): Card[] {
  return endpointIds.map((endpoint) => readCard(endpoint, input));
}

function readCard(endpoint: EndpointId, input: CardInput): Card {
  const { history, state, range } = input;
  const { total, buckets } = history.buckets(endpoint, range, range.bucketMs);
  const rows = history.observationRows(endpoint, range.untilMs, 12);
  const lastRow = rows.find(({ isPrimary }) => isPrimary);
  const last = lastRow && history.observation(lastRow.id);
  const { tone, word } = describeStatus(endpoint, state, last);
  return {
    endpoint,
    title: endpoints[endpoint].title,
    tone,
    word,
    answers: total?.responses ?? 0,
    measures: readMeasures(endpoint, buckets, total, last, input),
    ...(last && { lastId: last.id, lastAt: last.at }),
  };
}

function describeStatus(
  endpoint: EndpointId,
  state: AssessState,
  last: Observation | undefined,
): { tone: Tone; word: string } {
  if (!last) return { tone: "unknown", word: "not checked yet" };
  if (!tellsOfV1(last)) return { tone: "unknown", word: describeOutcome(last) };
  if (last.outcome.kind !== "ok") return { tone: "critical", word: describeOutcome(last) };
  const firing = state.incidents.filter((one) => one.state === "firing" && one.endpoints.includes(endpoint));
  const isFiring = (...rules: RuleId[]) => firing.some(({ rule }) => rules.includes(rule));
  if (isFiring("serves-v2")) return { tone: "critical", word: "V2 response format" };
  if (last.notices.body === "v2-shaped") return { tone: "warning", word: "V2 response format" };
  if (isFiring("stub-data")) return { tone: "critical", word: "every score is 0" };
  if (isFiring("empty-list")) return { tone: "critical", word: "no records" };
  if (isFiring("error-envelope")) return { tone: "critical", word: "an error in place of data" };
  const breaking = presentRows(state, "breaking").filter((row) => row.endpoint === endpoint).length;
  if (breaking > 0) return { tone: "warning", word: `${plural(breaking, "breaking difference")}` };
  if (isFiring("frozen", "partly-frozen")) return { tone: "warning", word: "data frozen" };
  if (isFiring("data-shrinking", "credentials-empty")) return { tone: "warning", word: "records missing" };
  if (isFiring("slow")) return { tone: "warning", word: "slow" };
  return { tone: "ok", word: "as documented" };
}

const percent = (part: number, total: number) => (total === 0 ? undefined : (100 * part) / total);
const percentText = (value: number | undefined) =>
  value === undefined ? "–" : `${value === 100 || value === 0 ? value : value.toFixed(1)} %`;

function readMeasures(
  endpoint: EndpointId,
  buckets: readonly Bucket[],
  total: Bucket | undefined,
  last: Observation | undefined,
  { range, settings, state }: CardInput,
): Card["measures"] {
  const table = alarmTable(settings);
  const meaning = (id: string) => table.find((row) => row.id === id)?.meaning ?? "";
  const { frozenAfterSeconds } = settings;
  const { slowMs, alarmShare, availabilityShare } = settings.thresholds;
  const length = Math.round((range.untilMs - range.fromMs) / range.bucketMs);
  const spread = (read: (bucket: Bucket) => number | null | undefined) => {
    const values: (number | undefined)[] = Array.from({ length });
    for (const bucket of buckets) values[bucket.index] = read(bucket) ?? undefined;
    return values;
  };
  const draw = (label: string, spark: Omit<Spark, "label">) =>
    drawSpark({ label: `${endpoint}: ${label} over ${range.name}`, ...spark });
  const availability = total && percent(total.ok, total.responses);
  const unauthorized = total && percent(total.unauthorized, total.responses);
  const p95 = total?.p95Ms ?? undefined;
  const age = last?.staleness?.muted ? undefined : last?.staleness?.ages?.newest;
  const isList = endpoints[endpoint].role === "list";
  const isFrozen = age !== undefined && age > frozenAfterSeconds && isList;
  const breaking = presentRows(state, "breaking").filter((finding) => finding.endpoint === endpoint).length;
  const isCompared = last?.outcome.kind === "ok" && last.notices.body !== "v2-shaped";
  const differing = isCompared || breaking > 0 ? breaking : undefined;
  const tone = (value: number | undefined, isBad: boolean): Tone =>
    value === undefined ? "unknown" : isBad ? "warning" : "ok";
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
          : availability <= 100 * (1 - alarmShare)
            ? "critical"
            : tone(availability, availability < 100 * availabilityShare),
      threshold: meaning("request-failures"),
      drawing: draw("availability", {
        values: spread(({ ok, responses }) => percent(ok, responses)),
        ...{ min: 0, max: 100, threshold: 100 * availabilityShare, bad: "below" },
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
      text: percentText(unauthorized),
      value: unauthorized ?? null,
      unit: "%",
      tone:
        unauthorized !== undefined && unauthorized >= 100 * alarmShare
          ? "critical"
          : tone(unauthorized, (unauthorized ?? 0) > 0),
      threshold: meaning("unauthorized"),
      drawing: draw("share of 401", {
        values: spread((bucket) => percent(bucket.unauthorized, bucket.responses)),
        ...{ min: 0, max: 100, threshold: 100 * alarmShare },
      }),
    },
    {
      name: "age",
      label: "newest record",
      text: age === undefined ? "–" : `${describeDuration(age)} old`,
      value: age ?? null,
      unit: "s",
      tone: tone(age, isFrozen),
      threshold: isList ? meaning("stale-data") : "No threshold: a single record may be old without a fault.",
      drawing: draw("age of the newest record", {
        values: spread(({ newestAgeSeconds }) => newestAgeSeconds),
        min: 0,
        ...(isList && { threshold: frozenAfterSeconds }),
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

/** A time range of the page and the length of its chart buckets. */
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
const maxBuckets = 60;

/** Ends with the bucket that contains the current time, so that the charts do not shift with every second. */
export function findRange(name: RangeName, nowMs: number, firstMs: number | undefined): Range {
  if (name !== "all") {
    const { lengthMs, bucketMs } = sizes[name];
    const untilMs = (Math.floor(nowMs / bucketMs) + 1) * bucketMs;
    return { name, fromMs: untilMs - lengthMs, untilMs, bucketMs };
  }
  const spanMs = Math.max(hourMs, nowMs - (firstMs ?? nowMs));
  const unitMs = spanMs > maxBuckets * hourMs ? dayMs : minuteMs;
  const bucketMs = Math.ceil(spanMs / maxBuckets / unitMs) * unitMs;
  const untilMs = (Math.floor(nowMs / bucketMs) + 1) * bucketMs;
  const buckets = Math.ceil((untilMs - (nowMs - spanMs)) / bucketMs);
  return { name, fromMs: untilMs - buckets * bucketMs, untilMs, bucketMs };
}
