// Breaking differences from V1's document beyond the baseline: in every check, or in a share of them.
import { thresholds } from "../../config/thresholds.ts";
import type { DriftFact } from "../../records/incident.ts";
import { isGood } from "../../records/outcome.ts";
import { minuteMs } from "../../time.ts";
import { type Check, hadPlace, isLie, placeOf } from "../checks/check.ts";
import { type IncidentView, type MarkContext, type RuleFacts, row } from "./rule.ts";

const { pageAfterMs, pageChecks } = thresholds;

type Finding = NonNullable<Check["findings"]>[number];
/** The findings that the latest check that could show them showed. */
type DriftBefore = { shown?: Finding[] };

/** Differences in the data of a moment, not in its shape: confirmations a few minutes later see the same moment. */
const momentaryKinds = ["order", "filter", "pagination", "disagreement"];
const maxFindings = 24;

/** A response that was cut may hide a finding, and one without the object says nothing of it. */
const saysOf = (check: Check, finding: Finding) =>
  !check.isCut &&
  hadPlace(check, placeOf(finding.path)) &&
  (check.reason === "scheduled" || !momentaryKinds.includes(finding.kind));

/** The findings of the check itself that count. Rows that are there twice contradict the total, and are told as such. */
const findingsOf = (check: Check, { settings }: MarkContext): Finding[] =>
  (check.findings ?? []).filter(
    ({ id, kind }) =>
      !settings.isMuted(id) &&
      (check.reason === "scheduled" || !momentaryKinds.includes(kind)) &&
      !(kind === "pagination" && (check.duplicates ?? 0) > 0),
  );

/** With those that the check could not show. */
function shownBy(check: Check, before: DriftBefore, context: MarkContext): Finding[] {
  const { settings } = context;
  const own = findingsOf(check, context);
  const kept = (before.shown ?? []).filter(
    (finding) =>
      !own.some(({ id }) => id === finding.id) && !saysOf(check, finding) && !settings.isMuted(finding.id),
  );
  return [...own, ...kept].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, maxFindings);
}

const toFact = ({ id, path, kind, expected, observed, count, of }: Finding): DriftFact => ({
  id,
  path,
  kind,
  expected,
  observed,
  records: count,
  ofRecords: of,
});

const toFacts = ({ parts, endpoints }: IncidentView<Finding[]>): RuleFacts<"breaking-drift"> => {
  const rows = endpoints.flatMap((endpoint) => {
    const part = parts[endpoint];
    const latest = part?.confirmed ?? part?.recent.at(-1);
    return (latest?.value ?? []).map(toFact);
  });
  return {
    findings: rows.slice(0, maxFindings),
    findingsOmitted: rows.length > maxFindings ? rows.length - maxFindings : undefined,
  };
};

export const breakingDrift = row<DriftBefore, Finding[]>({
  id: "breaking-drift",
  severity: "page",
  mark: (check, before, context) => {
    if (!isGood(check)) return undefined;
    const shown = shownBy(check, before, context);
    if (shown.length === 0) return "good";
    // A check that could show none of them says nothing.
    const isShown = findingsOf(check, context).length > 0;
    const isTold = (before.shown ?? []).some((finding) => saysOf(check, finding));
    return isShown || isTold ? { bad: shown } : undefined;
  },
  learn: (before, check, _, context) => {
    if (isGood(check)) before.shown = shownBy(check, before, context);
  },
  opens: { run: { checks: pageChecks, forMs: pageAfterMs } },
  closes: { checks: 2, forMs: 4 * minuteMs },
  // A third of the checks at random gives eight in a row once in 6,000 times.
  harder: [{ while: "partial-drift", checks: 8, forMs: 30 * minuteMs }],
  key: (findings) => findings.map(({ id }) => id).join("; "),
  facts: toFacts,
});

type Canary = { label: string; findings: Finding[] };

/** Some checks show it, not all: a canary, or one of several servers. */
export const partialDrift = row<object, Canary>({
  id: "partial-drift",
  severity: "warning",
  inhibitedBy: ["failure", "breaking-drift"],
  looksAt: { reasons: ["scheduled"] },
  mark: (check, _, { settings }) => {
    if (isLie(check)) return { bad: { label: check.label, findings: [] } };
    if (!isGood(check)) return undefined;
    // A list that changes while it is read contradicts itself now and then: no canary.
    const findings = (check.findings ?? []).filter(
      ({ id, kind }) => !settings.isMuted(id) && !momentaryKinds.includes(kind),
    );
    if (findings.length === 0) return "good";
    return { bad: { label: "differences from the document", findings: findings.slice(0, 6) } };
  },
  opens: { share: [{ bad: 3 }] },
  closes: {},
  label: ({ label }) => label,
  facts: ({ parts, endpoints, counted: { labels } }): RuleFacts<"partial-drift"> => {
    const findings = new Map<string, DriftFact>();
    for (const endpoint of endpoints)
      for (const { value } of parts[endpoint]?.recent ?? [])
        for (const finding of value.findings) findings.set(finding.id, toFact(finding));
    return { responses: labels, findings: [...findings.values()].slice(0, maxFindings) };
  },
});
