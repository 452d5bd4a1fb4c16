// The elements of the report: tables, badges, code, charts as SVG, and numbers as text.

import { escapeHtml, html, type Markup, type MarkupPart } from "../html.ts";
import type { Report } from "../records/report.ts";
import { percent as percentOf, plural } from "../text.ts";
import { describeDuration } from "../time.ts";

export { html, type Markup, trusted } from "../html.ts";

/** For SVG: control characters are left out, because XML has no form for most of them. */
const escapeXml = (text: string) => escapeHtml(text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ""));

/** An SVG element: tag, attributes and children, which are elements or text. */
export type Drawing = [
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: (Drawing | string)[],
];

export function renderSvg(drawing: Drawing): string {
  const [tag, attributes, ...children] = drawing;
  const allAttributes = tag === "svg" ? { xmlns: "http://www.w3.org/2000/svg", ...attributes } : attributes;
  const attributeText = Object.entries(allAttributes).map(
    ([name, value]) => ` ${name}="${escapeXml(String(value))}"`,
  );
  const inner = children.map((child) => (typeof child === "string" ? escapeXml(child) : renderSvg(child)));
  return `<${tag}${attributeText.join("")}>${inner.join("")}</${tag}>`;
}

export type Column = { title: string; isNumber?: boolean; isWide?: boolean; isTight?: boolean };

/** A table that scrolls horizontally on a narrow screen and repeats its header on every printed page. */
export function table(columns: readonly Column[], rows: readonly (readonly MarkupPart[])[]): Markup {
  const classOf = ({ isNumber, isWide, isTight }: Column) =>
    isNumber ? "number" : isWide ? "wide" : isTight ? "tight" : "";
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${columns.map(({ title }) => title).join(", ")}"><table><thead><tr>${columns.map((column) => html`<th scope="col" class="${classOf(column)}">${column.title}</th>`)}</tr></thead><tbody>
${rows.map((row) => html`<tr>${row.map((cell, index) => html`<td class="${classOf(columns[index] ?? { title: "" })}">${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

export type Tone = "good" | "warning" | "bad" | "neutral";

/** A label with a shape before it, because colour alone is not accessible. */
export const badge = (tone: Tone, label: string): Markup =>
  html`<span class="badge ${tone}"><span aria-hidden="true">${shapes[tone]}</span> ${label}</span>`;

const shapes: Record<Tone, string> = { good: "●", warning: "▲", bad: "■", neutral: "○" };

/** Allows line breaks after dots and slashes and within parts of more than 32 characters. */
export const breakable = (text: string): Markup =>
  html`${(text.match(/[^./\s]{1,32}[./]?\s*|[./\s]+/gu) ?? []).map((part, index) => (index > 0 ? html`<wbr>${part}` : part))}`;

export const code = (path: string): Markup => html`<code>${breakable(path)}</code>`;

/** Renders a sentence in which commands are between backticks. */
export const prose = (sentence: string): Markup =>
  html`${sentence.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : breakable(part)))}`;

const maxLength = 600;

/** Replaces control characters, bidirectional codes and lone surrogates by U+FFFD, and limits the length. */
export function cleanText(text: string): string {
  const whole = text.slice(0, maxLength * 2).toWellFormed();
  const clean = whole.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, "\uFFFD");
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).toWellFormed()}…` : clean;
}

/** Applies `cleanText` to every string of plain data and removes undefined members. */
export function cleanTexts<T>(value: T): T {
  if (typeof value === "string") return cleanText(value) as T;
  if (Array.isArray(value)) return value.map(cleanTexts) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, cleanTexts(member)])) as T;
}

export const percent = (share: number | null) => (share === null ? "unknown" : percentOf(share));

export const milliseconds = (ms: number | null) =>
  ms === null ? "unknown" : ms < 10_000 ? `${Math.round(ms)} ms` : describeDuration(ms / 1000);

export const age = (seconds: number | null) => (seconds === null ? "unknown" : describeDuration(seconds));

/** 2026-11-15 03:40 */
export const minute = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)}`;

/** The first names and the number of the others: "a, b and 3 more". */
export function names(items: readonly string[], max = 3): string {
  const shown = items.slice(0, max).join(", ");
  return items.length > max ? `${shown} and ${items.length - max} more` : shown;
}

/** The text for an empty drift history; says "as documented" only if there was data to compare. */
export function describeNoDrift({ health }: Report): string {
  const judged = health.reduce((sum, { judged = 0 }) => sum + judged, 0);
  if (judged === 0) return "Unknown: no response contained data that could be compared.";
  const endpointsWithoutData = health
    .filter(({ judged = 0 }) => judged === 0)
    .map(({ endpoint }) => endpoint);
  const unknownPart =
    endpointsWithoutData.length > 0
      ? ` Unknown for ${endpointsWithoutData.join(", ")}: no data observed yet.`
      : "";
  return `As documented: no difference observed in ${plural(judged, "response")}.${unknownPart}`;
}
