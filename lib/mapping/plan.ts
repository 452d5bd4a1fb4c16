// The migration plan: for every line that uses V1, what it becomes in V2.
import { api, endpoints } from "../contract/endpoints.ts";
import type { InventoryUse } from "../records/inventory.ts";
import type { MappedRow, Mapping } from "../records/mapping.ts";
import type { Plan, PlanLine } from "../records/outputs.ts";
import { packageName } from "../text.ts";
import { judgeRow, standingTexts } from "./coverage.ts";
import { isMapped, v1Fields } from "./fields.ts";

/** What the plan needs to know about a use; a scan has the same members. */
export type PlannedUse = Pick<
  InventoryUse,
  "file" | "package" | "codeOwners" | "endpoint" | "confidence" | "calls" | "fields" | "hazards"
> & { owner?: string | undefined };

type Change = Pick<PlanLine, "kind" | "from" | "to" | "change" | "request">;

/** `score` → `score.points`: the value moved into an object with its old name. */
const isWrapped = (from: string, to: string) => {
  const names = to.replace(/\[[^\]]*\]/g, "").split(".");
  return names.length > 1 && names.at(-2) === from.slice(from.lastIndexOf(".") + 1);
};

const decisionVerbs = { same: "keep", renamed: "rename", moved: "move", transformed: "convert" } as const;

const describeTransform = (transform: unknown) =>
  typeof transform === "string" ? ` (${transform.replaceAll("-", " ")})` : "";

const isListField = (path: string) =>
  v1Fields.some((field) => field.path === path && endpoints[field.endpoint].role === "list");

/** `GET /score`: the request of V2 that gives a field. What V2 gives for one id has to be requested for each record of a list. */
function requestFor(path: string, { fields, v2 }: Mapping): string | undefined {
  const row = fields[path];
  const target = row && isMapped(row) ? v2.endpoints[row.endpoint] : undefined;
  if (!target) return undefined;
  const isOfOne = /\{\w+\}/.test([target.path, ...Object.values(target.query ?? {})].join(" "));
  return `GET ${target.path}${isOfOne && isListField(path) ? ` ${forEachRecord}` : ""}`;
}

const forEachRecord = `for each ${api.sample.nouns.one}`;

