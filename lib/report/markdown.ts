// The report as Markdown, for wikis, pull requests and mail. Every text of the data is escaped.
import { plural } from "../assess/alerts/text.ts";
import { describeShallow } from "../readiness/facts.ts";
import type { Report } from "../records/report.ts";
import { age, milliseconds, minute, names, percent, tellNoDrift, tellSureness } from "./markup.ts";
import { standingWords } from "./sections/first-page.ts";
import { describeParity } from "./sections/mapping.ts";

/** Signs that make markup, links, tables, formulas or HTML; the colon and the dot after www make bare links. */
export const escapeMarkdown = (text: string) =>
  text
    .replace(/[\\`*_[\]<>|~&$]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/@/g, "&#64;")
    .replace(/^(\s*)([-+=#])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2");

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

function renderFirst({ verdict, monitor, blockers, timeLeft, missing, period }: Report): string[] {
  const { headline, reasons, workDays, next } = timeLeft;
  const work = workDays === undefined ? [] : [`about ${plural(workDays, "day")} of work are left`];
  return [
    `# Leaving V1, ${period.from} to ${period.until}`,
    "",
    `**${verdict.verdict.toUpperCase()}.** ${text(verdict.sentence)}`,
    "",
    `${monitor.isHealthy ? "Monitor" : "**Monitor unhealthy**"}: ${text(monitor.says)}`,
    "",
    ...missing.map(({ what, how }) => `- Not in this report yet: ${text(what)}. ${text(how)}`),
    ...(missing.length > 0 ? [""] : []),
    ...heading("What holds us"),
    ...(blockers.length === 0 ? ["Nothing: every gate passes."] : []),
    ...blockers.flatMap(({ title, state, evidence, owners, next: step, places: [place] }, index) => [
      `${index + 1}. **${text(title)}** (${state}): ${text(evidence.join("; "))}.`,
      `   Owner: ${owners.length > 0 ? text(names(owners)) : "nobody named"}. Next step: ${text(step)}${place ? ` (${text(`${place.file}:${place.line}`)})` : ""}`,
    ]),
    "",
    ...heading("How long we have"),
    `${text(headline)}${tellSureness(timeLeft)}`,
    "",
    ...[...reasons, ...(next ? [next] : []), ...work].map((reason) => `- ${text(reason)}`),
    "",
  ];
}

function renderUsage({ usage }: Report): string[] {
  if (usage === null) return ["Not known: there is no inventory of consumers yet.", ""];
  if (usage.length === 0) return ["Nothing: no consumer reads a field of V1.", ""];
  return table(
    ["Endpoint", "Field", "Read by", "In V2", "Standing"],
    usage.map(({ endpoint, path, consumers, target }) => [
      endpoint,
      path,
      names(consumers),
      target?.to ?? target?.decision ?? "no mapping",
      target ? standingWords[target.standing] : "unknown",
    ]),
  );
}

function renderWatch(report: Report): string[] {
  const { health, incidents, drift, gaps, access } = report;
  return [
    ...heading("V1's health"),
    ...table(
      ["Endpoint", "Answers", "Availability", "Worst p95", "Newest record", "401"],
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
    ...heading("Drift, by what is used"),
    ...(drift.length === 0
      ? [tellNoDrift(report), ""]
      : table(
          ["Field", "What", "Level", "Seen", "Read by", "Reviewed"],
          drift.map((row) => [
            row.path || "(body)",
            row.what,
            row.isCurrent ? row.level : `${row.level}, past`,
            `${row.seen} of ${row.sampleCount}`,
            row.usedBy.length > 0 ? names(row.usedBy) : "nobody",
            row.review ? `${row.review.kind}: ${row.review.reason}` : "no",
          ]),
        )),
    ...heading("Gap board"),
    ...table(
      ["§", "Question", "Standing", "Seen"],
      gaps.map(({ section, question, status, summary }) => [section, question, status, summary]),
    ),
    ...heading("Access"),
    ...table(
      ["Endpoint", "Asked", "Answers", "Since", "Times"],
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

function renderMoves({ parity, mapping, consumers }: Report): string[] {
  const none = (what: string) => [what, ""];
  return [
    ...heading("Parity"),
    ...(parity
      ? [
          `${describeParity(parity).words}: ${plural(parity.pairs, "pair")}, ${plural(parity.fields, "field")}${text(describeShallow(parity.shallow ?? []))}.`,
          "",
          ...table(
            ["Field", "Differs in", "V1 to V2", "V1 to itself", "Used"],
            parity.differences.map(({ path, kind, rawRate, noiseRate, isUsed }) => [
              path,
              kind,
              percent(rawRate),
              percent(noiseRate),
              isUsed ? "yes" : "no",
            ]),
          ),
        ]
      : none("V2's answers were not compared yet.")),
    ...heading("Mapping"),
    ...(mapping
      ? [
          ...table(
            ["V1", "Used", "Decision", "V2", "Standing", "Note"],
            mapping.rows.map(({ path, isUsed, decision, to, standing, note }) => [
              path,
              isUsed ? "yes" : "no",
              decision,
              to ?? "",
              standingWords[standing],
              note ?? "",
            ]),
          ),
          ...table(
            ["Behaviour of V1", "Decision", "Standing", "In V2"],
            mapping.behaviours.map(({ v1, decision, standing, becomes, note }) => [
              v1,
              decision,
              standingWords[standing],
              becomes ?? note ?? "",
            ]),
          ),
        ]
      : none("There is no mapping yet.")),
    ...heading("Consumers"),
    ...(consumers
      ? table(
          ["Consumer", "Owner", "Status", "Endpoints", "Fields", "Hazards", "Exception"],
          consumers.map((one) => [
            one.name,
            one.owners.length > 0 ? names(one.owners) : "nobody",
            one.isExcepted ? "excepted" : one.status,
            one.endpoints.join(", "),
            one.fields,
            one.hazards,
            one.exceptions.map(({ reason, expires }) => `${reason} (until ${expires})`).join("; "),
          ]),
        )
      : none("Not known: there is no inventory yet.")),
  ];
}

function renderChanges({ changes }: Report): string[] {
  if (changes === null) return ["Not known: no earlier report was given.", ""];
  const since = `Since the report of ${minute(changes.since)} UTC:`;
  if (changes.items.length === 0) return [`${since} none.`, ""];
  return [since, "", ...changes.items.map(({ tone, text: what }) => `- ${tone}: ${text(what)}`), ""];
}

export function renderMarkdown(report: Report): string {
  return [
    ...renderFirst(report),
    ...heading("What we use of V1"),
    ...renderUsage(report),
    ...heading("Gates"),
    ...table(
      ["Gate", "State", "Evidence", "Next"],
      report.gates.map(({ title, state, evidence, next }) => [title, state, evidence.join("; "), next]),
    ),
    ...heading("Changes since the last report"),
    ...renderChanges(report),
    ...renderWatch(report),
    ...renderMoves(report),
    `Made by v1watch from what was known at ${minute(report.generatedAt)} UTC.`,
    "",
  ].join("\n");
}
