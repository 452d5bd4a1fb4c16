// The numbers of docs/use/runbook.md: each stands between two comments, `<!-- slowMs -->3 s<!-- -->`, and is rendered from
// the threshold of that name, or from a column of a rule: `<!-- slow.opens.run.checks -->3<!-- -->`.

import { rules } from "../../lib/assess/rules/table.ts";
import { type Thresholds, thresholds } from "../../lib/config/thresholds.ts";
import { percent, plural } from "../../lib/text.ts";
import { describeDuration } from "../../lib/time.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function textOf(name: string, value: unknown): string {
  if (typeof value !== "number") throw new Error(`there is no threshold ${name}`);
  if (name.endsWith("Ms")) {
    if (value > 2 * dayMs) return plural(value / dayMs, "day");
    return value >= dayMs ? `${value / hourMs} h` : describeDuration(value / 1_000);
  }
  return value < 1 ? percent(value) : String(value);
}

function readValue(name: string): unknown {
  const [first = "", ...columns] = name.split(".");
  const start: unknown =
    columns.length === 0 ? thresholds[first as keyof Thresholds] : rules.find(({ id }) => id === first);
  return columns.reduce<unknown>((value, column) => (value as Record<string, unknown>)?.[column], start);
}

export const renderRunbook = (text: string) =>
  text.replace(
    /<!-- ([\w.-]+) -->[^<]*<!-- -->/g,
    (_, name: string) => `<!-- ${name} -->${textOf(name, readValue(name))}<!-- -->`,
  );
