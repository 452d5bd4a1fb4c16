// Renders the report as Markdown for wikis, pull requests and email. Every text from the data is escaped. The report as
// a notification has its verdict, the blockers and a link.

import { asciiLine, boundSections } from "../assess/alerts/render-alert.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { describeLine, escapeMarkdown } from "../mapping/plan.ts";
import { describeShallow } from "../readiness/facts.ts";
import type { Alert } from "../records/alert.ts";
import type { Report } from "../records/report.ts";
import { plural } from "../text.ts";
import { age, describeNoDrift, milliseconds, minute, names, percent } from "./markup.ts";
import { decisionStatusLabels } from "./sections/first-page.ts";
import { describeParity } from "./sections/mapping.ts";
import { rehearsalLabels } from "./sections/observed.ts";

const text = escapeMarkdown;

function table(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(titles),
    line(titles.map(() => "---")),
    ...rows.map((row) => line(row.map((cell) => text(String(cell))))),
    "",
  ];
}

const heading = (title: string) => [`## ${title}`, ""];

function renderFirstPage(report: Report): string[] {
  const { verdict, v1, monitor, blockers, timeLeft, missing, period } = report;
  const { headline, reasons, workDays, workLines, next } = timeLeft;
  const lines = workLines === undefined ? "" : `${plural(workLines, "line")} to change, `;
  const work = workDays === undefined ? [] : [`${lines}about ${plural(workDays, "day")} of work left`];
  return [
    `# V1 migration readiness, ${period.from} to ${period.until}`,
    "",
    `**${verdict.verdict.toUpperCase()}.** ${text(verdict.sentence)}`,
    "",
    ...(v1 ? [`V1 now: ${text(v1.headline)}`, ""] : []),
    `${monitor.isHealthy ? "Monitor" : "**Monitor unhealthy**"}: ${text(monitor.says)}`,
    "",
    ...(monitor.warning === undefined ? [] : [`**Warning:** ${text(monitor.warning)}`, ""]),
    ...missing.map(({ what, how }) => `- Not in this report yet: ${text(what)}. ${text(how)}`),
    ...(missing.length > 0 ? [""] : []),
    ...heading("Blockers"),
    ...(blockers.length === 0 ? ["None: every gate passes."] : []),
    ...blockers.flatMap(({ title, state, evidence, owners, next: step, places: [place] }, index) => [
      `${index + 1}. **${text(title)}** (${state}): ${text(evidence.join("; "))}.`,
      `   Owner: ${owners.length > 0 ? text(names(owners)) : "none named"}. Next step: ${text(step)}${place ? ` (${text(`${place.file}:${place.line}`)})` : ""}`,
    ]),
    "",
    ...heading("How long we have"),
    text(headline),
    "",
    ...[...reasons, ...(next ? [next] : []), ...work].map((reason) => `- ${text(reason)}`),
    "",
  ];
}

function renderUsage({ usage }: Report): string[] {
  if (usage === null) return ["Unknown: there is no inventory yet.", ""];
  if (usage.length === 0) return ["No consumer reads a V1 field.", ""];
  return table(
    ["Endpoint", "Field", "Read by", "In V2", "Status"],
    usage.map(({ endpoint, path, consumers, target }) => [
      endpoint,
      path,
      names(consumers),
      target?.to ?? target?.decision ?? "no mapping",
      target ? decisionStatusLabels[target.standing] : "unknown",
    ]),
  );
}

function renderObserved(report: Report): string[] {
  const { health, incidents, drift, gaps, access } = report;
  return [
    ...heading("V1's health"),
    ...table(
      ["Endpoint", "Responses", "Availability", "Worst p95", "Newest record", "401"],
      health.map((one) => [
        one.endpoint,
        one.answers,
        percent(one.availability),
        milliseconds(one.worstP95Ms),
        age(one.newestAgeSeconds),
        percent(one.unauthorized),
      ]),
    ),
    ...incidents.map(
      ({ title, severity, since, resolvedAt }) =>
        `- ${text(title)}, ${severity}, ${minute(since)} to ${resolvedAt ? minute(resolvedAt) : "now"}`,
    ),
    ...(incidents.length > 0 ? [""] : []),
    ...heading("Drift (used fields first)"),
    ...(drift.length === 0
      ? [describeNoDrift(report), ""]
      : table(
          ["Field", "Difference", "Level", "Observed", "Read by", "Reviewed"],
          drift.map((row) => [
            row.path,
            row.what,
            row.isCurrent ? row.level : `${row.level}, past`,
            `${row.seen} of ${row.sampleCount}`,
            row.usedBy.length > 0 ? names(row.usedBy) : "none",
            row.review ? `${row.review.kind}: ${row.review.reason}` : "no",
          ]),
        )),
    ...heading("Undocumented behaviour"),
    ...table(
      ["§", "Question", "Status", "Observed"],
      gaps.map(({ section, question, status, summary }) => [section, question, status, summary]),
    ),
    ...heading("Access"),
    ...table(
      ["Endpoint", "Variant", "Response", "Since", "Checks"],
      access.map(({ endpoint, asked, answer, since, times }) => [
        endpoint,
        asked,
        answer,
        minute(since),
        times,
      ]),
    ),
  ];
}

