// Everything that is known, as one report: data in, data out. The time comes in with the rest, so the
// same data gives the same report.

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
import { readDriftFacts, readDriftRows } from "./sections/drift.ts";
import { coverFacts, readConsumers, readMapping, readParity, readUsage } from "./sections/migration.ts";

/** What the watch has concluded. */
export type Watched = {
  state: AssessState;
  outlook: Outlook | undefined;
  decisions: readonly Decision[];
};

/** What a team gave: mapping, inventory, comparison; and the latest proof that alerts arrive. */
export type Given = Omit<Facts, "drift" | "outlook">;

export type ReportInput = {
  facts: Given;
  /** Absent without a store. */
  watch?: (Watched & { days: HealthDays }) | undefined;
  monitor: Report["monitor"];
  fromMs: number;
  previous?: Report | undefined;
};

/** The facts of readiness, with what the watch adds to them. */
export function joinFacts(given: Given, watched: Watched | undefined): Facts {
  if (!watched) return given;
  const { state, outlook, decisions } = watched;
  return {
    ...given,
    drift: readDriftFacts(state, decisions, given.nowMs),
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
  const coverage = coverFacts(facts);
  const report: Report = cleanTexts({
    schema: "v1watch/report/1",
    generatedAt: new Date(nowMs).toISOString(),
    period: { from: dayText(fromMs), until: dayText(nowMs) },
    verdict: { verdict, sentence },
    monitor,
    blockers,
    gates,
    timeLeft: readTimeLeft(watch?.outlook, facts),
    usage: facts.consumers ? readUsage(used, coverage) : null,
    health: watch ? endpointIds.map((endpoint) => readHealth(endpoint, watch)) : [],
    incidents: watch ? readIncidents(watch.state, fromMs) : [],
    drift: watch ? readDriftRows(watch.state, watch.decisions, used, nowMs) : [],
    gaps: watch ? readGapEvidence(watch.state.evidence) : [],
    access: watch ? readAccess(watch.state) : [],
    parity: readParity(facts, used),
    mapping: readMapping(facts, coverage, used),
    consumers: facts.consumers ? readConsumers(facts.consumers, used) : null,
    changes: null,
    missing: findMissing(facts, watch !== undefined),
  } satisfies Report);
  return previous ? { ...report, changes: compareReports(previous, report) } : report;
}

function readTimeLeft(outlook: Outlook | undefined, facts: Facts): Report["timeLeft"] {
  const work = facts.consumers ? { workDays: estimateWork(facts).days } : {};
  if (!outlook) {
    const headline = "How long V1 lives is not known: nothing has been observed.";
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

function readHealth(
  endpoint: EndpointId,
  { days, state }: NonNullable<ReportInput["watch"]>,
): Report["health"][number] {
  const rows = days[endpoint];
  const sum = (read: (day: (typeof rows)[number]) => number) => rows.reduce((all, day) => all + read(day), 0);
  const answers = sum((day) => day.answers);
  const shareOf = (part: number) => (answers === 0 ? null : part / answers);
  const worst = rows.reduce<number | null>(
    (most, { p95Ms }) => (p95Ms === null ? most : Math.max(most ?? 0, p95Ms)),
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

function readIncidents({ incidents, resolved }: AssessState, fromMs: number): Report["incidents"] {
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

const accessCases = ["authenticated", "anonymous", "bad-key"] as const;

function readAccess({ access = {} }: AssessState): Report["access"] {
  return endpointIds.flatMap((endpoint) =>
    accessCases.flatMap((asked) => {
      const run = access[endpoint]?.[asked];
      if (!run) return [];
      const answer = run.answer === "ok" ? "200" : run.answer;
      return [{ endpoint, asked, answer, since: new Date(run.sinceMs).toISOString(), times: run.times }];
    }),
  );
}

function findMissing({ mapping, consumers, parity }: Facts, isWatched: boolean): Report["missing"] {
  const row = (isMissing: boolean, what: string, how: string) => (isMissing ? [{ what, how }] : []);
  return [
    ...row(!isWatched, "What V1 does", "Start `v1watch up`, or name a store with --store."),
    ...row(
      !consumers,
      "Who uses V1, and what of it",
      "Run `v1watch scan DIR… --inventory v1watch.inventory.json` over your code.",
    ),
    ...row(!mapping, "Where V1's fields go in V2", "Begin with `v1watch migrate init`."),
    ...row(!parity, "Whether V2 agrees", "Run `v1watch parity --json > parity.state.json`."),
  ];
}
