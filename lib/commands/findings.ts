// Findings as a person reads them: worst first, one line each, and what the breaking ones mean.
import { explainFinding } from "../assess/consequences.ts";
import { gaps } from "../contract/gaps.ts";
import type { Finding } from "../records/observation.ts";

function describe({ kind, expected, observed }: Finding): string {
  switch (kind) {
    case "missing":
      return "missing";
    case "extra":
      return "not in the document";
    case "null":
      return "null";
    case "new-value":
      return "values that the document does not show";
    case "retyped":
    case "envelope":
    case "format":
    case "content-type":
      return `${expected} → ${observed}`;
    case "non-integer":
      return "integer → fraction";
    default:
      return `${kind}: ${observed}`;
  }
}

const gapNote = (finding: Finding) => {
  if (finding.kind === "null") return " (gap 2.6-null)";
  const name = finding.path.slice(finding.path.lastIndexOf(".") + 1);
  const gap = finding.kind === "new-value" && gaps.find(({ id }) => id === `2.6-${name}`);
  return gap ? ` (gap ${gap.id})` : "";
};

export function renderFindings(findings: readonly Finding[]): string[] {
  const paths = Math.min(52, Math.max(0, ...findings.map(({ path }) => path.length)));
  const words = Math.min(24, Math.max(0, ...findings.map((finding) => describe(finding).length)));
  let explained = "";
  return findings.flatMap((finding) => {
    const share = `${finding.count} of ${finding.of}`;
    const line = `  ${finding.level.padEnd(8)}  ${finding.path.padEnd(paths)}  ${describe(finding).padEnd(words)}  ${share}${gapNote(finding)}`;
    // Ten missing fields in a row mean one thing, said once.
    const meaning = explainFinding(finding);
    if (finding.level !== "breaking" || meaning === explained) return [line];
    explained = meaning;
    return [line, `${" ".repeat(12)}${meaning}`];
  });
}

export function summariseFindings(findings: readonly Finding[]): string {
  const count = (level: Finding["level"]) => findings.filter((finding) => finding.level === level).length;
  const breaking = count("breaking");
  const additive = count("additive");
  const notices = count("notice");
  if (findings.length === 0) return "As documented. Nothing new.";
  const parts = [
    breaking > 0 && `${breaking} breaking ${breaking === 1 ? "change" : "changes"} against V1's document`,
    additive > 0 && `${additive} additive`,
    notices > 0 && `${notices} where the document is silent`,
  ].filter((part) => part !== false);
  return `${parts.join(", ")}.`;
}
