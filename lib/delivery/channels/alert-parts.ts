// What chat services show of an alert, each in its own form: the status, the sections of the text and the links.
import type { Alert } from "../../records/alert.ts";

export const statusOf = ({ event, severity }: Alert) =>
  event === "resolved" ? "RESOLVED" : severity.toUpperCase();

/** "Page" and "Runbook", as far as they are configured. */
export const linksOf = ({ links }: Alert): { label: string; url: string }[] =>
  [
    { label: "Page", url: links.page },
    { label: "Runbook", url: links.runbook },
  ].flatMap(({ label, url }) => (url ? [{ label, url }] : []));

export type Section = { label: string; body: string };

/**
 * The text without its links: sentences, which have no label, then rows such as "Impact      …" whose further lines are
 * indented.
 */
export function sectionsOf({ text }: Alert): Section[] {
  const sections: Section[] = [{ label: "", body: "" }];
  for (const line of text.trimEnd().split("\n")) {
    const [, label, body] = /^([A-Z][a-z]+(?: [a-z]+)?) {2,}(.*)$/.exec(line) ?? [];
    if (label !== undefined) sections.push({ label, body: body ?? "" });
    else sections.at(-1)!.body += `\n${line.replace(/^ {12}/, "")}`;
  }
  return sections
    .map(({ label, body }) => ({ label, body: body.trim() }))
    .filter(({ label, body }) => body !== "" && label !== "Runbook" && label !== "Page");
}
