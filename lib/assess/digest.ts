// What was learned in a day about what the document does not say, and about what was different from the
// start. One message the day after; it never pages.
import type { Alert } from "../records/alert.ts";
import { renderDigest } from "./alerts.ts";
import { dayMs, dayText } from "./phrases.ts";
import type { AssessState } from "./state.ts";

export function learnedLines(state: AssessState, day: string): string[] {
  const findings = Object.values(state.drift.rows)
    .filter(({ firstSeen, isChange }) => firstSeen.startsWith(day) && !isChange)
    .map(({ finding: { level, path, kind, expected, observed } }) => {
      const how = kind === "retyped" || kind === "format" ? `${expected} is ${observed}` : kind;
      return `${level}: ${path} ${how}; so since the first look, and not a change`;
    });
  const answers = Object.entries(state.evidence).flatMap(([gap, subjects]) =>
    Object.entries(subjects).flatMap(([subject, { answers }]) =>
      Object.entries(answers)
        .filter(([, { first }]) => first.startsWith(day))
        .map(([answer]) => `gap ${gap}: ${subject}: ${answer}`),
    ),
  );
  return [...findings.sort(), ...answers.sort()];
}

/** About yesterday, because today is not over. */
export function learnedOn(state: AssessState, nowMs: number): Alert[] {
  const day = dayText(nowMs - dayMs);
  const lines = learnedLines(state, day);
  return lines.length > 0 ? [renderDigest(day, lines, new Date(nowMs).toISOString())] : [];
}
