// V1's undocumented behaviour, and what was observed of it.
import { readGapEvidence } from "../../assess/gap-evidence.ts";
import type { AssessState } from "../../assess/state.ts";
import { plural } from "../../text.ts";

export const undocumentedJson = (state: AssessState) => ({
  since: state.firstAt,
  responses: state.observations,
  gaps: readGapEvidence(state.evidence),
});

export const renderUndocumented = (state: AssessState): string =>
  [
    `Undocumented behaviour of V1, observed since ${state.firstAt?.slice(0, 10)} (${plural(state.observations, "check")})`,
    "",
    ...readGapEvidence(state.evidence).map(
      ({ section, question, status, summary }) => `  ${section}\t${question}\t${status}\t${summary}`,
    ),
    "",
  ].join("\n");

export function summariseUndocumented({ evidence }: AssessState): string {
  const rows = readGapEvidence(evidence);
  const open = rows.filter(({ status }) => status === "open").length;
  const changed = rows.filter(({ status }) => status === "CHANGED").length;
  const changes = changed > 0 ? `, ${changed} CHANGED since` : "";
  return `Undocumented behaviour: ${rows.length - open} of ${plural(rows.length, "question")} observed${changes}.`;
}
