// Groups the scan's marks into uses: one per function and endpoint, with an id that does not depend on line numbers.
import { api, type EndpointId } from "../contract/endpoints.ts";
import type { ScanOutput, ScanUse } from "../records/outputs.ts";

export type Use = ScanUse;
type FieldRead = Use["fields"][number];
type Hazard = Use["hazards"][number];
export type HazardRule = Hazard["rule"];
export type Confidence = Use["confidence"];
/** A path of V1 in the code that is not counted as a call, and why. */
export type Mention = ScanOutput["notCounted"][number];

const confidences: readonly Confidence[] = ["high", "medium", "low"];

/** What a finding rests on. */
type Evidence =
  | { by: "call"; file: string; line: number }
  | { by: "address"; isSure: boolean }
  | { by: "type"; name: string }
  | { by: "name"; name: string }
  | { by: "text" };

/** One call, field read, hazard, or way out of sight at a line. */
export type Mark = {
  file: string;
  line: number;
  inside: string;
  endpoint: EndpointId;
  confidence: Confidence;
  evidence: Evidence;
} & (
  | { kind: "call" }
  | { kind: "read" | "decode" | "undocumented"; field: string }
  | { kind: "hazard"; rule: HazardRule }
  | { kind: "passed-on"; to: { file: string; line: number } }
);

/**
 * Drops a read of `passport.passport_profile` if the same line reads `passport.passport_profile.bio`. A list beside the
 * fields of its items stays: both are written there.
 */
export function dropCoveredObjects(marks: readonly Mark[]): Mark[] {
  const lines = Map.groupBy(marks, ({ file, line }) => `${file}:${line}`);
  return marks.filter((mark) => {
    if (mark.kind !== "read") return true;
    const others = lines.get(`${mark.file}:${mark.line}`) ?? [];
    return !others.some((other) => other.kind === "read" && other.field.startsWith(`${mark.field}.`));
  });
}

const unique = <T>(items: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

type FileFacts = Pick<Use, "language" | "package" | "codeOwners">;

function explain(evidence: Evidence, nameOf: (file: string) => string): string {
  switch (evidence.by) {
    case "call":
      return `followed from the call in ${nameOf(evidence.file)}:${evidence.line}`;
    case "address":
      return evidence.isSure
        ? "by the address of the call"
        : "by an address with an unknown base, near V1's names";
    case "type":
      return `by the declared type ${evidence.name}`;
    case "name":
      return `by the name ${evidence.name}`;
    case "text":
      return "by text search";
  }
}

/** `nameOf` gives the name under which a file is reported. */
export function groupIntoUses(
  marks: readonly Mark[],
  describe: (file: string) => FileFacts,
  nameOf: (file: string) => string,
): Use[] {
  const groups = Map.groupBy(
    marks,
    ({ file, endpoint, inside }) => `${nameOf(file)} ${endpoint} ${inside || "(module)"}`,
  );
  const fromOf = ({ evidence }: Mark) =>
    evidence.by === "call" ? `${nameOf(evidence.file)}:${evidence.line}` : undefined;
  return [...groups].map(([id, group]): Use => {
    const [{ file, endpoint, inside }] = group as [Mark, ...Mark[]];
    const sorted = group.toSorted((a, b) => a.line - b.line);
    const strongest = group.toSorted(
      (a, b) => confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence),
    )[0]!;
    const calls = sorted.flatMap(({ kind, line }) => (kind === "call" ? [line] : []));
    const fields = sorted.flatMap((mark): FieldRead[] => {
      if (!("field" in mark)) return [];
      return [
        {
          path: mark.field,
          line: mark.line,
          confidence: mark.confidence,
          why: explain(mark.evidence, nameOf),
          from: fromOf(mark),
          isRequired: mark.kind === "decode" || undefined,
          isUndocumented: mark.kind === "undocumented" || undefined,
        },
      ];
    });
    const hazards = sorted.flatMap((mark): Hazard[] =>
      mark.kind === "hazard" ? [{ rule: mark.rule, line: mark.line, confidence: mark.confidence }] : [],
    );
    const passedOn = sorted.flatMap((mark) =>
      mark.kind === "passed-on" ? [`${nameOf(mark.to.file)}:${mark.to.line}`] : [],
    );
    return {
      id,
      file: nameOf(file),
      line: calls[0] ?? sorted[0]!.line,
      ...describe(file),
      endpoint,
      inside,
      confidence: strongest.confidence,
      why: explain(strongest.evidence, nameOf),
      calls: unique(calls, String),
      fields: unique(fields, ({ path, line }) => `${path} ${line}`),
      hazards: unique(hazards, ({ rule, line }) => `${rule} ${line}`),
      passedOn: passedOn.length > 0 ? unique(passedOn, String) : undefined,
    };
  });
}

// The scan's rules; their ids are stable.
export type RuleId = HazardRule | "v1-call" | "v1-field" | "v1-mention";

export type Rule = {
  id: RuleId;
  level: "error" | "warning" | "note";
  group: "errors" | "traps" | "use" | "mention";
  /** One line for tables. */
  title: string;
  /** The impact on users of the code. */
  meaning: string;
};

export const rules: readonly Rule[] = [
  {
    id: "catch-default",
    level: "error",
    group: "errors",
    title: "a failed call is swallowed or becomes 0, null or []",
    meaning: "When V1 is retired, users see a score of 0 or an empty list, and no error is reported.",
  },
  {
    id: "status-default",
    level: "error",
    group: "errors",
    title: "an error status becomes 0, null or []",
    meaning: `A 401, 404 or 410 of a retired V1 looks like a user without a ${api.sample.nouns.one}.`,
  },
  {
    id: "fallback-default",
    level: "error",
    group: "errors",
    title: "a missing value becomes 0, false, null or []",
    meaning: `A field that V1 stops sending looks like a real value, such as a score of 0 or a user without a ${api.sample.nouns.one}.`,
  },
  {
    id: "string-number",
    level: "warning",
    group: "traps",
    title: "a count that V1 sends as a string is used as a number",
    meaning:
      "The code concatenates instead of adding, compares lexicographically, or fails to decode; V2 sends a number.",
  },
  {
    id: "integer-id",
    level: "warning",
    group: "traps",
    title: `the ${api.sample.nouns.one}'s id is treated as an integer`,
    meaning: "V1's id is an integer; this code fails if the id is not a number.",
  },
  {
    id: "v1-call",
    level: "warning",
    group: "use",
    title: "calls V1",
    meaning: "V1 is deprecated; this call fails when V1 is retired.",
  },
  {
    id: "v1-field",
    level: "note",
    group: "use",
    title: "reads a V1 field",
    meaning: "The field needs a counterpart in V2 or a decision to drop it.",
  },
  {
    id: "v1-mention",
    level: "note",
    group: "mention",
    title: "names a path of V1 that is not counted as a call",
    meaning:
      "The scan found a reason why this is no call of V1. If the reason is wrong, V1's end breaks this code.",
  },
];

export const ruleOf = (id: RuleId): Rule => rules.find((rule) => rule.id === id)!;
