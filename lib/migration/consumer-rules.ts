// What the scan can find, in words: one row a rule, with an id that never changes.
import type { HazardRule } from "./scan-frame.ts";

export type RuleId = HazardRule | "v1-call" | "v1-field";

export type Rule = {
  id: RuleId;
  level: "error" | "warning" | "note";
  group: "errors" | "traps" | "use";
  /** One line for the table. */
  title: string;
  /** What it means for the people behind the code. */
  meaning: string;
};

export const rules: readonly Rule[] = [
  {
    id: "catch-default",
    level: "error",
    group: "errors",
    title: "a failed call is swallowed or becomes 0, null or []",
    meaning: "When V1 is retired, users see a score of 0 or an empty list, and nobody sees an error.",
  },
  {
    id: "status-default",
    level: "error",
    group: "errors",
    title: "an error status becomes 0, null or []",
    meaning: "A 401, 404 or 410 of a retired V1 looks like a person without a passport.",
  },
  {
    id: "fallback-default",
    level: "error",
    group: "errors",
    title: "a missing value becomes 0, false, null or []",
    meaning: "A field that V1 stops sending looks like a real zero.",
  },
  {
    id: "string-number",
    level: "warning",
    group: "traps",
    title: "a count that V1 sends as a string is used as a number",
    meaning:
      "Sums become concatenations, comparisons go by letters, and typed decoders fail; V2 sends a number.",
  },
  {
    id: "integer-id",
    level: "warning",
    group: "traps",
    title: "the passport's id is taken for a whole number",
    meaning: "V1's id is an integer; an id that is no longer a number breaks this.",
  },
  {
    id: "v1-call",
    level: "warning",
    group: "use",
    title: "calls V1",
    meaning: "V1 is deprecated, and this call ends with it.",
  },
  {
    id: "v1-field",
    level: "note",
    group: "use",
    title: "reads a field of V1",
    meaning: "The field needs a place in V2, or a decision to do without it.",
  },
];

export const ruleOf = (id: RuleId): Rule => rules.find((rule) => rule.id === id)!;
