// The endpoint cards of the dashboard: availability, latency, 401 rate, data age and drift over the selected range.

import { type AlarmSettings, alarmTable, clocksDiffer } from "../../assess/alarms/alarm-table.ts";
import { isPresent, presentRows } from "../../assess/drift-history.ts";
import type { AssessState } from "../../assess/state.ts";
import { byWorst, type EndpointChecks, firingIncidents } from "../../assess/verdict.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import { ownRules } from "../../records/incident.ts";
import type { Observation } from "../../records/observation.ts";
import { describeOutcome, isAboutV1 } from "../../records/outcome.ts";
import type { HealthDay } from "../../records/report.ts";
import { formatCount, percent, plural } from "../../text.ts";
import { describeDuration, momentText } from "../../time.ts";
import type { Card, Tone } from "../server/api-schemas.ts";
import type { History } from "../store/history.ts";
import { noticeRules } from "./notices.ts";
import type { Range } from "./series.ts";
import { inSlice } from "./slices.ts";

export type CardInput = {
  history: History;
  state: AssessState;
  range: Range;
  settings: AlarmSettings;
  /** The latest checks of each endpoint, from the verdict. */
  checks: readonly EndpointChecks[];
};

export const readCards = (input: CardInput): Promise<Card[]> =>
  Promise.all(endpointIds.map((endpoint) => inSlice(() => readCard(endpoint, input))));

function readCard(endpoint: EndpointId, input: CardInput): Card {
  const { history, state, range } = input;
  const total = history.health(endpoint, range);
  const [lastRow] = history.observationRows({ endpoint, isPrimary: true, limit: 1 });
  const last = lastRow && history.observation(lastRow.id);
  const checked = input.checks.find((one) => one.endpoint === endpoint);
  const { tone, word } = describeStatus(endpoint, state, last, checked);
  return {
    endpoint,
    path: endpoints[endpoint].path,
    tone,
    word,
    measures: readMeasures(endpoint, total, last, input),
  };
}

function describeStatus(
  endpoint: EndpointId,
  state: AssessState,
  last: Observation | undefined,
  checked: EndpointChecks | undefined,
): { tone: Tone; word: string } {
  if (!last) return { tone: "unknown", word: "not checked yet" };
  if (!isAboutV1(last)) return { tone: "unknown", word: describeOutcome(last) };
  if (!checked?.isSentLately) return { tone: "unknown", word: `not checked since ${momentText(last.at)}` };
  if (last.outcome.kind !== "ok") return { tone: "critical", word: describeOutcome(last) };
  const [worst] = firingIncidents(state)
    .filter(
      ({ rule, endpoints: own }) =>
        own.includes(endpoint) && !ownRules.has(rule) && !noticeRules.includes(rule),
    )
    .sort(byWorst);
  if (worst)
    return {
      tone: worst.severity === "page" ? "critical" : "warning",
      word: worst.rule.replaceAll("-", " "),
    };
  if (last.notices.body === "v2-shaped") return { tone: "warning", word: "V2 response format" };
  const present = Object.values(state.drift.rows).filter(
    (row) => row.endpoint === endpoint && isPresent(row),
  );
  const breaking = present.filter(({ finding }) => finding.level === "breaking").length;
  if (breaking > 0) return { tone: "warning", word: plural(breaking, "breaking difference") };
  return {
    tone: "ok",
    word: present.length > 0 ? `${plural(present.length, "difference")}, none breaking` : "as documented",
  };
}

const shareOf = (part: number, total: number) => (total === 0 ? undefined : part / total);
const percentText = (share: number | undefined) => (share === undefined ? "–" : percent(share));

function readMeasures(
  endpoint: EndpointId,
  total: Omit<HealthDay, "day">,
  last: Observation | undefined,
  { settings, state }: CardInput,
): Card["measures"] {
  const table = alarmTable(settings);
  const meaning = (id: string) => table.find((row) => row.id === id)?.meaning ?? "";
  const { frozenAfterSeconds } = settings;
  const { slowMs, alarmShare, availabilityShare } = settings.thresholds;
  const availability = shareOf(total.ok, total.answers);
  const unauthorized = shareOf(total.unauthorized, total.answers);
  const p95 = total.p95Ms ?? undefined;
  const isClockOff = last?.staleness?.muted ?? false;
  const age = isClockOff ? undefined : last?.staleness?.ages?.newest;
  const isList = endpoints[endpoint].role === "list";
  const isFrozen = age !== undefined && age > frozenAfterSeconds && isList;
  const breaking = presentRows(state, "breaking").filter((finding) => finding.endpoint === endpoint).length;
  const isCompared = last?.outcome.kind === "ok" && last.notices.body !== "v2-shaped";
  const isDriftFiring = state.incidents.some(
    ({ rule, state: name, endpoints: affected }) =>
      rule === "breaking-drift" && name === "firing" && affected.includes(endpoint),
  );
  const differing = isCompared || breaking > 0 ? breaking : undefined;
  const tone = (value: number | undefined, isBad: boolean): Tone =>
    value === undefined ? "unknown" : isBad ? "warning" : "ok";
  return [
    {
      name: "availability",
      label: "available",
      text: percentText(availability),
      tone:
        availability !== undefined && availability <= 1 - alarmShare
          ? "critical"
          : tone(availability, (availability ?? 1) < availabilityShare),
      threshold: meaning("request-failures"),
    },
    {
      name: "latency",
      label: "p95",
      text: p95 === undefined ? "–" : `${formatCount(Math.round(p95))} ms`,
      tone: tone(p95, (p95 ?? 0) > slowMs),
      threshold: meaning("slow"),
    },
    {
      name: "unauthorized",
      label: "401",
      text: percentText(unauthorized),
      tone:
        unauthorized !== undefined && unauthorized >= alarmShare
          ? "critical"
          : tone(unauthorized, (unauthorized ?? 0) > 0),
      threshold: meaning("unauthorized"),
    },
    {
      name: "age",
      label: "newest",
      text: age === undefined ? "–" : describeDuration(age),
      tone: tone(age, isFrozen),
      threshold: isClockOff
        ? `The clocks of V1 and of the watch differ: ${clocksDiffer.consequence}.`
        : isList
          ? meaning("stale-data")
          : "No threshold: a single record may be old without a fault.",
    },
    {
      name: "drift",
      label: "breaking",
      text: differing === undefined ? "–" : plural(differing, "field"),
      tone: breaking > 0 && isDriftFiring ? "critical" : tone(differing, breaking > 0),
      threshold: meaning("breaking-drift"),
    },
  ];
}
