// One verdict on V1 for the page, the terminal, the badge, the API and the report: the worst firing incident leads.

import type { Incident, Severity } from "../records/incident.ts";
import { severities } from "../records/incident.ts";
import { sinceText } from "../time.ts";
import { titleOf } from "./alerts/render-alert.ts";
import { isWide } from "./engine-state.ts";
import type { Outlook } from "./outlook.ts";
import type { AssessState } from "./state.ts";

export type Verdict = {
  headline: string;
  /** The severity of the leading incident; `ok` where none fires, `unknown` where V1 is not seen. */
  severity: Severity | "ok" | "unknown";
  /** 0 ok, 1 something fires, 2 unknown. */
  exitCode: 0 | 1 | 2;
  /** The leading incident. */
  incident?: Incident;
  /** How many fire. */
  firing: number;
  /** Not confirmed yet: seen, and too short or too seldom for an incident. */
  unconfirmed: Incident[];
  /** A few words for a badge. */
  badge: string;
};

/** The worst first: severity, then the wider one, then the older one. */
export const byWorst = (a: Incident, b: Incident): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  Number(isWide(b)) - Number(isWide(a)) ||
  (a.since < b.since ? -1 : a.since > b.since ? 1 : a.id < b.id ? -1 : 1);

export const firingIncidents = ({ incidents }: Pick<AssessState, "incidents">): Incident[] =>
  incidents.filter(({ state }) => state === "firing").sort(byWorst);

export function readVerdict(state: AssessState, outlook: Outlook, nowMs: number): Verdict {
  const firing = firingIncidents(state);
  const unconfirmed = state.incidents.filter((incident) => incident.state === "pending").sort(byWorst);
  const [leading] = firing;
  const common = { firing: firing.length, unconfirmed };
  if (leading) {
    const { lastGoodBeforeAt, firstBadAt } = leading.facts;
    const title = titleOf(leading);
    const since = sinceText(lastGoodBeforeAt, firstBadAt, new Date(nowMs).toISOString());
    const others = firing.length > 1 ? ` (and ${firing.length - 1} more)` : "";
    return {
      headline: `${title} · since ${since}${others}`,
      severity: leading.severity,
      exitCode: 1,
      incident: leading,
      badge: leading.rule,
      ...common,
    };
  }
  if (outlook.level === "unknown")
    return { headline: outlook.headline, severity: "unknown", exitCode: 2, badge: "unknown", ...common };
  const [first] = unconfirmed;
  if (first)
    return {
      headline: `V1 is up. Not confirmed yet: ${titleOf(first)}`,
      severity: "ok",
      exitCode: 0,
      badge: `risk ${outlook.level}`,
      ...common,
    };
  return {
    headline: `V1 is up. Retirement risk: ${outlook.level}.`,
    severity: "ok",
    exitCode: 0,
    badge: `risk ${outlook.level}`,
    ...common,
  };
}
