// What every SARIF 2.1.0 log of ours has in common, within what GitHub's code scanning takes.

import { isAbsolute, posix, relative, sep } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { Scan, Use } from "../scan/index.ts";
import { type Rule, type RuleId, ruleOf, rules } from "../scan/index.ts";

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

// A scan as SARIF 2.1.0, which code hosts show at the lines themselves.
const remedies: Record<Rule["group"], string> = {
  errors: "Let the failure through, or show that the value is not known.",
  traps: "Convert it in one place, before anything else reads it.",
  use: "See where it goes in V2 with `v1watch migrate coverage`, then move it or except it in the inventory.",
};

/** One folder elsewhere is a checkout of its own; of several each keeps its name. */
function addressIn(folders: Scan["folders"]): (file: string) => string {
  const [only, another] = folders;
  const root = !another && only && /^\.\.(\/|$)/.test(only.name) ? only.name : "";
  return (file) => posix.relative(root, file);
}

function spotsOf({ id, endpoint, calls, fields, hazards, confidence }: Use, file: string): SarifResult[] {
  const said = confidence === "high" ? "" : ` (confidence: ${confidence})`;
  const spot = (rule: RuleId, line: number, text: string, extra?: string): SarifResult => ({
    ...{ rule, level: ruleOf(rule).level, text, file, line },
    print: [id, rule, extra].filter(Boolean).join(" "),
  });
  return [
    ...calls.map((line) => spot("v1-call", line, `Calls V1's ${endpoint}${said}.`)),
    ...fields.map(({ path, line }) => spot("v1-field", line, `Reads V1's ${path}${said}.`, path)),
    ...hazards.map(({ rule, line }) => {
      const { title, meaning } = ruleOf(rule);
      return spot(rule, line, `In a use of V1's ${endpoint}, ${title}. ${meaning}`);
    }),
  ];
}

export function renderSarif({ uses, folders }: Scan) {
  const addressOf = addressIn(folders);
  return renderSarifLog({
    rules: rules.map(({ id, level, group, title, meaning }) => ({
      ...{ id, level, full: meaning, help: `${meaning} ${remedies[group]}` },
      short: `${title[0]!.toUpperCase()}${title.slice(1)}.`,
    })),
    results: uses.flatMap((use) => spotsOf(use, addressOf(use.file))),
    prints: "v1watchUse/v1",
  });
}
