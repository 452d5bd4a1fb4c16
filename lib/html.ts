// An HTML template that escapes every inserted text; only `Markup` values are inserted as HTML.

export type Markup = { readonly markup: string };
export type MarkupPart = string | number | Markup | readonly MarkupPart[] | false | undefined;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** Control characters become spaces, because XML 1.0 has no form for most of them. */
export const escapeXml = (text: string) =>
  escapeHtml(text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, " "));

function render(part: MarkupPart): string {
  if (part === false || part === undefined) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return "markup" in part ? part.markup : part.map(render).join("");
}

export function html(texts: TemplateStringsArray, ...parts: MarkupPart[]): Markup {
  return { markup: texts.map((text, index) => text + render(parts[index])).join("") };
}

/** Only for markup that v1watch itself generated elsewhere: charts and styles. */
export const trusted = (markup: string): Markup => ({ markup });
