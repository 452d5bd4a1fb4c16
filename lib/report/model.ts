// Judges the team's facts with the monitor's data, and builds the report of them. The instant is part of the input, and ages are
// whole days, so that the same input gives the same report all day (UTC).

import { countJudged } from "../assess/drift-history.ts";
import { readGapEvidence } from "../assess/gap-evidence.ts";
import { type End, isWhole, type Outlook, readEnds } from "../assess/outlook.ts";
import type { AssessState } from "../assess/state.ts";
import { evidenceOf, titleOf } from "../assess/text/render-alert.ts";
import { firingIncidents, readVerdict, type Schedule, severityOf, type Verdict } from "../assess/verdict.ts";
import { api, type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Facts } from "../readiness/facts.ts";
import { findUsedFields } from "../readiness/gates/usage.ts";
import { estimateWork } from "../readiness/gates/watch.ts";
import { judgeReadiness, type Readiness } from "../readiness/readiness.ts";
import { type Decision, endOf } from "../records/incident.ts";
import type { Report } from "../records/report.ts";
import { formatCount } from "../text.ts";
import { dayMs, dayText, momentText } from "../time.ts";
import { withoutControls } from "./document.ts";
import type { HealthDays } from "./health-days.ts";
import { compareReports } from "./model/changes.ts";
import { buildDriftFacts, buildDriftRows } from "./model/drift.ts";
import {
  buildConsumerRows,
  buildMappingSection,
  buildParitySection,
  buildPlanSection,
  buildUsageRows,
  computeFactsCoverage,
} from "./model/migration.ts";

/** The assessment state of the monitor. */
export type MonitorData = {
  state: AssessState;
  outlook: Outlook | undefined;
  schedule: Schedule;
  decisions: readonly Decision[];
};

/** Facts from the team's mapping, inventory and comparison, and the latest delivered alert. */
export type TeamFacts = Omit<Facts, "drift" | "outlook">;

/** What the gates are judged by. */
export type JudgedInput = {
  facts: TeamFacts;
  /** Absent without a store. */
  watch?: Omit<MonitorData, "schedule"> | undefined;
  /** V1's base URL, where one is configured. */
  address: string | undefined;
};

export type ReportInput = JudgedInput & {
  watch?: (MonitorData & { days: HealthDays }) | undefined;
  monitor: Report["monitor"];
  /** The first day that was watched, or that the report is about. */
  fromMs: number;
  previous?: Report | undefined;
};

/** Adds drift and retirement risk from the monitor to the team's facts. */
function joinFacts(teamFacts: TeamFacts, monitorData: JudgedInput["watch"]): Facts {
  if (!monitorData) return teamFacts;
  const { state, outlook, decisions } = monitorData;
  return {
    ...teamFacts,
    drift: buildDriftFacts(state, decisions, teamFacts.nowMs),
    outlook: outlook
      ? {
          level: outlook.level,
          date: outlook.dateText,
          daysLeft: outlook.daysLeft,
          ends: readEnds(state),
        }
      : undefined,
  };
}

/** The one computation of `ready`, of the report and of the dashboard. */
export function judgeInput({ facts: teamFacts, watch, address }: JudgedInput): {
  facts: Facts;
  readiness: Readiness;
} {
  const facts = joinFacts({ ...teamFacts, address }, watch);
  return { facts, readiness: judgeReadiness(facts) };
}

/** When the latest of what the report is made of was recorded, and no earlier than today. */
function findRecordedMs(watch: MonitorData | undefined, nowMs: number): number {
  const recorded = watch ? [watch.state.lastAt ?? "", ...watch.decisions.map(({ at }) => at)] : [];
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  return Math.max(todayMs, ...recorded.map((at) => Date.parse(at)).filter((ms) => ms <= nowMs));
}

export function buildReport(input: ReportInput): Report {
  const { watch, monitor, fromMs, previous } = input;
  const { facts, readiness } = judgeInput(input);
  const { verdict, sentence, gates, blockers } = readiness;
  const { nowMs } = facts;
  const generatedAt = new Date(findRecordedMs(watch, nowMs)).toISOString();
  const used = facts.consumers ? findUsedFields(facts.consumers) : [];
  const coverage = computeFactsCoverage(facts);
  const report: Report = cleanTexts({
    schema: "v1watch/report/1",
    generatedAt,
    api: { name: api.title, address: input.address },
    period: { from: dayText(fromMs), until: dayText(nowMs) },
    verdict: { verdict, sentence },
    v1: watch ? readV1(watch, monitor, nowMs) : undefined,
    monitor,
    blockers,
    gates,
    timeLeft: buildTimeLeft(
      watch?.outlook,
      facts.outlook?.ends ?? [],
      facts.consumers && estimateWork(facts),
    ),
    plan: buildPlanSection(facts),
    usage: facts.consumers ? buildUsageRows(used, coverage) : null,
    health: watch ? endpointIds.map((endpoint) => summarizeHealth(endpoint, watch)) : [],
    incidents: watch ? buildIncidentRows(watch.state, fromMs, generatedAt) : [],
    drift: watch ? buildDriftRows(watch.state, watch.decisions, used, nowMs) : [],
    gaps: watch ? readGapEvidence(watch.state.evidence) : [],
    access: watch ? buildAccessRows(watch.state) : [],
    parity: buildParitySection(facts, used),
    rehearsal: facts.rehearsal,
    mapping: buildMappingSection(facts, coverage, used),
    consumers: facts.consumers ? buildConsumerRows(facts.consumers, used) : null,
    changes: null,
  } satisfies Report);
  return previous ? { ...report, changes: compareReports(previous, report) } : report;
}

