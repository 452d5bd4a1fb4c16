// A scan as SARIF 2.1.0, which code hosts show at the lines themselves.
import { posix } from "node:path";
import { type Rule, type RuleId, ruleOf, rules } from "../migration/consumer-rules.ts";
import type { Scan, Use } from "../migration/consumers.ts";
import { renderSarifLog, type SarifResult } from "./sarif-log.ts";

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
