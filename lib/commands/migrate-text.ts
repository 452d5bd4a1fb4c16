// A mapping's coverage, as people read it: what is left to decide first.
import { printable } from "../config.ts";
import type { Coverage, CoveredField, Standing } from "../migration/mapping-coverage.ts";

const words: Record<Standing, string> = {
  decided: "decided",
  unverified: "unverified",
  undecided: "UNDECIDED",
  expired: "EXPIRED",
  unowned: "NO OWNER",
};

const isOpen = ({ standing }: { standing: Standing }) =>
  standing === "undecided" || standing === "expired" || standing === "unowned";

type Line = [standing: string, name: string, decision: string, more: string];

function describe(field: CoveredField): Line {
  const to = field.to ? `${field.to.endpoint} ${field.to.path}` : printable(field.note ?? "");
  return [words[field.standing], field.path, field.decision, to];
}

export function renderCoverage(coverage: Coverage): string {
  const { counts, fields, behaviours } = coverage;
  const total = fields.length + behaviours.length;
  const decided = counts.decided + counts.unverified;
  const lines = [
    ...fields.map((field) => ({ ...field, line: describe(field) })),
    ...behaviours.map((row) => ({
      ...row,
      line: [words[row.standing], row.id, row.decision, printable(row.note ?? row.v1)] as Line,
    })),
  ].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  const open = [
    counts.undecided > 0 ? `${counts.undecided} undecided` : "",
    counts.unowned > 0 ? `${counts.unowned} dropped without an owner` : "",
    counts.expired > 0 ? `${counts.expired} dropped until a day that has passed` : "",
  ].filter((part) => part !== "");
  const unverified = counts.unverified > 0 ? ` ${counts.unverified} of them are unverified.` : "";
  return [
    `${decided} of ${total} fields and behaviours are decided.${unverified}`,
    ...(open.length > 0 ? [`Still open: ${open.join(", ")}.`] : []),
    "",
    ...align(lines.map(({ line }) => line)),
    "",
  ].join("\n");
}

function align(rows: readonly Line[]): string[] {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([standing, name, decision, more]) =>
    `  ${standing.padEnd(widths[0] ?? 0)}  ${name.padEnd(widths[1] ?? 0)}  ${decision.padEnd(widths[2] ?? 0)}  ${more}`.trimEnd(),
  );
}
