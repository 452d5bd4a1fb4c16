// The sections about the migration: parity, mapping, plan and consumers.

import { api } from "../../contract/endpoints.ts";
import { standingTexts } from "../../mapping/coverage.ts";
import { kindLabels } from "../../parity/judge.ts";
import { describeShallow } from "../../readiness/facts.ts";
import type { Report } from "../../records/report.ts";
import { formatCount, listSome, plural } from "../../text.ts";
import {
  type Block,
  badge,
  code,
  type Inline,
  note,
  sentence,
  soft,
  type Text,
  type Tone,
  tableOf,
} from "../document.ts";
import { percent } from "./words.ts";

const shownRows = 120;
const inJson = "in the report's JSON";

export function describeParity({ doubt, verdict, differences }: NonNullable<Report["parity"]>): {
  tone: Tone;
  text: string;
} {
  if (doubt !== undefined) return { tone: "warning", text: `outdated: ${doubt}` };
  if (verdict === "parity") return { tone: "good", text: "V2 matches V1, excluding V1's own variance" };
  if (verdict === "insufficient") return { tone: "warning", text: "insufficient evidence" };
  const text =
    differences.length === 0
      ? "V2's responses violate its own shape"
      : "V2 differs from V1 beyond V1's own variance";
  return { tone: "bad", text };
}

const otherStandings = [
  ["unsure", "Too rare to rule out chance, and not read again:"],
  ["gone", "Seen once, and equal when read again:"],
  ["varying", "Seen as often as V1 differs from itself:"],
] as const;

export function composeParity({ parity }: Report): Block[] {
  if (!parity) return [sentence("V2's responses have not been compared with V1's yet.")];
  const { pairs, fields, differences, insufficient, skipped, shape, shallow = [], others = [] } = parity;
  const { tone, text } = describeParity(parity);
  const counts = [
    plural(pairs, "pair"),
    plural(fields, "field"),
    ...(insufficient > 0 ? [`${insufficient} with too few pairs`] : []),
    ...(skipped > 0 ? [`${plural(skipped, api.sample.nouns.one, api.sample.nouns.many)} skipped`] : []),
  ];
  const breaches = shape.map(({ breach, answers }) => `${breach} (${answers}×)`);
  const rows = differences.map(({ path, kind, rawRate, noiseRate, isUsed }) => [
    code(path),
    kindLabels[kind],
    percent(rawRate),
    percent(noiseRate),
    isUsed ? "yes" : "no",
  ]);
  return [
    sentence([badge(tone, text), `: ${counts.join(", ")}${describeShallow(shallow)}.`]),
    ...(rows.length > 0
      ? tableOf(
          [
            { title: "Field" },
            { title: "Difference" },
            { title: "V1 vs V2", width: "number" },
            { title: "V1 vs V1", width: "number" },
            { title: "Used" },
          ],
          rows,
          { shown: shownRows, where: inJson },
        )
      : []),
    ...otherStandings.flatMap(([standing, head]) => {
      const ofStanding = others.filter((one) => one.standing === standing);
      if (ofStanding.length === 0) return [];
      const items = ofStanding.map(
        ({ path, kind, raw, compared }): Text => [
          code(path),
          ` ${kindLabels[kind]}, ${formatCount(raw)} of ${formatCount(compared)}`,
        ],
      );
      return [sentence(head), { kind: "list", items } as const];
    }),
    ...(breaches.length > 0
      ? [sentence(`V2's responses violate its own shape: ${listSome(breaches, 6)}.`)]
      : []),
  ];
}

type DecisionStatus = NonNullable<NonNullable<Report["usage"]>[number]["target"]>["standing"];

/** The ones that need a decision first. */
const standingTones: Record<DecisionStatus, Tone> = {
  undecided: "bad",
  unowned: "bad",
  expired: "bad",
  unverified: "warning",
  decided: "good",
};

/** Rows that need a decision come first. */
export const rankOfStatus = (standing: DecisionStatus) => Object.keys(standingTones).indexOf(standing);

export const statusBadge = (standing: DecisionStatus): Inline =>
  badge(standingTones[standing], standingTexts[standing]);

export function composeMapping({ mapping }: Report): Block[] {
  if (!mapping) return [sentence("There is no mapping yet.")];
  const { rows, behaviours, decided } = mapping;
  const sorted = rows.toSorted(
    (a, b) => Number(b.isUsed) - Number(a.isUsed) || rankOfStatus(a.standing) - rankOfStatus(b.standing),
  );
  return [
    note(`${decided} of ${plural(rows.length + behaviours.length, "row")} decided. Used fields come first.`),
    ...tableOf(
      [
        { title: "V1" },
        { title: "Used", width: "tight" },
        { title: "Decision", width: "tight" },
        { title: "V2" },
        { title: "Status" },
        { title: "Note", width: "wide" },
      ],
      sorted.map(({ path, isUsed, decision, to, standing, note: remark = "", owner }) => [
        code(path),
        isUsed ? "yes" : soft("no"),
        decision,
        to === undefined ? "" : code(to),
        statusBadge(standing),
        owner === undefined ? remark : `Owner: ${owner}. ${remark}`,
      ]),
    ),
    { kind: "heading", title: "Behaviours" },
    ...tableOf(
      [
        { title: "V1", width: "wide" },
        { title: "Decision", width: "tight" },
        { title: "Status" },
        { title: "In V2", width: "wide" },
      ],
      behaviours.map(({ v1, decision, standing, becomes, note: remark }) => [
        v1,
        decision,
        statusBadge(standing),
        becomes ?? remark ?? "",
      ]),
    ),
  ];
}

