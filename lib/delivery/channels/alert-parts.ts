// What chat services show of an alert, each in its own form: the status and the sections. `listLinks` has the links.
import type { Alert } from "../../records/alert.ts";

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
