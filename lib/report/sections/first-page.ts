// The report's first page: verdict, blockers, what is not known yet, time left, and the lines that use V1. The weekly
// digest consists of the same sections.

import { isKept } from "../../mapping/plan.ts";
import type { Report, ReportGate } from "../../records/report.ts";
import { capitalise, listSome, plural } from "../../text.ts";
import { timeText } from "../../time.ts";
import {
  type Block,
  badge,
  code,
  type FirstPage,
  type Inline,
  note,
  prose,
  type Section,
  sentence,
  soft,
  type Text,
  type Tone,
  tableOf,
} from "../document.ts";
import { groupBySourceLine, planTable, rankOfStatus, type SourceLine, statusBadge } from "./migration.ts";

const verdictTones: Record<Report["verdict"]["verdict"], Tone> = {
  ready: "good",
  "not ready": "bad",
  unknown: "warning",
};

const v1Tones: Record<NonNullable<Report["v1"]>["severity"], Tone> = {
  page: "bad",
  warning: "warning",
  info: "neutral",
  ok: "good",
  unknown: "warning",
};

export function composeFirstPage(report: Report): FirstPage {
  const { api, verdict, period, blockers, gates } = report;
  const unknown = gates.filter(({ state }) => state === "unknown");
  const parts = [api.name, ...(api.address === undefined ? [] : [api.address])];
  return {
    title: `${parts.join(" · ")} · ${period.from} to ${period.until}`,
    headline: verdict.sentence,
    blocks: composeStatus(report),
    sections: [
      ...(blockers.length > 0 ? [composeBlockers(blockers)] : []),
      ...(unknown.length > 0 ? [composeUnknown(unknown, blockers.length > 0)] : []),
      composeTime(report.timeLeft, 1),
      {
        title: "What we use of V1, and where it goes in V2",
        shortTitle: "What we use of V1",
        blocks: composeUsage(report, linesLeft(blockers, unknown)),
      },
    ],
  };
}

function composeStatus({ verdict, v1, monitor, generatedAt }: Report): Block[] {
  const badgeOfVerdict = badge(verdictTones[verdict.verdict], verdict.verdict.toUpperCase());
  const warnings: Text[] = [
    ...(monitor.isHealthy
      ? []
      : [[badge("warning", "V1 is unknown:"), ` This report may be outdated: ${monitor.says}`]]),
    ...(monitor.warning === undefined ? [] : [[badge("warning", "Warning:"), ` ${monitor.warning}`]]),
  ];
  const when = v1?.at === undefined ? "V1:" : `V1 at ${timeText(v1.at, generatedAt)}:`;
  const ofV1: Inline[] = v1 ? [" · ", badge(v1Tones[v1.severity], when), ` ${v1.headline}`] : [];
  return [sentence([badgeOfVerdict, ...ofV1]), ...warnings.map((text): Block => ({ kind: "callout", text }))];
}

export const composeBlockers = (blockers: readonly ReportGate[]): Section => ({
  title: "Blockers",
  blocks: [
    {
      kind: "entries",
      entries: blockers.map(({ problem, owners, next, places: [place] }) => ({
        title: capitalise(problem),
        facts: [
          ["Owner", owners.length > 0 ? listSome(owners, 3) : soft("nobody is named")],
          ["Next step", [...prose(next), ...(place ? [" ", code(`${place.file}:${place.line}`)] : [])]],
        ],
      })),
    },
  ],
});

/** Gates that lack the same evidence are one entry. Beside blockers, their next steps can wait for the table of gates. */
export function composeUnknown(gates: readonly ReportGate[], hasBlockers: boolean): Section {
  const bySteps = [...Map.groupBy(gates, ({ next }) => next)];
  return {
    title: "Not known yet",
    blocks: [
      {
        kind: "list",
        items: bySteps.map(([next, ofStep]) => {
          const problems = [...new Set(ofStep.map(({ problem }) => problem))];
          const count = ofStep.length > 1 ? ` (${ofStep.length} gates)` : "";
          const problem = `${capitalise(problems.join("; "))}${count}.`;
          return hasBlockers ? problem : [`${problem} `, ...prose(next)];
        }),
      },
    ],
  };
}

const levelTones: Record<string, Tone> = { low: "good", elevated: "warning", unknown: "warning" };

function figureOf({ level, end, daysLeft }: Report["timeLeft"]): string {
  if (level === "retired") return "Retired";
  if (end !== undefined) return "Perhaps over";
  if (daysLeft === undefined) return "No date";
  return daysLeft < 0 ? "Passed" : plural(daysLeft, "day");
}

