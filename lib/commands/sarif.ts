// Renders SARIF 2.1.0 logs for scan and ready.

import { isAbsolute, posix, relative, sep } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { Plan, PlanLine } from "../records/outputs.ts";
import type { Scan, Use } from "../scan/index.ts";
import { type Rule, type RuleId, ruleOf, rules } from "../scan/index.ts";

type SarifLevel = "error" | "warning" | "note";
type SarifRule = { id: string; level?: SarifLevel; short: string; full: string; help: string };
export type SarifResult = {
  rule: string;
  level: SarifLevel;
  text: string;
  file: string;
  line: number;
  /** Identifies the result across runs. Results with the same fingerprint are numbered. */
  fingerprint: string;
};

const encode = (path: string) => path.toWellFormed().split("/").map(encodeURIComponent).join("/");

/** Paths are relative to the root of the checkout if possible, because code hosts resolve no others and reject `..`. */
function locate(file: string) {
  const inside = isAbsolute(file) ? relative(process.cwd(), file) : file;
  const path = (isAbsolute(file) && (isAbsolute(inside) || inside.startsWith("..")) ? file : inside)
    .split(sep)
    .join("/");
  if (isAbsolute(path)) return { uri: `file://${encode(path)}` };
  return { uri: encode(path.replace(/^(\.\.\/)+/, "")), uriBaseId: "%SRCROOT%" };
}

export type SarifInput = {
  rules: readonly SarifRule[];
  results: readonly SarifResult[];
  /** Key of the fingerprints in the log, including their version. */
  fingerprintKey: string;
};

export function renderSarifLog({ rules, results, fingerprintKey }: SarifInput) {
  const counts = new Map<string, number>();
  const partialFingerprints = ({ fingerprint }: SarifResult) => {
    const text = fingerprint.toWellFormed();
    const number = (counts.get(text) ?? 0) + 1;
    counts.set(text, number);
    return { [fingerprintKey]: number > 1 ? `${text} #${number}` : text };
  };
  const driver = {
    name: "v1watch",
    semanticVersion: packageJson.version,
    rules: rules.map(({ id, level, short, full, help }) => ({
      id,
      shortDescription: { text: short },
      fullDescription: { text: full },
      help: { text: help },
      defaultConfiguration: level ? { level } : undefined,
    })),
  };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        columnKind: "utf16CodeUnits",
        results: results.map((result) => ({
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
          partialFingerprints: partialFingerprints(result),
        })),
      },
    ],
  };
}

const remedies: Record<Rule["group"], string> = {
  errors: "Propagate the error, or show that the value is unknown.",
  traps: "Convert the value in one place, before other code reads it.",
  use: "Look up its V2 target with `v1watch migrate coverage`, then migrate it or add an exception to the inventory.",
  mention:
    "Look at it. If it does not call V1, add `reviewed` with a reason to its row of `unsure` in the inventory.",
};

/**
 * A single scanned folder outside the current one is treated as a checkout of its own, so its name is removed from the
 * paths. With several folders, each keeps its name.
 */
function checkoutPaths(folders: Scan["folders"]): (file: string) => string {
  const [only, another] = folders;
  const root = !another && only && /^\.\.(\/|$)/.test(only.name) ? only.name : "";
  return (file) => posix.relative(root, file);
}

/** The change of each line in the plan, by kind and place. */
const changeKey = (kind: string, file: string, line: number, from = "") => `${kind} ${file}:${line} ${from}`;

function readChanges(
  plan: Plan | undefined,
): (kind: PlanLine["kind"], file: string, line: number, from?: string) => string {
  const changes = new Map(
    plan?.lines.map((line) => {
      const isField = line.kind !== "call" && line.kind !== "hazard";
      return [changeKey(line.kind, line.file, line.line, isField ? line.from : ""), line];
    }),
  );
  return (kind, file, line, from) => {
    const found = changes.get(changeKey(kind, file, line, from));
    if (!found) return "";
    const source = kind === "call" || found.request === undefined ? "" : ` of ${found.request}`;
    return ` In V2: ${found.to === null ? "" : `${found.to}${source}, `}${found.change}.`;
  };
}

function resultsOf(
  { id, endpoint, calls, fields, hazards, confidence, why, file: source }: Use,
  file: string,
  changeOf: ReturnType<typeof readChanges>,
): SarifResult[] {
  const note = confidence === "high" ? "" : ` (${confidence} confidence, ${why})`;
  const result = (rule: RuleId, line: number, text: string, extra?: string): SarifResult => ({
    rule,
    level: ruleOf(rule).level,
    text,
    file,
    line,
    fingerprint: [id, rule, extra].filter(Boolean).join(" "),
  });
  return [
    ...calls.map((line) =>
      result("v1-call", line, `Calls V1's ${endpoint}${note}.${changeOf("call", source, line)}`),
    ),
    ...fields.map(({ path, line, isRequired, isUndocumented, why: reason }) => {
      const kind = isUndocumented ? "undocumented" : isRequired ? "decoder" : "read";
      const verb = isRequired ? "Decodes" : "Reads";
      const what = isUndocumented ? "undocumented field " : "";
      const text = `${verb} V1's ${what}${path}, ${reason}.${changeOf(kind, source, line, path)}`;
      return result("v1-field", line, text, path);
    }),
    ...hazards.map(({ rule, line }) => {
      const { title, meaning } = ruleOf(rule);
      return result(
        rule,
        line,
        `In a use of V1's ${endpoint}, ${title}. ${meaning}${changeOf("hazard", source, line)}`,
      );
    }),
  ];
}

/** A scan as a SARIF log, which code hosts show as annotations of the source lines. */
/** With a plan, each result says what the line becomes in V2. */
export function renderSarif({ uses, notCounted, folders }: Scan, plan?: Plan) {
  const changeOf = readChanges(plan);
  const pathInCheckout = checkoutPaths(folders);
  return renderSarifLog({
    rules: rules.map(({ id, level, group, title, meaning }) => ({
      id,
      level,
      full: meaning,
      help: `${meaning} ${remedies[group]}`,
      short: `${title[0]!.toUpperCase()}${title.slice(1)}.`,
    })),
    results: [
      ...uses.flatMap((use) => resultsOf(use, pathInCheckout(use.file), changeOf)),
      ...notCounted.map(({ file, line, endpoint, why }): SarifResult => {
        const { id, level } = ruleOf("v1-mention");
        return {
          rule: id,
          level,
          text: `Names V1's ${endpoint}, not counted as a call because ${why}.`,
          file: pathInCheckout(file),
          line,
          fingerprint: `${file} ${endpoint} ${id}`,
        };
      }),
    ],
    fingerprintKey: "v1watchUse/v1",
  });
}
