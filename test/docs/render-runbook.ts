// The numbers of docs/runbook.md: each stands between two comments, `<!-- slowMs -->3 s<!-- -->`, and is rendered from
// the threshold of that name.

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

export const renderRunbook = (text: string, limits: Thresholds = thresholds) =>
  text.replace(
    /<!-- (\w+) -->[^<]*<!-- -->/g,
    (_, name: string) => `<!-- ${name} -->${textOf(name, limits[name as keyof Thresholds])}<!-- -->`,
  );
