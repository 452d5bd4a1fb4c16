// What chat services show of an alert, each in its own form: the status, the sections and the links.
import type { Alert } from "../../records/alert.ts";

export const statusOf = ({ event, severity }: Alert) =>
  event === "resolved" ? "RESOLVED" : severity.toUpperCase();

/** The incident and its runbook, as far as they are configured. */
export const linksOf = ({ links }: Alert): { label: string; url: string }[] =>
  [
    { label: "Open incident", url: links.page },
    { label: "Runbook", url: links.runbook },
  ].flatMap(({ label, url }) => (url ? [{ label, url }] : []));

export type Section = { label: string; body: string };

export function sectionsOf({ sections }: Alert): Section[] {
  return sections
    .map(({ label, lines }) => ({ label, body: lines.join("\n").trim() }))
    .filter(({ body }) => body !== "");
}
