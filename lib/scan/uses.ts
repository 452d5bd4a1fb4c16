// Groups the scan's sightings into uses: one per function and endpoint, with an id that does not depend on
// line numbers.
import type { EndpointId } from "../contract/endpoints.ts";
import { learnedGuess, pathGuess } from "./flow/frame.ts";
import type { HazardRule, Literal, Sighting } from "./flow/values/atoms.ts";
import type { AddressMatcher } from "./names/addresses.ts";
import { allNodes, fieldPath } from "./names/fields.ts";

export const confidences = ["high", "medium", "low"] as const;
/** high: followed by data flow; medium: by declared types or names near a call; low: by text search only. */
export type Confidence = (typeof confidences)[number];

export type Hazard = { rule: HazardRule; line: number };
export type FieldRead = {
  path: string;
  line: number;
  confidence: Confidence;
  /** Declared in a type that V1's response is decoded into, so that decoding fails when the field changes. */
  isRequired?: boolean;
  /** Not in V1's document. */
  isUndocumented?: boolean;
};

export type Use = {
  /** File, endpoint and enclosing function: `src/client.ts passport getScore`. */
  id: string;
  file: string;
  line: number;
  language: string;
  /** The app or package that the file belongs to. */
  package: string;
  /** From CODEOWNERS. */
  codeOwners: string[];
  endpoint: EndpointId;
  inside: string;
  confidence: Confidence;
  /** Lines that call V1; empty if the function only reads values of V1. */
  calls: number[];
  fields: FieldRead[];
  hazards: Hazard[];
};

/** One call, field read or hazard at a line. */
export type Mark = {
  file: string;
  line: number;
  inside: string;
  endpoint: EndpointId;
  confidence: Confidence;
} & (
  | { kind: "call" }
  | { kind: "read" | "decode" | "undocumented"; field: string }
  | { kind: "hazard"; rule: HazardRule }
);

const fieldsOfList = new Set(
  allNodes.flatMap((node) => (node.endpoint === "passport-list" ? fieldPath(node) : [])),
);

/** Assigns a passport sighting to the list endpoint if only the list is called and has the field. */
function reassignEndpoint(sighting: Sighting, used: ReadonlySet<EndpointId>): Sighting {
  const isListOnly = used.has("passport-list") && !used.has("passport");
  if (sighting.kind === "call" || sighting.endpoint !== "passport" || !isListOnly) return sighting;
  if (!("field" in sighting)) return { ...sighting, endpoint: "passport-list" };
  const field = sighting.field.replace(/^passport\b/, "passports[]");
  const isListed = fieldsOfList.has(field) || sighting.kind === "undocumented";
  return isListed ? { ...sighting, endpoint: "passport-list", field } : sighting;
}

type Seen = { sightings: readonly Sighting[]; literals: readonly Literal[] };

/**
 * Drops sightings without enough evidence: an uncertain call needs reads of distinctive field names, and matches
 * by type or name need a call, or a file that is near V1's names.
 */
