// The parity, mapping, plan and consumers sections.

import { describeShallow } from "../../readiness/facts.ts";
import type { Report } from "../../records/report.ts";
import { plural } from "../../text.ts";
import { badge, code, html, type Markup, names, percent, table } from "../markup.ts";
import { decisionStatusBadge, decisionStatusOrder, planHeadline, renderPlanLines } from "./first-page.ts";

const shownRows = 120;

export function describeParity({
  doubt: outdatedReason,
  verdict,
  differences,
}: NonNullable<Report["parity"]>) {
  if (outdatedReason !== undefined) return { tone: "warning", text: `outdated: ${outdatedReason}` } as const;
  if (verdict === "parity")
    return { tone: "good", text: "V2 matches V1, excluding V1's own variance" } as const;
  if (verdict === "insufficient") return { tone: "warning", text: "insufficient evidence" } as const;
  const hasShapeOnly = differences.length === 0;
  const text = hasShapeOnly
    ? "V2's responses violate its own shape"
    : "V2 differs from V1 beyond V1's own variance";
  return { tone: "bad", text } as const;
}

export function renderParity({ parity }: Report): Markup {
  if (!parity) return html`<p>V2's responses have not been compared with V1's yet.</p>`;
  const { pairs, fields, differences, insufficient, skipped, shape, shallow = [] } = parity;
  const { tone, text } = describeParity(parity);
  return html`<p>${badge(tone, text)}: ${plural(pairs, "pair")}, ${plural(fields, "field")}${insufficient > 0 && html`, ${insufficient} with too few pairs`}${skipped > 0 && html`, ${plural(skipped, "passport")} skipped`}${describeShallow(shallow)}.</p>
${
  differences.length > 0 &&
  table(
    [
      { title: "Field" },
      { title: "Difference" },
      { title: "V1 vs V2", isNumber: true },
      { title: "V1 vs V1", isNumber: true },
      { title: "Used" },
    ],
    differences
      .slice(0, shownRows)
      .map(({ path, kind, rawRate, noiseRate, isUsed }) => [
        code(path),
        kind,
        percent(rawRate),
        percent(noiseRate),
        isUsed ? "yes" : "no",
      ]),
  )
}
${
  shape.length > 0 &&
  html`<p>V2's responses violate its own shape: ${names(
    shape.map(({ breach, answers }) => `${breach} (${answers}×)`),
    6,
  )}.</p>`
}`;
}

export function renderMapping({ mapping }: Report): Markup {
  if (!mapping) return html`<p>There is no mapping yet.</p>`;
  const { rows, behaviours, decided } = mapping;
  const sortedRows = rows.toSorted(
    (a, b) =>
      Number(b.isUsed) - Number(a.isUsed) ||
      decisionStatusOrder.indexOf(a.standing) - decisionStatusOrder.indexOf(b.standing),
  );
  return html`<p class="note">${decided} of ${plural(rows.length + behaviours.length, "row")} decided. Used fields come first.</p>
${table(
  [
    { title: "V1" },
    { title: "Used", isTight: true },
    { title: "Decision", isTight: true },
    { title: "V2" },
    { title: "Status" },
    { title: "Note", isWide: true },
  ],
  sortedRows.map(({ path, isUsed, decision, to, standing, note, owner }) => [
    code(path),
    isUsed ? "yes" : html`<span class="soft">no</span>`,
    decision,
    to ? code(to) : "",
    decisionStatusBadge(standing),
    [owner && `Owner: ${owner}. `, note],
  ]),
)}
<h3>Behaviours</h3>
${table(
  [
    { title: "V1", isWide: true },
    { title: "Decision", isTight: true },
    { title: "Status" },
    { title: "In V2", isWide: true },
  ],
  behaviours.map(({ v1, decision, standing, becomes, note }) => [
    v1,
    decision,
    decisionStatusBadge(standing),
    becomes ?? note ?? "",
  ]),
)}`;
}

/** Every line on a screen; on paper one row for each file, because a plan of 500 lines has 20 pages. */
export function renderPlan({ plan }: Report): Markup {
  if (!plan) return html`<p>Unknown: a plan needs an inventory and a mapping.</p>`;
  if (plan.lines.length === 0) return html`<p>${planHeadline(plan)}</p>`;
  const files = [...Map.groupBy(plan.lines, ({ file }) => file)];
  const more = files.length - shownRows;
  return html`<p class="note">${planHeadline(plan)}</p>
<div class="on-screen">${renderPlanLines(plan.lines)}</div>
<div class="printed">${table(
    [
      { title: "File", isWide: true },
      { title: "Owner", isWide: true },
      { title: "Lines", isNumber: true },
      { title: "Changes", isNumber: true },
    ],
    files.slice(0, shownRows).map(([file, lines]) => {
      const owners = [...new Set(lines.flatMap((line) => line.owners))];
      return [
        code(file),
        owners.length > 0 ? names(owners) : html`<span class="soft">no owner</span>`,
        new Set(lines.map(({ line }) => line)).size,
        lines.length,
      ];
    }),
  )}
<p class="note">${more > 0 && `and ${plural(more, "more file")}. `}Every line is in the report on a screen, in its JSON and in <code>v1watch migrate plan</code>.</p></div>`;
}

const statusTones = { v1: "bad", dual: "warning", v2: "good" } as const;
const statusLabels = { v1: "V1 only", dual: "dual-running", v2: "migrated" };

export function renderConsumers({ consumers }: Report): Markup {
  if (consumers === null) return html`<p>Unknown: there is no inventory yet.</p>`;
  if (consumers.length === 0) return html`<p>The scan found no use of V1.</p>`;
  const more = consumers.length - shownRows;
  return html`${table(
    [
      { title: "Consumer", isWide: true },
      { title: "Owner", isWide: true },
      { title: "Status" },
      { title: "Endpoints", isWide: true },
      { title: "Fields", isNumber: true },
      { title: "Hazards", isNumber: true },
      { title: "Exception", isWide: true },
    ],
    consumers
      .slice(0, shownRows)
      .map((one) => [
        code(one.places[0] ? `${one.name}:${one.places[0].line}` : one.name),
        one.owners.length > 0 ? names(one.owners) : html`<span class="soft">no owner</span>`,
        one.isExcepted
          ? badge("warning", "exempted")
          : badge(statusTones[one.status], statusLabels[one.status]),
        one.endpoints.join(", "),
        one.fields,
        one.hazards,
        one.exceptions.map(({ reason, expires }) => `${reason} (until ${expires})`).join("; "),
      ]),
  )}
${more > 0 && html`<p class="note">and ${more} more, in the report's JSON.</p>`}
<p class="note">A hazard is a line where a failing V1 looks like 0, an empty value or a wrong sum.</p>`;
}
