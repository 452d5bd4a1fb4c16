// What chat services show of an alert, each in its own form: the status and the sections. `listLinks` has the links.
import type { Alert } from "../../records/alert.ts";

export const statusOf = ({ event, severity }: Alert) =>
  event === "resolved" ? "RESOLVED" : severity.toUpperCase();

export type Section = { label: string; body: string };

export function sectionsOf({ sections }: Alert): Section[] {
  return sections
    .map(({ label, lines }) => ({ label, body: lines.join("\n").trim() }))
    .filter(({ body }) => body !== "");
}
