// HTML in which every text is text: only what this template made itself goes in as markup.
import { describeDuration, plural } from "../assess/alerts/text.ts";
import { percent as percentOf } from "../readiness/facts.ts";
import type { Report } from "../records/report.ts";

export type Markup = { readonly markup: string };
type Part = string | number | Markup | readonly Part[] | false | undefined;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

function render(part: Part): string {
  if (part === false || part === undefined) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return "markup" in part ? part.markup : part.map(render).join("");
}

export function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return { markup: texts.map((text, index) => text + render(parts[index])).join("") };
}

/** Only for markup of our own that was written elsewhere: the charts, the style. */
export const trusted = (markup: string): Markup => ({ markup });

export type Column = { title: string; isNumber?: boolean; isWide?: boolean; isTight?: boolean };

/** A table that scrolls by itself on a narrow screen and repeats its head on paper. */
export function table(columns: readonly Column[], rows: readonly (readonly Part[])[]): Markup {
  const classOf = ({ isNumber, isWide, isTight }: Column) =>
    isNumber ? "number" : isWide ? "wide" : isTight ? "tight" : "";
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${columns.map(({ title }) => title).join(", ")}"><table><thead><tr>${columns.map((column) => html`<th scope="col" class="${classOf(column)}">${column.title}</th>`)}</tr></thead><tbody>
${rows.map((row) => html`<tr>${row.map((cell, index) => html`<td class="${classOf(columns[index] ?? { title: "" })}">${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

export type Tone = "good" | "look" | "bad" | "quiet";

/** A word with a shape before it: colour never speaks alone. */
export const badge = (tone: Tone, word: string): Markup =>
  html`<span class="badge ${tone}"><span aria-hidden="true">${shapes[tone]}</span> ${word}</span>`;

const shapes: Record<Tone, string> = { good: "●", look: "▲", bad: "■", quiet: "○" };

/** Paths break after a dot or a slash, and what has neither before it is wider than its column. */
export const breakable = (text: string): Markup =>
  html`${(text.match(/[^./\s]{1,32}[./]?\s*|[./\s]+/gu) ?? []).map((part, index) => (index > 0 ? html`<wbr>${part}` : part))}`;

export const code = (path: string): Markup => html`<code>${breakable(path)}</code>`;

/** Our own sentences hold commands between backticks. */
export const prose = (sentence: string): Markup =>
  html`${sentence.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : breakable(part)))}`;

// A stranger's text, made harmless before it is kept; numbers as people read them.
const maxLength = 600;

/** Control and direction codes and lone surrogates become a visible mark; the rest stays as it is. */
export function cleanText(text: string): string {
  const whole = text.slice(0, maxLength * 2).toWellFormed();
  const clean = whole.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, "\uFFFD");
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).toWellFormed()}…` : clean;
}

/** Every text of plain data; undefined members vanish, as in JSON. */
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

/** The first few names, and how many more. */
export function names(all: readonly string[], most = 3): string {
  const shown = all.slice(0, most).join(", ");
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}

/** With its space before it. A young calm is no contradiction: it is early. */
export function tellSureness({ level, confidence }: Report["timeLeft"]): string {
  if (level === "unknown") return "";
  const share = Math.round(100 * confidence);
  if (level !== "calm" || share >= 50) return ` Confidence ${share} %.`;
  return ` It is too early to be sure of that${share > 0 ? ` (confidence ${share} %)` : ""}.`;
}

/** Where the ledger of drift is empty: as documented only where there was data to compare. */
export function tellNoDrift({ health }: Report): string {
  const judged = health.reduce((sum, { judged = 0 }) => sum + judged, 0);
  if (judged === 0) return "Not known: no answer of these days brought data that could be compared.";
  const unseen = health.filter(({ judged = 0 }) => judged === 0).map(({ endpoint }) => endpoint);
  const rest = unseen.length > 0 ? ` Not known of ${unseen.join(", ")}: no data was seen there yet.` : "";
  return `As documented: no difference was ever seen in ${plural(judged, "answer")}.${rest}`;
}
