// HTML in which every text is text: only what this template made itself goes in as markup.

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
