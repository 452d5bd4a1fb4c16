// Sightings → uses: one for each place that depends on an endpoint, with an id that survives edits.
import type { EndpointId } from "../contract/endpoints.ts";
import type { HazardRule, Sighting } from "./flow/frame.ts";
import type { Literal } from "./flow/values/atoms.ts";
import { allNodes, askedEndpoint, tellingNames } from "./names/fields.ts";

export const confidences = ["high", "medium", "low"] as const;
/** high: followed through the syntax tree; medium: by declared types or names beside a call; low: by text alone. */
export type Confidence = (typeof confidences)[number];

export type Hazard = { rule: HazardRule; line: number };
export type FieldRead = { path: string; line: number; confidence: Confidence };

export type Use = {
  /** `src/client.ts passport getScore`: file, endpoint, enclosing function. */
  id: string;
  file: string;
  line: number;
  language: string;
  endpoint: EndpointId;
  inside: string;
  confidence: Confidence;
  /** Lines that call V1 here; none where only its values arrive. */
  calls: number[];
  fields: FieldRead[];
  hazards: Hazard[];
};

export type Mark = {
  file: string;
  line: number;
  inside: string;
  endpoint: EndpointId;
  confidence: Confidence;
} & ({ kind: "call" } | { kind: "read"; field: string } | { kind: "hazard"; rule: HazardRule });

/** The same field of the endpoint that this file, or else the tree, really asks. */
function relocate(sighting: Sighting, used: ReadonlySet<EndpointId>): Sighting {
  if (sighting.endpoint !== "passport" || used.has("passport") || !used.has("passport-list")) return sighting;
  if (sighting.kind !== "read") return { ...sighting, endpoint: "passport-list" };
  const field = sighting.field.replace(/^passport\b/, "passports[]");
  return allNodes.some(
    (node) => node.endpoint === "passport-list" && (node.path === field || `${node.path}[]` === field),
  )
    ? { ...sighting, endpoint: "passport-list", field }
    : sighting;
}

/** Keeps what the evidence carries: unsure calls need telling reads, and types and names need a call. */
export function judgeSightings(sightings: readonly Sighting[], literals: readonly Literal[]): Mark[] {
  const flows = sightings.filter(({ basis }) => basis === "flow");
  const vouched = new Set(
    flows.flatMap((sighting) =>
      sighting.kind === "read" && tellingNames.has(sighting.name) ? [sighting.endpoint] : [],
    ),
  );
  const isCarried = ({ isSure, endpoint }: Sighting) =>
    isSure || vouched.has(endpoint) || endpoint === "passport-credentials";
  const sure = sightings.filter((sighting) => sighting.basis !== "name" && isCarried(sighting));
  const called = new Set(sure.flatMap(({ kind, endpoint }) => (kind === "call" ? [endpoint] : [])));
  const byFile = Map.groupBy(sure, ({ file }) => file);
  const exact = new Set(
    flows.flatMap((sighting) =>
      sighting.kind === "read" ? [`${sighting.file}:${sighting.line} ${sighting.name}`] : [],
    ),
  );
  const marks = sightings.flatMap((sighting): Mark[] => {
    const { kind, file, line, inside, basis } = sighting;
    if (!isCarried(sighting) || called.size === 0) return [];
    if (basis !== "flow" && kind === "read" && exact.has(`${file}:${line} ${sighting.name}`)) return [];
    const here = new Set(
      byFile.get(file)?.flatMap((other) => (other.basis === "flow" ? [other.endpoint] : [])),
    );
    if (basis === "name" && here.size === 0) return [];
    const placed = basis === "flow" ? sighting : relocate(sighting, here.size > 0 ? here : called);
    const confidence: Confidence = basis === "flow" && sighting.isSure ? "high" : "medium";
    const at = { file, line, inside, endpoint: placed.endpoint, confidence };
    if (placed.kind === "read") return [{ kind: "read", ...at, field: placed.field }];
    return placed.kind === "hazard"
      ? [{ kind: "hazard", ...at, rule: placed.rule }]
      : [{ kind: "call", ...at }];
  });
  const unused = literals.filter(({ isUsed }) => !isUsed);
  return [
    ...dropWholes(marks),
    ...unused.flatMap(({ file, line, inside, text }): Mark[] => {
      const asked = askedEndpoint(text);
      return asked ? [{ kind: "call", file, line, inside, endpoint: asked.endpoint, confidence: "low" }] : [];
    }),
  ];
}

export const isInside = (path: string, whole: string): boolean =>
  path.startsWith(`${whole}.`) || path.startsWith(`${whole}[].`);

/** `passport.passport_profile` says nothing more where the same line reads `passport.passport_profile.bio`. */
function dropWholes(marks: readonly Mark[]): Mark[] {
  const reads = Map.groupBy(
    marks.filter((mark) => mark.kind === "read"),
    ({ file, line }) => `${file}:${line}`,
  );
  return marks.filter((mark) => {
    if (mark.kind !== "read") return true;
    return !reads.get(`${mark.file}:${mark.line}`)?.some(({ field }) => isInside(field, mark.field));
  });
}

const best = (found: readonly Confidence[]): Confidence =>
  confidences.find((one) => found.includes(one)) ?? "low";

const unique = <T>(items: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

export function gatherUses(marks: readonly Mark[], languageOf: (file: string) => string): Use[] {
  const groups = Map.groupBy(
    marks,
    ({ file, endpoint, inside }) => `${file} ${endpoint} ${inside || "(module)"}`,
  );
  const uses = [...groups].map(([id, group]): Use => {
    const [{ file, endpoint, inside }] = group as [Mark, ...Mark[]];
    const sorted = group.toSorted((a, b) => a.line - b.line);
    const calls = sorted.flatMap(({ kind, line }) => (kind === "call" ? [line] : []));
    const fields = sorted.flatMap((mark) =>
      mark.kind === "read" ? [{ path: mark.field, line: mark.line, confidence: mark.confidence }] : [],
    );
    const hazards = sorted.flatMap((mark) =>
      mark.kind === "hazard" ? [{ rule: mark.rule, line: mark.line }] : [],
    );
    return {
      id,
      file,
      line: calls[0] ?? sorted[0]!.line,
      language: languageOf(file),
      endpoint,
      inside,
      confidence: best(group.map(({ confidence }) => confidence)),
      calls: unique(calls, String),
      fields: unique(fields, ({ path, line }) => `${path} ${line}`),
      hazards: unique(hazards, ({ rule, line }) => `${rule} ${line}`),
    };
  });
  return uses.toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

// What the scan can find, in words: one row a rule, with an id that never changes.
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