/** The retirement risk, with so many of its reasons. */
export function composeTime(time: Report["timeLeft"], maxReasons = time.reasons.length): Section {
  const { level, date, dateText = date, end, workDays, headline, reasons, next } = time;
  const announced = dateText ?? "V1 has announced none";
  const when =
    end === undefined ? [announced] : [end, ...(dateText === undefined ? [] : [`announced for ${dateText}`])];
  const work =
    workDays === undefined || workDays.most === 0
      ? []
      : [`${workDays.least} to ${plural(workDays.most, "day")} of work`];
  return {
    title: "How long we have",
    blocks: [
      {
        kind: "figure",
        value: figureOf(time),
        caption: [...when, ...work].join(" · "),
        blocks: [
          sentence([badge(levelTones[level] ?? "bad", `Retirement risk: ${level}`), ` · ${headline}`]),
          {
            kind: "list",
            items: [...reasons.slice(0, maxReasons).map(capitalise), ...(next === undefined ? [] : [next])],
          },
        ],
      },
    ],
  };
}

/** So many lines of code fit on the first printed page below the rest of it, and a few in any case. */
function linesLeft(blockers: readonly ReportGate[], unknown: readonly ReportGate[]): number {
  const rows = (text: string, width: number) => Math.ceil(text.length / width);
  const ofBlockers = blockers.reduce(
    (sum, { problem, next }) => sum + rows(problem, 95) + rows(next, 65) + 1,
    0,
  );
  const ofUnknown = unknown.reduce((sum, { problem, next }) => {
    return sum + rows(blockers.length > 0 ? problem : `${problem} ${next}`, 95);
  }, 0);
  return Math.max(3, 28 - ofBlockers - ofUnknown);
}

function composeUsage({ usage, plan }: Report, shown: number): Block[] {
  if (usage === null) return [sentence("Unknown: there is no inventory yet.")];
  if (usage.length === 0) return [sentence("No consumer reads a V1 field.")];
  const endpoints = new Set(usage.map(({ endpoint }) => endpoint)).size;
  const consumers = new Set(usage.flatMap((row) => row.consumers)).size;
  const scope = `${plural(usage.length, "field")} of ${plural(endpoints, "endpoint")}, in ${plural(consumers, "consumer")}.`;
  return plan ? composeLines(plan, scope, shown) : composeFields(usage, scope, shown);
}

function composeLines(plan: NonNullable<Report["plan"]>, scope: string, shown: number): Block[] {
  const lines = groupBySourceLine(plan.lines).filter(({ changes }) =>
    changes.some(({ change }) => !isKept(change)),
  );
  if (lines.length === 0) return [sentence(`${scope} No line is left to change.`)];
  const more = plan.linesToChange - Math.min(lines.length, shown);
  return [
    note(`${scope} ${plural(plan.linesToChange, "line")} to change:`),
    planTable(shortenNames(lines.slice(0, shown)), { maxChanges: 2 }),
    ...(more > 0 ? [note(`and ${plural(more, "more line")}, in the plan below.`)] : []),
  ];
}

/** `src/screens/Borrow.tsx` → `Borrow.tsx` where no other file has this name, and `passport.score` → `score`. */
function shortenNames(lines: readonly SourceLine[]): SourceLine[] {
  const nameOf = (file: string) => file.slice(file.lastIndexOf("/") + 1);
  const byName = Map.groupBy(new Set(lines.map(({ file }) => file)), nameOf);
  return lines.map((line) => ({
    ...line,
    file: byName.get(nameOf(line.file))?.length === 1 ? nameOf(line.file) : line.file,
    changes: line.changes.map((change) => ({
      ...change,
      from:
        change.kind === "read" || change.kind === "decoder"
          ? change.from.replace(/^\w+(?:\[\])?\./, "")
          : change.from,
    })),
  }));
}

function composeFields(usage: NonNullable<Report["usage"]>, scope: string, shown: number): Block[] {
  const rank = ({ target }: (typeof usage)[number]) => rankOfStatus(target?.standing ?? "undecided");
  const rows = usage.toSorted((a, b) => rank(a) - rank(b) || b.consumers.length - a.consumers.length);
  return [
    note(`${scope} Fields that need a decision come first.`),
    ...tableOf(
      [
        { title: "Endpoint", width: "tight" },
        { title: "Field" },
        { title: "Read by", width: "wide" },
        { title: "In V2", width: "wide" },
        { title: "Status", width: "tight" },
      ],
      rows.map(({ endpoint, path, consumers, target }) => [
        endpoint,
        code(path),
        listSome(consumers, 1),
        target?.to === undefined ? (target?.decision ?? "no mapping") : code(target.to),
        target ? statusBadge(target.standing) : badge("neutral", "unknown"),
      ]),
      { shown, where: "in the report's JSON" },
    ),
  ];
}
