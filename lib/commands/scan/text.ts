// A scan as a person reads it: what is used, the dangerous spots first, then file by file.
import { plural } from "../../assess/alerts/text.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Scan, Use } from "../../scan/index.ts";
import { ruleOf } from "../../scan/index.ts";

/** File names and functions are a stranger's: no control code reaches the terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "?");

const maxWidth = 72;
const maxLineLength = 100;
const widthOf = (texts: readonly string[]) =>
  Math.min(
    maxWidth,
    texts.reduce((most, { length }) => Math.max(most, length), 0),
  );

type Spot = { at: string; rule: Use["hazards"][number]["rule"]; endpoint: string };

function renderSpots(title: string, spots: readonly Spot[]): string[] {
  if (spots.length === 0) return [];
  const [at, rule] = [widthOf(spots.map((spot) => spot.at)), widthOf(spots.map((spot) => spot.rule))];
  const rows = spots.map((spot) => `  ${spot.at.padEnd(at)}  ${spot.rule.padEnd(rule)}  ${spot.endpoint}`);
  const meanings = [...new Set(spots.map((spot) => spot.rule))].map(
    (id) => `  ${id}: ${ruleOf(id).title}. ${ruleOf(id).meaning}`,
  );
  return [title, ...rows, ...meanings, ""];
}

const shortPath = (path: string) => path.replace(/^(passport|passports\[\]|passport_credentials\[\])\./, "");

function wrap(words: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = `${last} · ${word}`;
    if (last !== undefined && longer.length <= maxLineLength) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines;
}

function renderEndpoints(scan: Scan): string[] {
  const rows = summariseScan(scan).endpoints.filter(({ uses }) => uses > 0);
  const width = widthOf(rows.map(({ endpoint }) => endpoint));
  return [
    "What is used of V1",
    ...rows.map(({ endpoint, uses, fields }) => {
      const head = `  ${endpoint.padEnd(width)}  ${plural(uses, "place")}`;
      const names = Object.entries(fields).map(([path, count]) => `${shortPath(path)} ${count}`);
      return [head, ...wrap(names.length > 0 ? names : ["no field seen"], "      ")].join("\n");
    }),
    "",
  ];
}

const why: Record<Use["confidence"], string> = {
  high: "",
  medium: "  medium: by declared types or names, not followed from a call",
  low: "  low: by text alone",
};

function renderFile(file: string, uses: readonly Use[]): string[] {
  return [
    `  ${printable(file)}`,
    ...uses.map(({ line, endpoint, inside, fields, confidence }) => {
      const paths = [...new Set(fields.map(({ path }) => shortPath(path)))];
      const place = printable(inside) || "(module)";
      return `  ${String(line).padStart(6)}  ${endpoint}  ${place}  ${paths.join(", ")}${why[confidence]}`.trimEnd();
    }),
  ];
}

const spotsOf = (uses: readonly Use[], group: "errors" | "traps"): Spot[] =>
  uses.flatMap(({ file, endpoint, hazards }) =>
    hazards
      .filter(({ rule }) => ruleOf(rule).group === group)
      .map(({ rule, line }) => ({ at: `${printable(file)}:${line}`, rule, endpoint })),
  );

const maxNamed = 5;

/** What a scan did not see to the end it says, so that silence there is not taken for an answer. */
function renderUnfollowed(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, maxNamed).map(printable).join(", ");
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more (all with --json)` : "";
  return [
    `Not followed to the end, because too much hangs together there: ${plural(files.length, "file")}, ${named}${more}.`,
    "  Calls that are written out are found all the same; reads far from them may be missing.",
  ];
}

export function renderScan(scan: Scan): string {
  const { uses, tests, files, lines, unfollowed } = scan;
  const looked = `${plural(files, "file")}, ${plural(lines, "line")}`;
  const inTests =
    tests.length > 0 ? ` Not counted: ${plural(tests.length, "place")} in tests that ask a stand-in.` : "";
  const cut = renderUnfollowed(unfollowed);
  if (uses.length === 0) return [`No use of V1 found in ${looked}.${inTests}`, ...cut, ""].join("\n");
  const summary = summariseScan(scan);
  const errors = spotsOf(uses, "errors");
  const traps = spotsOf(uses, "traps");
  const hidden = errors.length > 0 ? ` ${plural(errors.length, "spot")} would hide its end.` : "";
  const byFile = Map.groupBy(uses, ({ file }) => file);
  return [
    `V1 is used in ${plural(summary.files, "file")} of ${files.toLocaleString("en")}: ${plural(summary.calls, "call")}, ${plural(uses.length, "place")} in all.${hidden}`,
    "",
    ...renderEndpoints(scan),
    ...renderSpots("Dangerous: a retired V1 would look like a person with nothing", errors),
    ...renderSpots("Traps on the way to V2", traps),
    "Where",
    ...[...byFile].flatMap(([file, own]) => renderFile(file, own)),
    "",
    `Looked at ${looked}.${inTests}`,
    ...cut,
    "",
  ].join("\n");
}

// A scan in numbers: which endpoints and fields are really used, and by how many places.
export type EndpointSummary = {
  endpoint: EndpointId;
  uses: number;
  calls: number;
  fields: Record<string, number>;
};

export type ScanSummary = {
  uses: number;
  files: number;
  calls: number;
  hazards: Record<string, number>;
  endpoints: EndpointSummary[];
};

const countBy = (keys: readonly string[]): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
};

export function summariseScan({ uses }: Scan): ScanSummary {
  const endpoints = endpointIds.map((endpoint) => {
    const own = uses.filter((use) => use.endpoint === endpoint);
    // A field counts once a use, however often the use reads it.
    const fields = own.flatMap((use) => [...new Set(use.fields.map(({ path }) => path))]);
    return {
      endpoint,
      uses: own.length,
      calls: own.reduce((sum, { calls }) => sum + calls.length, 0),
      fields: countBy(fields),
    };
  });
  return {
    uses: uses.length,
    files: new Set(uses.map(({ file }) => file)).size,
    calls: endpoints.reduce((sum, { calls }) => sum + calls, 0),
    hazards: countBy(uses.flatMap(({ hazards }) => hazards.map(({ rule }) => rule))),
    endpoints,
  };
}