function renderMigration({ parity, rehearsal, mapping, consumers, plan }: Report): string[] {
  const paragraph = (sentence: string) => [sentence, ""];
  return [
    ...heading("Parity"),
    ...(parity
      ? [
          `${describeParity(parity).text}: ${plural(parity.pairs, "pair")}, ${plural(parity.fields, "field")}${text(describeShallow(parity.shallow ?? []))}.`,
          "",
          ...table(
            ["Field", "Difference", "V1 vs V2", "V1 vs V1", "Used"],
            parity.differences.map(({ path, kind, rawRate, noiseRate, isUsed }) => [
              path,
              kind,
              percent(rawRate),
              percent(noiseRate),
              isUsed ? "yes" : "no",
            ]),
          ),
        ]
      : paragraph("V2's responses have not been compared with V1's yet.")),
    ...heading("Rehearsal of V1's end"),
    ...(rehearsal
      ? table(
          ["V1", "The smoke test", "Requests"],
          rehearsal.rows.map(({ does, result, requests }) => [does, rehearsalLabels[result], requests]),
        )
      : paragraph("V1's end has not been rehearsed yet.")),
    ...heading("Mapping"),
    ...(mapping
      ? [
          ...table(
            ["V1", "Used", "Decision", "V2", "Status", "Note"],
            mapping.rows.map(({ path, isUsed, decision, to, standing, note }) => [
              path,
              isUsed ? "yes" : "no",
              decision,
              to ?? "",
              decisionStatusLabels[standing],
              note ?? "",
            ]),
          ),
          ...table(
            ["Behaviour of V1", "Decision", "Status", "In V2"],
            mapping.behaviours.map(({ v1, decision, standing, becomes, note }) => [
              v1,
              decision,
              decisionStatusLabels[standing],
              becomes ?? note ?? "",
            ]),
          ),
        ]
      : paragraph("There is no mapping yet.")),
    ...heading("Consumers"),
    ...(consumers
      ? table(
          ["Consumer", "Owner", "Status", "Endpoints", "Fields", "Hazards", "Exception"],
          consumers.map((one) => [
            one.name,
            one.owners.length > 0 ? names(one.owners) : "no owner",
            one.isExcepted ? "exempted" : one.status,
            one.endpoints.join(", "),
            one.fields,
            one.hazards,
            one.exceptions.map(({ reason, expires }) => `${reason} (until ${expires})`).join("; "),
          ]),
        )
      : paragraph("Unknown: there is no inventory yet.")),
    ...heading("Plan, line by line"),
    ...(plan
      ? [
          `${plural(plan.linesToChange, "line")} to change.`,
          "",
          ...plan.lines.map(
            (line) => `- [ ] ${text(`${line.file}:${line.line}`)} ${text(describeLine(line))}`,
          ),
          "",
        ]
      : paragraph("Unknown: a plan needs an inventory and a mapping.")),
  ];
}

function renderChanges({ changes }: Report): string[] {
  if (changes === null) return ["Unknown: no earlier report was given (--previous FILE).", ""];
  const since = `Since the report of ${minute(changes.since)} UTC:`;
  if (changes.items.length === 0) return [`${since} none.`, ""];
  return [since, "", ...changes.items.map(({ tone, text: sentence }) => `- ${tone}: ${text(sentence)}`), ""];
}

export function renderMarkdown(report: Report): string {
  return [
    ...renderFirstPage(report),
    ...heading("What we use of V1"),
    ...renderUsage(report),
    ...heading("Gates"),
    ...table(
      ["Gate", "State", "Evidence", "Next"],
      report.gates.map(({ title, state, evidence, next }) => [title, state, evidence.join("; "), next]),
    ),
    ...heading("Changes since the last report"),
    ...renderChanges(report),
    ...renderObserved(report),
    ...renderMigration(report),
    `Generated by v1watch from data up to ${minute(report.generatedAt)} UTC.`,
    "",
  ].join("\n");
}

export function digestReport(report: Report, location: string): Alert {
  const { verdict, v1, blockers, period, generatedAt, timeLeft } = report;
  const line = `V1 migration: ${verdict.sentence}`;
  const reasons = blockers.map(
    ({ title, evidence, next }, index) => `${index + 1}. ${title}: ${evidence.join("; ")}. ${next}`,
  );
  return {
    schema: "v1watch/alert/3",
    id: `report-${period.until.replaceAll("-", "")}/1-digest`,
    at: generatedAt,
    event: "digest",
    severity: "info",
    rule: "digest",
    scope: "api",
    endpoints: [...endpointIds],
    subject: asciiLine(`[v1watch] ${line}`, 100),
    sections: boundSections([
      {
        label: "",
        lines: [line, ...(v1 ? [`V1 now: ${v1.headline}`] : []), timeLeft.headline],
      },
      ...(reasons.length > 0 ? [{ label: "Blockers", lines: reasons }] : []),
      { label: "Full report", lines: [location] },
    ]),
    facts: null,
    links: {},
  };
}