/** Of the instant of the latest check: a report is read later, and says when it was so. */
function readV1(
  watch: MonitorData,
  { isHealthy, says }: Report["monitor"],
  nowMs: number,
): NonNullable<Report["v1"]> {
  const verdict = readVerdict({ ...watch, nowMs });
  const at = verdict.checkedMs === undefined ? undefined : new Date(verdict.checkedMs).toISOString();
  if (!isHealthy) return { headline: `Unknown: ${says}`, severity: "unknown", at };
  return { headline: verdict.steady, severity: severityOf(verdict), at };
}

/** Whether what is known of V1 is of now. */
export function describeMonitor(
  verdict: Verdict,
  { observations, firstAt = "", lastAt = "" }: AssessState,
): Pick<Report["monitor"], "isHealthy" | "says"> {
  if (verdict.kind === "unknown") return { isHealthy: false, says: `${verdict.reason}.` };
  const says = `${formatCount(observations)} observations since ${firstAt.slice(0, 10)}, the last at ${momentText(lastAt)}`;
  return { isHealthy: true, says };
}

/** `work` is what is left to do, where it is known. */
export function buildTimeLeft(
  outlook: Outlook | undefined,
  ends: readonly End[],
  work?: ReturnType<typeof estimateWork>,
): Report["timeLeft"] {
  if (!outlook) {
    const headline = "V1's remaining time is unknown: nothing has been observed yet.";
    return { level: "unknown", headline, reasons: [], workLines: work?.lines, workDays: work?.days };
  }
  const { level, headline, date, dateText, daysLeft, reasons, next } = outlook;
  const end = ends.find(isWhole);
  return {
    level,
    headline,
    reasons,
    workLines: work?.lines,
    workDays: work?.days,
    date,
    dateText,
    // Whatever was announced: it is over.
    daysLeft: end ? undefined : daysLeft,
    end: end?.text,
    next: next?.text,
  };
}

function summarizeHealth(
  endpoint: EndpointId,
  { days, state }: NonNullable<ReportInput["watch"]>,
): Report["health"][number] {
  const rows = days[endpoint];
  const sum = (read: (day: (typeof rows)[number]) => number) => rows.reduce((all, day) => all + read(day), 0);
  const answers = sum((day) => day.answers);
  const shareOf = (part: number) => (answers === 0 ? null : part / answers);
  const worst = rows.reduce<number | null>(
    (max, { p95Ms }) => (p95Ms === null ? max : Math.max(max ?? 0, p95Ms)),
    null,
  );
  return {
    endpoint,
    answers,
    judged: countJudged(state.drift, endpoint),
    availability: shareOf(sum((day) => day.ok)),
    unauthorized: shareOf(sum((day) => day.unauthorized)),
    worstP95Ms: worst,
    newestAgeSeconds: rows.at(-1)?.newestAgeSeconds ?? null,
    days: rows,
  };
}

/** What fires, then what ended since, the latest first. */
export function buildIncidentRows(state: AssessState, fromMs: number, at: string): Report["incidents"] {
  const resolved = state.resolved.filter((incident) => Date.parse(endOf(incident) ?? "") >= fromMs);
  return [...firingIncidents(state), ...resolved.toSorted((a, b) => (a.since < b.since ? 1 : -1))].map(
    (incident) => {
      const end = endOf(incident);
      const { id, severity, since } = incident;
      return {
        id,
        severity,
        since,
        title: titleOf(incident),
        state: incident.state === "firing" ? ("firing" as const) : ("resolved" as const),
        resolvedAt: end,
        evidence: evidenceOf(incident, at),
      };
    },
  );
}

const accessVariants = ["authenticated", "anonymous", "bad-key"] as const;

/** The last checks in a row with the same response, by endpoint and variant. */
function buildAccessRows({ history }: AssessState): Report["access"] {
  return endpointIds.flatMap((endpoint) =>
    accessVariants.flatMap((asked) => {
      const last = history.endpoints[endpoint]?.latest[asked];
      if (!last) return [];
      const answer = last.label === "ok" ? "200" : last.label;
      return [{ endpoint, asked, answer, since: new Date(last.sinceMs).toISOString(), times: last.times }];
    }),
  );
}

const maxLength = 600;

/** Replaces control characters, bidirectional codes and lone surrogates by U+FFFD, and limits the length. */
export function cleanText(text: string): string {
  const whole = text.slice(0, maxLength * 2).toWellFormed();
  const clean = withoutControls(whole);
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).toWellFormed()}…` : clean;
}

/** Applies `cleanText` to every string of plain data and removes undefined members. */
function cleanTexts<T>(value: T): T {
  if (typeof value === "string") return cleanText(value) as T;
  if (Array.isArray(value)) return value.map(cleanTexts) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, cleanTexts(member)])) as T;
}
