// Renders findings as text: most severe level first, one line each, with the impact of breaking ones.
import { describeFinding, describeImpact } from "../assess/text/impact.ts";
import { gaps } from "../contract/gaps.ts";
import type { Finding } from "../records/observation.ts";

const gapNote = (finding: Finding) => {
  if (finding.kind === "null") return "; the document does not state whether null is allowed (gap 2.6-null)";
  const name = finding.path.slice(finding.path.lastIndexOf(".") + 1);
  const gap = finding.kind === "new-value" && gaps.find(({ id }) => id === `2.6-${name}`);
  return gap ? ` (gap ${gap.id})` : "";
};

const share = ({ count, of }: Finding) => `${count} of ${of}`;

function renderBreaking(findings: readonly Finding[]): string[] {
  let previousImpact = "";
  return findings.flatMap((finding) => {
    const line = `  breaking\t${finding.path}\t${describeFinding(finding)}\t${share(finding)}`;
    // Consecutive findings with the same impact, such as ten missing fields, print it once.
    const impact = describeImpact(finding);
    if (impact === previousImpact) return [line];
    previousImpact = impact;
    return [line, `\t${impact}`];
  });
}

/** One line per object, because an object usually has several undocumented keys at once. */
function renderAdditive(findings: readonly Finding[]): string[] {
  const parent = ({ path }: Finding) => path.slice(0, Math.max(0, path.lastIndexOf("."))) || "(body)";
  return [...Map.groupBy(findings, parent)].map(([path, group]) => {
    const names = [...new Set(group.map((finding) => finding.path.slice(finding.path.lastIndexOf(".") + 1)))];
    return names.length === 1
      ? `  additive\t${group[0]!.path}  not in the document`
      : `  additive\t${path}  ${names.length} keys not in the document: ${names.join(", ")}`;
  });
}

function renderNotices(findings: readonly Finding[]): string[] {
  return [...Map.groupBy(findings, ({ kind }) => kind)].flatMap(([kind, group]) => {
    if (kind !== "null" || group.length < 3) {
      return group.map(
        (finding) =>
          `  notice\t${finding.path}  ${describeFinding(finding)}, ${share(finding)}${gapNote(finding)}`,
      );
    }
    const fields = group.map((finding) => `${finding.path} ${share(finding)}`);
    return [
      `  notice\tnull, where the document does not state whether null is allowed (gap 2.6-null): ${fields.join(", ")}`,
    ];
  });
}

export function renderFindings(findings: readonly Finding[]): string[] {
  const of = (level: Finding["level"]) => findings.filter((finding) => finding.level === level);
  return [
    ...renderBreaking(of("breaking")),
    ...renderAdditive(of("additive")),
    ...renderNotices(of("notice")),
  ];
}

export function summariseFindings(findings: readonly Finding[]): string {
  const count = (level: Finding["level"]) => findings.filter((finding) => finding.level === level).length;
  const breaking = count("breaking");
  const additive = count("additive");
  const notices = count("notice");
  if (findings.length === 0) return "As documented. No findings.";
  const parts = [
    breaking > 0 && `${breaking} breaking ${breaking === 1 ? "change" : "changes"} against V1's document`,
    additive > 0 && `${additive} additive`,
    notices > 0 && `${notices} on undocumented behaviour`,
  ].filter((part) => part !== false);
  return `${parts.join(", ")}.`;
}