export function judgeSightings(
  { sightings, literals }: Seen,
  near: ReadonlySet<string>,
  { askedEndpoint }: AddressMatcher,
): Mark[] {
  const proven = new Set(sightings.flatMap(({ guess, kind }) => (guess && kind === "proof" ? [guess] : [])));
  // A wrapper that asks V1 for one path asks it for the others, too.
  const calls = sightings.flatMap((sighting) => (sighting.kind === "call" ? sighting : []));
  const isV1 = ({ guess }: Sighting) => guess === undefined || proven.has(guess);
  const wrappers = new Set(calls.filter(isV1).map(({ through }) => through));
  for (const { guess, through } of calls)
    if (through && guess?.startsWith(pathGuess) && wrappers.has(through)) proven.add(guess);
  const isProven = (guess: string) => proven.has(guess.replace(learnedGuess, ""));
  const evident = sightings.filter(({ guess, kind }) => kind !== "proof" && (!guess || isProven(guess)));
  const reliable = evident.filter(({ basis }) => basis !== "name");
  const calledEndpoints = new Set(
    reliable.flatMap(({ kind, endpoint }) => (kind === "call" ? [endpoint] : [])),
  );
  const flows = Map.groupBy(
    evident.filter(({ basis }) => basis === "flow"),
    ({ file }) => file,
  );
  const exactReads = new Set(
    evident.flatMap((sighting) =>
      sighting.basis === "flow" && sighting.kind === "read"
        ? [`${sighting.file}:${sighting.line} ${sighting.name}`]
        : [],
    ),
  );
  const marks = evident.flatMap((sighting): Mark[] => {
    const { kind, file, line, inside, basis } = sighting;
    const fileEndpoints = new Set(flows.get(file)?.map(({ endpoint }) => endpoint));
    const isBacked = basis === "name" ? fileEndpoints.size > 0 : calledEndpoints.size > 0;
    if (basis !== "flow" && !isBacked && !near.has(file)) return [];
    if (basis !== "flow" && kind === "read" && exactReads.has(`${file}:${line} ${sighting.name}`)) return [];
    const reassigned =
      basis === "flow"
        ? sighting
        : reassignEndpoint(sighting, fileEndpoints.size > 0 ? fileEndpoints : calledEndpoints);
    const confidence: Confidence = basis === "flow" && !sighting.guess ? "high" : "medium";
    const location = { file, line, inside, endpoint: reassigned.endpoint, confidence };
    if ("field" in reassigned) return [{ kind: reassigned.kind, ...location, field: reassigned.field }];
    return reassigned.kind === "hazard"
      ? [{ kind: "hazard", ...location, rule: reassigned.rule }]
      : [{ kind: "call", ...location }];
  });
  const unused = literals.filter(({ isUsed }) => !isUsed);
  return [
    ...dropCoveredObjects(marks),
    ...unused.flatMap(({ file, line, inside, text }): Mark[] => {
      const requested = askedEndpoint(text);
      return requested
        ? [{ kind: "call", file, line, inside, endpoint: requested.endpoint, confidence: "low" }]
        : [];
    }),
  ];
}

export const isInside = (path: string, whole: string): boolean =>
  path.startsWith(`${whole}.`) || path.startsWith(`${whole}[].`);

/**
 * Drops a read of `passport.passport_profile` if the same line reads `passport.passport_profile.bio`. A list beside the
 * fields of its items stays: both are written there.
 */
function dropCoveredObjects(marks: readonly Mark[]): Mark[] {
  const lines = Map.groupBy(marks, ({ file, line }) => `${file}:${line}`);
  return marks.filter((mark) => {
    if (mark.kind !== "read") return true;
    const others = lines.get(`${mark.file}:${mark.line}`) ?? [];
    return !others.some((other) => other.kind === "read" && other.field.startsWith(`${mark.field}.`));
  });
}

const highestConfidence = (found: readonly Confidence[]): Confidence =>
  confidences.find((confidence) => found.includes(confidence)) ?? "low";

const unique = <T>(items: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

type FileFacts = Pick<Use, "language" | "package" | "codeOwners">;

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
  return [...groups].map(([id, group]): Use => {
    const [{ file, endpoint, inside }] = group as [Mark, ...Mark[]];
    const sorted = group.toSorted((a, b) => a.line - b.line);
    const calls = sorted.flatMap(({ kind, line }) => (kind === "call" ? [line] : []));
    const fields = sorted.flatMap((mark): FieldRead[] => {
      if (!("field" in mark)) return [];
      const { kind, field: path, line, confidence } = mark;
      return [
        {
          ...{ path, line, confidence },
          ...(kind === "decode" && { isRequired: true }),
          ...(kind === "undocumented" && { isUndocumented: true }),
        },
      ];
    });
    const hazards = sorted.flatMap((mark) =>
      mark.kind === "hazard" ? [{ rule: mark.rule, line: mark.line }] : [],
    );
    return {
      id,
      file: nameOf(file),
      line: calls[0] ?? sorted[0]!.line,
      ...describe(file),
      ...{ endpoint, inside },
      confidence: highestConfidence(group.map(({ confidence }) => confidence)),
      calls: unique(calls, String),
      fields: unique(fields, ({ path, line }) => `${path} ${line}`),
      hazards: unique(hazards, ({ rule, line }) => `${rule} ${line}`),
    };
  });
}

// The scan's rules; their ids are stable.
export type RuleId = HazardRule | "v1-call" | "v1-field";

export type Rule = {
  id: RuleId;
  level: "error" | "warning" | "note";
  group: "errors" | "traps" | "use";
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
    meaning: "A 401, 404 or 410 of a retired V1 looks like a user without a passport.",
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
      "The code concatenates instead of adding, compares lexicographically, or fails to decode; V2 sends a number.",
  },
  {
    id: "integer-id",
    level: "warning",
    group: "traps",
    title: "the passport's id is treated as an integer",
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
];

export const ruleOf = (id: RuleId): Rule => rules.find((rule) => rule.id === id)!;
