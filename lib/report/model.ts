// Builds the report from facts and monitor data. The current time is part of the input, so the same input
// always gives the same report.

import { causeWords } from "../assess/alerts/cause-texts.ts";
import { dayText } from "../assess/date-text.ts";
import { countJudged } from "../assess/drift-history.ts";
import { readGapEvidence } from "../assess/gap-evidence.ts";
import { endOf } from "../assess/incidents.ts";
import type { Outlook } from "../assess/outlook/outlook.ts";
import type { AssessState } from "../assess/state.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Facts } from "../readiness/facts.ts";
import { findUsedFields } from "../readiness/gates/usage.ts";
import { estimateWork } from "../readiness/gates/watch.ts";
import { judgeReadiness } from "../readiness/readiness.ts";
import type { Decision } from "../records/incident.ts";
import type { Report } from "../records/report.ts";
import type { HealthDays } from "./health-days.ts";
import { cleanTexts } from "./markup.ts";
import { compareReports } from "./sections/changes.ts";
import { buildDriftFacts, buildDriftRows } from "./sections/drift.ts";
import {
  buildConsumerRows,
  buildMappingSection,
  buildParitySection,
  buildUsageRows,
  computeFactsCoverage,
} from "./sections/migration.ts";

/** The assessment state of the monitor. */
export type MonitorData = {
  state: AssessState;
  outlook: Outlook | undefined;
  decisions: readonly Decision[];
};

/** Facts from the team's mapping, inventory and comparison, and the latest delivered alert. */
export type TeamFacts = Omit<Facts, "drift" | "outlook">;

export type ReportInput = {
  facts: TeamFacts;
  /** Absent without a store. */
  watch?: (MonitorData & { days: HealthDays }) | undefined;
  monitor: Report["monitor"];
  fromMs: number;
  previous?: Report | undefined;
};

/** Adds drift and retirement risk from the monitor to the team's facts. */
export function joinFacts(teamFacts: TeamFacts, monitorData: MonitorData | undefined): Facts {
  if (!monitorData) return teamFacts;
  const { state, outlook, decisions } = monitorData;
  return {
    ...teamFacts,
    drift: buildDriftFacts(state, decisions, teamFacts.nowMs),
    ...(outlook && {
      outlook: { level: outlook.level, date: outlook.date, daysLeft: outlook.daysLeft },
    }),
  };
}

export function buildReport(input: ReportInput): Report {
  const { watch, monitor, fromMs, previous } = input;
  const facts = joinFacts(input.facts, watch);
  const { nowMs } = facts;
  const { verdict, sentence, gates, blockers } = judgeReadiness(facts);
  const used = facts.consumers ? findUsedFields(facts.consumers) : [];
  const coverage = computeFactsCoverage(facts);
  const report: Report = cleanTexts({
    schema: "v1watch/report/1",
    generatedAt: new Date(nowMs).toISOString(),
    period: { from: dayText(fromMs), until: dayText(nowMs) },
    verdict: { verdict, sentence },
    monitor,
    blockers,
    gates,
    timeLeft: buildTimeLeft(watch?.outlook, facts),
    usage: facts.consumers ? buildUsageRows(used, coverage) : null,
    health: watch ? endpointIds.map((endpoint) => summarizeHealth(endpoint, watch)) : [],
    incidents: watch ? buildIncidentRows(watch.state, fromMs) : [],
    drift: watch ? buildDriftRows(watch.state, watch.decisions, used, nowMs) : [],
    gaps: watch ? readGapEvidence(watch.state.evidence) : [],
    access: watch ? buildAccessRows(watch.state) : [],
    parity: buildParitySection(facts, used),
    mapping: buildMappingSection(facts, coverage, used),
    consumers: facts.consumers ? buildConsumerRows(facts.consumers, used) : null,
    changes: null,
    missing: findMissing(facts, watch !== undefined),
  } satisfies Report);
  return previous ? { ...report, changes: compareReports(previous, report) } : report;
}

function buildTimeLeft(outlook: Outlook | undefined, facts: Facts): Report["timeLeft"] {
  const work = facts.consumers ? { workDays: estimateWork(facts).days } : {};
  if (!outlook) {
    const headline = "V1's remaining time is unknown: nothing has been observed yet.";
    return { level: "unknown", headline, confidence: 0, reasons: [], ...work };
  }
  const { level, headline, date, daysLeft, confidence, reasons, next } = outlook;
  return {
    ...{ level, headline, confidence, reasons, ...work },
    ...(date !== undefined && { date }),
    ...(daysLeft !== undefined && { daysLeft }),
    ...(next && { next: next.text }),
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
    newestAgeSeconds: rows.findLast((day) => day.newestAgeSeconds !== null)?.newestAgeSeconds ?? null,
    days: rows,
  };
}

function buildIncidentRows({ incidents, resolved }: AssessState, fromMs: number): Report["incidents"] {
  return [...Object.values(incidents).map(({ incident }) => incident), ...resolved]
    .map((incident) => ({ incident, end: endOf(incident) }))
    .filter(({ incident, end }) => incident.state === "open" || Date.parse(end ?? "") >= fromMs)
    .map(({ incident, end }) => ({
      id: incident.id,
      title: causeWords[incident.cause].title(incident),
      severity: incident.severity,
      state: incident.state === "open" ? ("open" as const) : ("resolved" as const),
      since: incident.since,
      ...(end !== undefined && { resolvedAt: end }),
      evidence: incident.evidence,
    }))
    .sort(
      (a, b) =>
        Number(b.state === "open") - Number(a.state === "open") ||
        (a.since < b.since ? 1 : a.since > b.since ? -1 : a.id < b.id ? -1 : 1),
    );
}

const accessVariants = ["authenticated", "anonymous", "bad-key"] as const;

function buildAccessRows({ access = {} }: AssessState): Report["access"] {
  return endpointIds.flatMap((endpoint) =>
    accessVariants.flatMap((asked) => {
      const streak = access[endpoint]?.[asked];
      if (!streak) return [];
      const answer = streak.answer === "ok" ? "200" : streak.answer;
      return [
        { endpoint, asked, answer, since: new Date(streak.sinceMs).toISOString(), times: streak.times },
      ];
    }),
  );
}

function findMissing({ mapping, consumers, parity }: Facts, hasMonitorData: boolean): Report["missing"] {
  const row = (isMissing: boolean, what: string, how: string) => (isMissing ? [{ what, how }] : []);
  return [
    ...row(!hasMonitorData, "V1's health and drift", "Start `v1watch up`, or name a store with --store."),
    ...row(
      !consumers,
      "Consumers of V1",
      "Run `v1watch scan DIR… --inventory v1watch.inventory.json` over your code.",
    ),
    ...row(!mapping, "Mapping of V1's fields to V2", "Run `v1watch migrate init`."),
    ...row(!parity, "Comparison of V2 with V1", "Run `v1watch parity --json > parity.state.json`."),
  ];
}
