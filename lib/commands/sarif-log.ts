// What every SARIF 2.1.0 log of ours has in common, within what GitHub's code scanning takes.
import { isAbsolute, relative, sep } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

export type SarifLevel = "error" | "warning" | "note";
export type SarifRule = { id: string; level?: SarifLevel; short: string; full: string; help: string };
export type SarifResult = {
  rule: string;
  level: SarifLevel;
  text: string;
  file: string;
  line: number;
  /** What it is known by in the next run; those that have the same are counted. */
  print: string;
};

/** GitHub refuses a run with more, and shows the gravest 5,000. */
export const maxResults = 25_000;

const levelOrder: readonly SarifLevel[] = ["error", "warning", "note"];

const encode = (path: string) => path.toWellFormed().split("/").map(encodeURIComponent).join("/");

/** From the root of the checkout wherever that is possible: a host knows no other place, and takes no `..`. */
function locate(file: string) {
  const inside = isAbsolute(file) ? relative(process.cwd(), file) : file;
  const path = (isAbsolute(file) && (isAbsolute(inside) || inside.startsWith("..")) ? file : inside)
    .split(sep)
    .join("/");
  if (isAbsolute(path)) return { uri: `file://${encode(path)}` };
  return { uri: encode(path.replace(/^(\.\.\/)+/, "")), uriBaseId: "%SRCROOT%" };
}

/** The gravest, in the order in which they came. */
function chooseResults(results: readonly SarifResult[]): readonly SarifResult[] {
  if (results.length <= maxResults) return results;
  const gravest = results
    .map(({ level }, index) => ({ rank: levelOrder.indexOf(level), index }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  return gravest
    .slice(0, maxResults)
    .map(({ index }) => index)
    .sort((a, b) => a - b)
    .map((index) => results[index]!);
}

export type SarifInput = {
  rules: readonly SarifRule[];
  results: readonly SarifResult[];
  /** The fingerprints' name, with their version. */
  prints: string;
};

export function renderSarifLog({ rules, results, prints }: SarifInput) {
  const shown = chooseResults(results);
  const known = new Map<string, number>();
  const fingerprint = ({ print }: SarifResult) => {
    const text = print.toWellFormed();
    const times = (known.get(text) ?? 0) + 1;
    known.set(text, times);
    return { [prints]: times > 1 ? `${text} #${times}` : text };
  };
  const left = results.length - shown.length;
  const notice = {
    level: "warning",
    message: { text: `${left} results of less weight are left out: code hosts take ${maxResults}.` },
  };
  const driver = {
    name: "v1watch",
    semanticVersion: packageJson.version,
    rules: rules.map(({ id, level, short, full, help }) => ({
      id,
      shortDescription: { text: short },
      fullDescription: { text: full },
      help: { text: help },
      ...(level && { defaultConfiguration: { level } }),
    })),
  };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        columnKind: "utf16CodeUnits",
        ...(left > 0 && {
          invocations: [{ executionSuccessful: true, toolExecutionNotifications: [notice] }],
        }),
        results: shown.map((result) => ({
          ruleId: result.rule,
          ruleIndex: rules.findIndex(({ id }) => id === result.rule),
          level: result.level,
          message: { text: result.text.toWellFormed() },
          locations: [
            {
              physicalLocation: {
                artifactLocation: locate(result.file),
                region: { startLine: Math.max(1, result.line) },
              },
            },
          ],
          partialFingerprints: fingerprint(result),
        })),
      },
    ],
  };
}
