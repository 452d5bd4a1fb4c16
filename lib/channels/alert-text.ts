// What services show of an alert, each in its own form: the status, the sections, and texts within limits. `listLinks` has the links.
import { type Alert, listLinks } from "../records/alert.ts";

export const statusOf = ({ event, severity }: Alert) =>
  event === "resolved" ? "RESOLVED" : severity.toUpperCase();

export type Section = { label: string; body: string; isCommand: boolean };

const commands: readonly string[] = ["Reproduce", "Acknowledge"];

export function sectionsOf({ sections }: Alert): Section[] {
  return sections
    .map(({ label, lines }) => ({
      label,
      body: lines.join("\n").trim(),
      isCommand: commands.includes(label),
    }))
    .filter(({ body }) => body !== "");
}

type EscapeCharacter = (character: string) => string;

/** A limit, and how the service counts: in characters unless `sizeOf` says otherwise. */
export type Limit = { max: number; sizeOf?: (text: string) => number };

/**
 * The text, each character escaped, and cut with a … where it is longer than the limit. No escape and no character outside
 * of the basic plane is cut in two.
 */
export function escapeWithin(text: string, escapeCharacter: EscapeCharacter, limit: Limit): string {
  const { max, sizeOf = ({ length }: string) => length } = limit;
  const shown = Array.from(text, escapeCharacter);
  if (sizeOf(shown.join("")) <= max) return shown.join("");
  let size = sizeOf("…");
  const end = shown.findIndex((one) => {
    size += sizeOf(one);
    return size > max;
  });
  return `${shown.slice(0, end).join("")}…`;
}

export const asItIs: EscapeCharacter = (character) => character;

/** Within a block of code only its end is markup. */
const escapeCode = (text: string) => text.replaceAll("```", "``\u200b`");

const maxSection = 1_500;

function renderMarkdownSection(
  { label, body, isCommand }: Section,
  escapeCharacter: EscapeCharacter,
): string {
  const max = maxSection;
  const heading = label === "" ? "" : `**${label}**\n`;
  if (!isCommand) return `${heading}${escapeWithin(body, escapeCharacter, { max })}`;
  return `${heading}\`\`\`\n${escapeCode(escapeWithin(body, asItIs, { max }))}\n\`\`\``;
}

/** The sections as Markdown: the first ones that fit, and a … for the others. */
export function markdownOf(alert: Alert, escapeCharacter: EscapeCharacter, max: number): string {
  const texts = sectionsOf(alert).map((section) => renderMarkdownSection(section, escapeCharacter));
  let size = 1;
  const shown = texts.filter((text) => {
    size += text.length + 2;
    return size <= max;
  });
  return [...shown, ...(shown.length < texts.length ? ["…"] : [])].join("\n\n");
}

/** The links that fit, in one line. A parenthesis would end the address of a link. */
export function markdownLinksOf(alert: Alert, max: number): string {
  const addressOf = (url: string) => url.replaceAll("(", "%28").replaceAll(")", "%29");
  return listLinks(alert)
    .map(({ button, url }) => `[${button}](${addressOf(url)})`)
    .reduce((line, link) => {
      const longer = line === "" ? link : `${line} · ${link}`;
      return longer.length <= max ? longer : line;
    }, "");
}
