// The verdict of the page: the assessment's own verdict and retirement risk, with the tones of the page.
import { titleOf } from "../../assess/alerts/render-alert.ts";
import { type Outlook, readOutlook } from "../../assess/outlook.ts";
import type { AssessState } from "../../assess/state.ts";
import { readVerdict as judge } from "../../assess/verdict.ts";
import type { Tone, Verdict } from "../server/api-schemas.ts";

const levelTones: Record<Verdict["level"], Tone> = {
  unknown: "unknown",
  low: "ok",
  elevated: "ok",
  high: "warning",
  imminent: "warning",
  retired: "critical",
};

const severityTones = { page: "critical", warning: "warning", info: "warning", unknown: "unknown" } as const;

export function readVerdict(state: AssessState, known: Outlook | undefined, nowMs: number): Verdict {
  const outlook = known ?? readOutlook(state, {}, nowMs);
  const {
    headline: sentence,
    severity,
    incident,
    unconfirmed,
    badge,
    exitCode,
  } = judge(state, outlook, nowMs);
  const fault = incident ?? unconfirmed[0];
  const { level, date, dateSource, daysLeft, next } = outlook;
  const levelTone = levelTones[level];
  const calmTone = unconfirmed.length > 0 ? "warning" : levelTone;
  return {
    ...{ sentence, badge, exitCode, level, levelTone },
    tone: severity === "ok" ? calmTone : severityTones[severity],
    ...(fault && { trouble: `${titleOf(fault)}${incident ? "" : " (not confirmed yet)"}` }),
    ...(incident && { incident: incident.id }),
    headline: outlook.headline,
    ...(date !== undefined && { date }),
    ...(dateSource !== undefined && { dateSource }),
    ...(daysLeft !== undefined && { daysLeft }),
    reasons: outlook.reasons,
    ...(next && { next: next.text }),
  };
}