/** The first clause of a note: "The scale differs, so …" → "the scale differs". */
function clauseOf(note = ""): string {
  const [clause = ""] = note.trim().split(/[.,:;](?:\s|$)/);
  return clause.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** What a row says about its values besides their place: the first clause of its note, or that they are other ones. */
function describeValues({ decision, compare = "value", note }: MappedRow): string {
  // What stays the same may have a note, and there is nothing to do for it.
  if (decision === "same" && compare === "value") return "";
  const known = clauseOf(note);
  const other = { value: "", type: "other values", presence: "another value" }[compare];
  return known !== "" ? `, ${known}` : other === "" ? "" : `, ${other}`;
}

/** The plan of a mapping on a UTC day: a drop may have expired. */
type Planned = { mapping: Mapping; today: string };

function changeField(path: string, { mapping, today }: Planned): Omit<Change, "kind"> {
  const { fields } = mapping;
  const row = fields[path];
  const inside = Object.keys(fields).filter(
    (other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[]`),
  );
  if (!row && inside.length > 0)
    return { from: path, to: null, change: `see its ${inside.length} fields in the mapping` };
  if (!row || row.decision === "undecided") {
    const to = row?.path === undefined ? null : row.path;
    const known = clauseOf(row?.note);
    return { from: path, to, change: known === "" ? "decide" : `decide: ${known}` };
  }
  const { standing } = judgeRow(row, today);
  const doubt = standing === "decided" ? "" : ` (${standingTexts[standing]})`;
  if (row.decision === "dropped") return { from: path, to: null, change: `remove: ${row.reason}${doubt}` };
  const transform = row.decision === "transformed" ? describeTransform(row.transform) : "";
  const steps = [
    `${decisionVerbs[row.decision]}${transform}`,
    ...(isWrapped(path, row.path) ? ["unwrap"] : []),
    ...(row.path.includes("=") ? ["filter"] : []),
  ];
  return {
    from: path,
    to: row.path,
    change: `${steps.join(" + ")}${describeValues(row)}${doubt}`,
    request: requestFor(path, mapping),
  };
}

/** What a call becomes: the requests that give the fields, or why there is none. */
function changeRequest(
  paths: readonly string[],
  isRead: boolean,
  mapping: Mapping,
): Omit<Change, "kind" | "from"> {
  const requests = [...new Set(paths.flatMap((path) => requestFor(path, mapping) ?? []))];
  if (requests.length === 0) {
    const isDropped = paths.length > 0 && paths.every((path) => mapping.fields[path]?.decision === "dropped");
    return { to: null, change: isDropped ? "remove: every field of it is dropped" : "decide" };
  }
  const to = requests.join(", ");
  const replace = to.includes(forEachRecord)
    ? `replace the list: V2 gives one ${api.sample.nouns.one} by its id, so decide where the ids come from`
    : isRead || requests.length === 1
      ? "replace the request"
      : "replace the request by those that have the fields you need";
  return { to, change: replace, request: to };
}

/** The fields that are read from the response of a call: followed from it, or of the same function where nobody knows. */
const fieldsOfCall = (use: PlannedUse, line: number, all: readonly PlannedUse[]): string[] =>
  all.flatMap((other) =>
    other.fields
      .filter(({ from }) => (from === undefined ? other === use : from === `${use.file}:${line}`))
      .map(({ path }) => path),
  );

/** The requests of V2 that give the fields which are read from this call's response. */
function changeCall(
  use: PlannedUse,
  line: number,
  all: readonly PlannedUse[],
  mapping: Mapping,
): Omit<Change, "kind"> {
  const read = fieldsOfCall(use, line, all);
  const { method, path } = endpoints[use.endpoint];
  // Where no read is known, any field of the endpoint may be the one.
  const ofEndpoint = v1Fields.flatMap((field) => (field.endpoint === use.endpoint ? [field.path] : []));
  const paths = read.length > 0 ? read : ofEndpoint;
  return { from: `${method} ${path}`, ...changeRequest(paths, read.length > 0, mapping) };
}

/** What each hazard of the scan becomes. */
const hazardFixes: Record<string, { from: string; to: string; change: string }> = {
  "catch-default": {
    from: "failure becomes 0, null or []",
    to: 'show "unavailable"',
    change: "propagate the error",
  },
  "status-default": {
    from: "error status becomes 0, null or []",
    to: 'show "unavailable"',
    change: "handle the status",
  },
  "fallback-default": {
    from: "missing value becomes 0, false or []",
    to: 'show "unknown"',
    change: "keep the value missing",
  },
  "string-number": {
    from: "text used as a number",
    to: "a number in V2",
    change: "convert in one place",
  },
  "integer-id": { from: "id used as an integer", to: "a text in V2", change: "keep the id as text" },
};

function changesOf(use: PlannedUse, all: readonly PlannedUse[], planned: Planned) {
  const calls = use.calls.map((line) => ({
    line,
    confidence: use.confidence,
    kind: "call" as const,
    ...changeCall(use, line, all, planned.mapping),
  }));
  const fields = use.fields.map(({ path, line, confidence, isRequired, isUndocumented }) => {
    const change: Omit<Change, "kind"> = isUndocumented
      ? { from: path, to: null, change: "not in V1's document: look for it in V2" }
      : changeField(path, planned);
    return {
      line,
      confidence: confidence ?? use.confidence,
      kind: isUndocumented
        ? ("undocumented" as const)
        : isRequired
          ? ("decoder" as const)
          : ("read" as const),
      ...change,
    };
  });
  const hazards = use.hazards.flatMap(({ rule, line, confidence = use.confidence }) => {
    const fix = hazardFixes[rule];
    return fix ? [{ line, confidence, kind: "hazard" as const, ...fix }] : [];
  });
  return [...calls, ...fields, ...hazards];
}

const confidenceOrder = ["high", "medium", "low"] as const;

const rankOf = ({ confidence }: PlanLine) => confidenceOrder.indexOf(confidence);

/** The files with the surest findings first; the lines of a file in order. */
function sortLines(lines: readonly PlanLine[]): PlanLine[] {
  const ranks = new Map<string, number>();
  for (const line of lines)
    ranks.set(line.file, Math.min(ranks.get(line.file) ?? rankOf(line), rankOf(line)));
  const rankOfFile = ({ file }: PlanLine) => ranks.get(file) ?? confidenceOrder.length;
  return lines.toSorted(
    (a, b) =>
      rankOfFile(a) - rankOfFile(b) || (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1),
  );
}

/** A use that stays as it is in V2. */
export const isKept = (change: string) => /^keep( \(unverified\))?$/.test(change);

type PlanOptions = {
  isStarter: boolean;
  today: string;
  addresses?: readonly { file: string; line: number }[] | undefined;
};

/** `isStarter`: the team has no mapping of its own yet. `today` is a UTC day such as 2027-03-31. */
export function buildPlan(
  uses: readonly PlannedUse[],
  mapping: Mapping,
  { isStarter, today, addresses = [] }: PlanOptions,
): Plan {
  const ofAddresses = addresses.map(
    ({ file, line }): PlanLine => ({
      file,
      line: Math.max(1, line),
      package: packageName("."),
      owners: [],
      kind: "address",
      from: "V1's base address",
      to: mapping.v2.baseUrl,
      change: "replace the address once no code uses V1's",
      confidence: "high",
    }),
  );
  const lines = sortLines([
    ...ofAddresses,
    ...uses.flatMap((use): PlanLine[] => {
      const owners = use.owner === undefined ? use.codeOwners : [use.owner];
      const at = { file: use.file, package: packageName(use.package), owners };
      return changesOf(use, uses, { mapping, today }).map(({ line, ...change }) => ({
        ...at,
        line: Math.max(1, line),
        ...change,
      }));
    }),
  ]);
  const changed = new Set(
    lines.flatMap(({ file, line, change }) => (isKept(change) ? [] : [`${file}:${line}`])),
  );
  return {
    schema: "v1watch/plan/1",
    isStarter: isStarter ? true : undefined,
    linesToChange: changed.size,
    lines,
  };
}

export const describeLine = ({ kind, from, to, change, request, confidence }: PlanLine): string => {
  const label = kind === "hazard" ? "hazard: " : kind === "decoder" ? "decodes " : "";
  const source = request === undefined || kind === "call" ? "" : ` of ${request}`;
  const doubt = confidence === "high" ? "" : `  (${confidence} confidence)`;
  return `${label}${from}${to === null ? "" : ` → ${to}${source}`}  ${change}${doubt}`;
};

export const planGroupings = ["file", "owner", "package"] as const;
export type PlanGrouping = (typeof planGroupings)[number];

/** The plan's lines by file, owner or package; a line with several owners is in each of their groups. */
export function groupPlan({ lines }: Plan, by: PlanGrouping): Map<string, PlanLine[]> {
  const groups = new Map<string, PlanLine[]>();
  for (const line of lines) {
    const owners = line.owners.length > 0 ? line.owners : ["no owner"];
    const keys = by === "owner" ? owners : [by === "file" ? line.file : line.package];
    for (const key of keys) groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return groups;
}

/** Escapes characters that start markup, tables, formulas or HTML, and breaks up bare links (`://`, `www.`, `@`). */
export const escapeMarkdown = (text: string) =>
  text
    .replace(/[\\`*_[\]<>|~&$]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/@/g, "&#64;")
    .replace(/^(\s*)([-+=#])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2");