type Plan = NonNullable<Report["plan"]>;
type PlanLine = Plan["lines"][number];

/** One source line with everything that changes in it. */
export type SourceLine = { file: string; line: number; owners: readonly string[]; changes: PlanLine[] };

export function groupBySourceLine(lines: readonly PlanLine[]): SourceLine[] {
  return [...Map.groupBy(lines, ({ file, line }) => `${file}:${line}`).values()].flatMap((changes) => {
    const [first] = changes;
    return first ? [{ file: first.file, line: first.line, owners: first.owners, changes }] : [];
  });
}

const separate = (parts: readonly Text[]): Inline[] =>
  parts.flatMap((part, index) => {
    const own = typeof part === "string" || "kind" in part ? [part] : part;
    return index === 0 ? own : ["; ", ...own];
  });

const isName = (kind: PlanLine["kind"]) => kind !== "hazard";

/** `passport.score → score.points of GET /score` */
function describeMove({ kind, from, to, request }: PlanLine): Inline[] {
  const show = (text: string) => (isName(kind) ? code(text) : text);
  if (to === null) return [show(from)];
  const source = request === undefined || kind === "call" ? "" : ` of ${request}`;
  return [show(from), " → ", show(to), source];
}

const describeDoubt = (confidence: PlanLine["confidence"]) =>
  confidence === "high" ? "" : ` (${confidence} confidence)`;

/** `src/Borrow.tsx:54 | passport.score → score.points of GET /score | rename + unwrap`, one row for each source line. */
export function planTable(
  lines: readonly SourceLine[],
  { maxChanges = Number.POSITIVE_INFINITY, only }: { maxChanges?: number; only?: "screen" } = {},
): Block {
  const rows = lines.map(({ file, line, changes }) => {
    const shown = changes.slice(0, maxChanges);
    const more = changes.length - shown.length;
    const steps = new Set(shown.map(({ change, confidence }) => `${change}${describeDoubt(confidence)}`));
    return [
      code(`${file}:${line}`),
      [...separate(shown.map(describeMove)), ...(more > 0 ? [` and ${more} more`] : [])],
      [...steps].join("; "),
    ];
  });
  return {
    kind: "table",
    columns: [{ title: "Line", width: "wide" }, { title: "V1 → V2", width: "wide" }, { title: "Change" }],
    rows,
    only,
  };
}

/** Every line on a screen; on paper one row for each file, because a plan of 500 lines has 20 pages. */
export function composePlan({ plan }: Report): Block[] {
  if (!plan) return [sentence("Unknown: a plan needs an inventory and a mapping.")];
  if (plan.lines.length === 0) return [sentence("No line is left to change.")];
  const lines = groupBySourceLine(plan.lines);
  const files = [...Map.groupBy(lines, ({ file }) => file)];
  const more = files.length - shownRows;
  const hidden = more > 0 ? `and ${plural(more, "more file")}. ` : "";
  return [
    note(
      `${plural(plan.linesToChange, "line")} to change, in ${plural(files.length, "file")}. What stays as it is has the change "keep".`,
    ),
    planTable(lines, { only: "screen" }),
    {
      kind: "table",
      columns: [
        { title: "File", width: "wide" },
        { title: "Owner", width: "wide" },
        { title: "Lines", width: "number" },
      ],
      rows: files
        .slice(0, shownRows)
        .map(([file, ofFile]) => [
          code(file),
          describeOwners([...new Set(ofFile.flatMap(({ owners }) => owners))]),
          String(ofFile.length),
        ]),
      only: "paper",
    },
    note([`${hidden}The whole plan is printed by `, code("v1watch migrate plan"), "."]),
  ];
}

const describeOwners = (owners: readonly string[]): Inline =>
  owners.length > 0 ? listSome(owners, 3) : soft("no owner");

const statuses = {
  v1: badge("bad", "V1 only"),
  dual: badge("warning", "dual-running"),
  v2: badge("good", "migrated"),
};

type ConsumerRow = NonNullable<Report["consumers"]>[number];

/** That no hazard was found says nothing about files in which none was looked for. */
const describeHazards = ({ hazards, filesReadAsText }: ConsumerRow): string =>
  filesReadAsText === 0
    ? String(hazards)
    : `${hazards}, not looked for in ${plural(filesReadAsText, "file")}`;

export function composeConsumers({ consumers }: Report): Block[] {
  if (consumers === null) return [sentence("Unknown: there is no inventory yet.")];
  if (consumers.length === 0) return [sentence("The scan found no use of V1.")];
  return [
    ...tableOf(
      [
        { title: "Consumer", width: "wide" },
        { title: "Owner", width: "wide" },
        { title: "Status" },
        { title: "Endpoints", width: "wide" },
        { title: "Fields", width: "number" },
        { title: "Hazards", width: "number" },
        { title: "Exception", width: "wide" },
      ],
      consumers.map((one) => [
        code(one.name),
        describeOwners(one.owners),
        one.isExcepted ? badge("warning", "exempted") : statuses[one.status],
        one.endpoints.join(", "),
        String(one.fields),
        describeHazards(one),
        one.exceptions.map(({ reason, expires }) => `${reason} (until ${expires})`).join("; "),
      ]),
      { shown: shownRows, where: inJson },
    ),
    note("A hazard is a line where a failing V1 looks like 0, an empty value or a wrong sum."),
    ...(consumers.some(({ filesReadAsText }) => filesReadAsText > 0)
      ? [
          note(
            "Hazards are not looked for in languages that are read as text, and such a file counts with all fields of the endpoints that it asks for.",
          ),
        ]
      : []),
  ];
}
