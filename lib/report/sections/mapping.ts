// Where things go: parity, the mapping and the consumers.
import { plural } from "../../assess/alerts/text.ts";
import { describeShallow } from "../../readiness/facts.ts";
import type { Report } from "../../records/report.ts";
import { badge, code, html, type Markup, names, percent, table } from "../markup.ts";
import { standingBadge, standingOrder } from "./first-page.ts";

const shownRows = 120;

export function describeParity({ doubt, verdict, differences }: NonNullable<Report["parity"]>) {
  if (doubt !== undefined) return { tone: "look", words: `not known for today: ${doubt}` } as const;
  if (verdict === "parity") return { tone: "good", words: "V2 agrees with V1, noise aside" } as const;
  if (verdict === "insufficient")
    return { tone: "look", words: "there is too little evidence to say" } as const;
  const isOfShape = differences.length === 0;
  const words = isOfShape ? "V2 breaks its own shape" : "V2 differs from V1 beyond V1's own noise";
  return { tone: "bad", words } as const;
}

export function renderParity({ parity }: Report): Markup {
  if (!parity) return html`<p>V2's answers were not compared yet.</p>`;
  const { pairs, fields, differences, insufficient, skipped, shape, shallow = [] } = parity;
  const { tone, words } = describeParity(parity);
  return html`<p>${badge(tone, words)}: ${plural(pairs, "pair")}, ${plural(fields, "field")}${insufficient > 0 && html`, ${insufficient} met too seldom`}${skipped > 0 && html`, ${plural(skipped, "passport")} skipped`}${describeShallow(shallow)}.</p>
${
  differences.length > 0 &&
  table(
    [
      { title: "Field" },
      { title: "Differs in" },
      { title: "V1 to V2", isNumber: true },
      { title: "V1 to itself", isNumber: true },
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
  html`<p>V2 breaks its own shape: ${names(
    shape.map(({ breach, answers }) => `${breach} (${answers}×)`),
    6,
  )}.</p>`
}`;
}

export function renderMapping({ mapping }: Report): Markup {
  if (!mapping) return html`<p>There is no mapping yet.</p>`;
  const { rows, behaviours, decided } = mapping;
  const inOrder = rows.toSorted(
    (a, b) =>
      Number(b.isUsed) - Number(a.isUsed) ||
      standingOrder.indexOf(a.standing) - standingOrder.indexOf(b.standing),
  );
  return html`<p class="note">${decided} of ${plural(rows.length + behaviours.length, "row")} decided. What is used comes first.</p>
${table(
  [
    { title: "V1" },
    { title: "Used", isTight: true },
    { title: "Decision", isTight: true },
    { title: "V2" },
    { title: "Standing" },
    { title: "Note", isWide: true },
  ],
  inOrder.map(({ path, isUsed, decision, to, standing, note, owner }) => [
    code(path),
    isUsed ? "yes" : html`<span class="soft">no</span>`,
    decision,
    to ? code(to) : "",
    standingBadge(standing),
    [owner && `Owner: ${owner}. `, note],
  ]),
)}
<h3>Behaviours</h3>
${table(
  [
    { title: "V1", isWide: true },
    { title: "Decision", isTight: true },
    { title: "Standing" },
    { title: "In V2", isWide: true },
  ],
  behaviours.map(({ v1, decision, standing, becomes, note }) => [
    v1,
    decision,
    standingBadge(standing),
    becomes ?? note ?? "",
  ]),
)}`;
}

const statusTones = { v1: "bad", dual: "look", v2: "good" } as const;
const statusWords = { v1: "V1 alone", dual: "dual", v2: "moved" };

export function renderConsumers({ consumers }: Report): Markup {
  if (consumers === null) return html`<p>Not known: there is no inventory yet.</p>`;
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
        one.owners.length > 0 ? names(one.owners) : html`<span class="soft">nobody</span>`,
        one.isExcepted ? badge("look", "excepted") : badge(statusTones[one.status], statusWords[one.status]),
        one.endpoints.join(", "),
        one.fields,
        one.hazards,
        one.exceptions.map(({ reason, expires }) => `${reason} (until ${expires})`).join("; "),
      ]),
  )}
${more > 0 && html`<p class="note">and ${more} more, in the report's JSON.</p>`}
<p class="note">A hazard is a place where a failing V1 looks like 0, nothing or a wrong sum.</p>`;
}
