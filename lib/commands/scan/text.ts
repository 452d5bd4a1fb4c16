// Renders a scan as text: used endpoints and fields, hazards, then the uses of each file.

import { printable } from "../../config/config.ts";
import { endpointIds, endpoints } from "../../contract/endpoints.ts";
import { type InventoryUse, isReadAsText, type UnsureFile } from "../../records/inventory.ts";
import type { Plan, ScanOutput } from "../../records/outputs.ts";
import type { Mention, Question, Scan, Use } from "../../scan/index.ts";
import { ruleOf } from "../../scan/index.ts";
import { plural } from "../../text.ts";
import { renderPlanLines } from "../migrate.ts";

type Hazard = { location: string; rule: Use["hazards"][number]["rule"]; endpoint: string };

function renderHazards(title: string, hazards: readonly Hazard[]): string[] {
  if (hazards.length === 0) return [];
  const rows = hazards.map(({ location, rule, endpoint }) => `  ${location}\t${rule}\t${endpoint}`);
  const meanings = [...new Set(hazards.map(({ rule }) => rule))].map(
    (id) => `  ${id}: ${ruleOf(id).title}. ${ruleOf(id).meaning}`,
  );
  return [title, ...rows, ...meanings, ""];
}

const holders = Object.values(endpoints)
  .map(({ records }) => `${records}.`)
  .sort((a, b) => b.length - a.length);
/** `passport.score` → `score`. */
const shortPath = (path: string) =>
  path.slice(holders.find((holder) => path.startsWith(holder))?.length ?? 0);

function renderEndpoints(scan: Scan): string[] {
  const rows = summariseScan(scan).endpoints.filter(({ uses }) => uses > 0);
  return [
    "Used endpoints and fields",
    ...rows.flatMap(({ endpoint, uses, fields }) => {
      const names = Object.entries(fields).map(([path, count]) => `${shortPath(path)} ${count}`);
      return [`  ${endpoint}  ${plural(uses, "use")}`, `      ${names.join(" · ") || "no fields found"}`];
    }),
    "",
  ];
}

/** Why the scan takes it for a use; a call speaks for itself. */
function explainUse({ confidence, why, calls }: Use): string {
  if (confidence !== "high") return `${confidence} confidence, ${printable(why)}`;
  return calls.length > 0 ? "" : printable(why);
}

function renderFile(file: string, uses: readonly Use[]): string[] {
  return [
    `  ${printable(file)}`,
    ...uses.map((use) => {
      const { line, endpoint, inside, fields, passedOn = [] } = use;
      const label = ({ path, isRequired, isUndocumented }: Use["fields"][number]) =>
        `${shortPath(path)}${isRequired ? " (decoded)" : ""}${isUndocumented ? " (undocumented)" : ""}`;
      const paths = [...new Set(fields.map(label))];
      const scope = printable(inside) || "(module)";
      if (passedOn.length > 0)
        paths.push(`the whole response (passed on in ${passedOn.map(printable).join(", ")})`);
      return `    ${line}\t${endpoint}\t${[scope, paths.join(", "), explainUse(use)].filter(Boolean).join("  ")}`;
    }),
  ];
}

const listHazards = (uses: readonly Use[], group: "errors" | "traps"): Hazard[] =>
  uses.flatMap(({ file, endpoint, hazards }) =>
    hazards
      .filter(({ rule }) => ruleOf(rule).group === group)
      .map(({ rule, line }) => ({ location: `${printable(file)}:${line}`, rule, endpoint })),
  );

const maxListed = 5;

/** Files with incomplete analysis are listed, so that missing uses in them are not mistaken for none. */
export function describeUnfollowed(files: readonly string[]): string {
  if (files.length === 0) return "";
  const listed = files.slice(0, maxListed).map(printable).join(", ");
  const more = files.length > maxListed ? ` and ${files.length - maxListed} more (all with --json)` : "";
  return ` Not analysed to the end (too complex, too large, minified or unreadable): ${plural(files.length, "file")}, ${listed}${more}.`;
}

const renderUnfollowed = (files: readonly string[]): string[] =>
  files.length === 0
    ? []
    : [
        describeUnfollowed(files).trim(),
        "  Literal calls in complex files are found, but field reads far from them may be missing.",
      ];

/** A file that is only searched: what is not found in it may be there. */
function renderTextReads(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const listed = files.slice(0, maxListed).map(printable).join(", ");
  const more = files.length > maxListed ? ` and ${files.length - maxListed} more (all with --json)` : "";
  return [
    `Read as text, because the language is not parsed: ${plural(files.length, "file")}, ${listed}${more}.`,
    "  There may be more fields than are listed, and hazards were not looked for. `ready` counts every field of their endpoints as used, until `checkedFields` in the inventory says which are read.",
  ];
}

/** V1's names without a call: never to be mistaken for code that does not use V1. */
function renderQuestions(questions: readonly Question[]): string[] {
  if (questions.length === 0) return [];
  return [
    `V1's names are in the code, but no call of V1 was found near them: ${plural(questions.length, "file")}`,
    ...questions
      .slice(0, maxListed)
      .map(({ file, line, names }) => `  ${printable(file)}:${line}\t${names.join(", ")}`),
    ...(questions.length > maxListed ? [`  and ${questions.length - maxListed} more (all with --json)`] : []),
    "  Where does the address come from? If it is V1's, name it with --host or --base-path and scan again.",
    "",
  ];
}

/** Nobody calls V1 there, and somebody has to change it. */
function renderAddresses(addresses: Scan["addresses"]): string[] {
  if (addresses.length === 0) return [];
  return [
    `V1's base address in configuration: ${plural(addresses.length, "line")} to change`,
    ...addresses.slice(0, maxListed).map(({ file, line }) => `  ${printable(file)}:${line}`),
    ...(addresses.length > maxListed ? [`  and ${addresses.length - maxListed} more (all with --json)`] : []),
    "",
  ];
}

const describeMention = ({ file, line, endpoint, why }: Pick<UnsureFile, keyof Mention>) =>
  `  ${printable(file)}:${line}\t${endpoint}\tnot counted, because ${printable(why ?? "")}`;

/** V1's paths that the scan decided not to count: each is listed, so that a wrong decision is seen. */
function renderMentions(mentions: readonly Mention[]): string[] {
  if (mentions.length === 0) return [];
  return [
    `V1's paths in the code that are not counted as calls: ${plural(mentions.length, "place")}`,
    ...mentions.map(describeMention),
    "  Look at each of them. `ready` asks until the line is gone, or until its row under `unsure` in the inventory has a `reviewed` with the reason why it is no use of V1.",
    "",
  ];
}

/** " A symbolic link leads out of it: src to ../lib." */
export function describeLinks(links: Scan["links"]): string {
  if (links.length === 0) return "";
  const listed = links.slice(0, maxListed).map(({ file, to }) => `${printable(file)} to ${printable(to)}`);
  const more = links.length > maxListed ? ` and ${links.length - maxListed} more` : "";
  const lead = links.length === 1 ? "A symbolic link leads" : `${links.length} symbolic links lead`;
  return ` ${lead} out of what was scanned: ${listed.join(", ")}${more}.`;
}

/** " Git tracks 2 files or folders that are not on the disk: jobs, lib/client." */
export function describeMissing(paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const listed = paths.slice(0, maxListed).map(printable).join(", ");
  const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more (all with --json)` : "";
  return ` Git tracks ${plural(paths.length, "file or folder", "files or folders")} that ${paths.length === 1 ? "is" : "are"} not on the disk: ${listed}${more}.`;
}

const renderMissing = (paths: readonly string[]): string[] =>
  paths.length === 0
    ? []
    : [
        describeMissing(paths).trim(),
        "  Check them out and scan again, or add `reviewed` to their rows of `unsure` in the inventory.",
      ];

/** "Skipped by name, although git tracks files in them: dist, vendor." */
function renderSkipped(folders: Scan["folders"]): string[] {
  const skipped = folders.flatMap((folder) => folder.skipped);
  if (skipped.length === 0) return [];
  const more = skipped.length > maxListed ? ` and ${skipped.length - maxListed} more (all with --json)` : "";
  return [
    `Skipped by name, although git tracks files in ${skipped.length === 1 ? "it" : "them"}: ${skipped.slice(0, maxListed).map(printable).join(", ")}${more}. To scan such a folder, name it.`,
  ];
}

function renderLinks(links: Scan["links"]): string[] {
  if (links.length === 0) return [];
  return [
    describeLinks(links).trim(),
    "  What is behind it was not read. Scan that folder as well, or add `reviewed` to its row of `unsure` in the inventory.",
  ];
}

/** With a plan, each line says what it becomes in V2. */
export function renderScan(scan: Scan, plan?: Plan): string {
  const { uses, tests, files, lines, unfollowed, questions, links, missing, folders, notCounted } = scan;
  const scanned = `${plural(files, "file")}, ${plural(lines, "line")}`;
  const inTests =
    tests.length > 0 ? ` Not counted: ${plural(tests.length, "use")} in tests, which call a mock.` : "";
  const incomplete = [...renderUnfollowed(unfollowed), ...renderLinks(links), ...renderMissing(missing)];
  const skipped = renderSkipped(folders);
  const questioned = [
    ...renderAddresses(scan.addresses),
    ...renderQuestions(questions),
    ...renderMentions(notCounted),
  ];
  if (uses.length === 0 && questions.length + incomplete.length + notCounted.length > 0)
    return [
      "V1 may be used.",
      "",
      ...questioned,
      `Scanned ${scanned}.${inTests}`,
      ...incomplete,
      ...skipped,
      "",
    ].join("\n");
  if (uses.length === 0) return [`No uses of V1 found in ${scanned}.${inTests}`, ...skipped, ""].join("\n");
  const summary = summariseScan(scan);
  const errors = listHazards(uses, "errors");
  const traps = listHazards(uses, "traps");
  const hidden = errors.length > 0 ? ` ${plural(errors.length, "location")} would hide its retirement.` : "";
  const byFile = Map.groupBy(uses, ({ file }) => file);
  return [
    `V1 is used in ${plural(summary.files, "file")} of ${files.toLocaleString("en")}: ${plural(summary.calls, "call")}, ${plural(uses.length, "use")} in total.${hidden}`,
    "",
    ...renderEndpoints(scan),
    ...renderHazards("Error handling that hides a retired V1 behind empty values", errors),
    ...renderHazards("Migration hazards", traps),
    ...questioned,
    ...(plan
      ? ["What to change, by file", ...renderPlanLines(plan, "file").map((line) => line && `  ${line}`)]
      : ["Uses by file", ...[...byFile].flatMap(([file, own]) => renderFile(file, own)), ""]),
    `Scanned ${scanned}.${inTests}`,
    ...renderTextReads(summary.readAsText),
    ...incomplete,
    ...skipped,
    "",
  ].join("\n");
}

export type Changes = {
  added: Use[];
  gone: InventoryUse[];
  /** What the scan is not sure about, and the inventory does not have. */
  unsure: UnsureFile[];
};

const unsureReasons: Record<UnsureFile["reason"], string> = {
  "no-call": "V1's names are in the code, but no call of V1 was found near them",
  incomplete: "not analysed to the end",
  link: "a symbolic link leads out of the folders that were scanned",
  missing: "git tracks it, and it is not on the disk",
  "not-counted": "",
};

/** What `scan --new` tells: the uses that the inventory does not have, and those of it that are gone. */
export function renderNew(
  { added, gone, unsure }: Changes,
  inventoryFile: string,
  scannedOn: string,
): string {
  const byFile = Map.groupBy(added, ({ file }) => file);
  const file = printable(inventoryFile);
  return [
    added.length === 0
      ? `No new use of V1 since the inventory of ${scannedOn}.`
      : `${plural(added.length, "use")} of V1 ${added.length === 1 ? "is" : "are"} not in ${file} of ${scannedOn}:`,
    ...[...byFile].flatMap(([name, uses]) => renderFile(name, uses)),
    ...(unsure.length === 0
      ? []
      : [
          `The scan is not sure about ${plural(unsure.length, "place")} that ${unsure.length === 1 ? "is" : "are"} not in ${file}:`,
          ...unsure.map((row) => {
            const { file: name, line, endpoint, why, reason } = row;
            return endpoint && why !== undefined
              ? describeMention({ file: name, line, endpoint, why })
              : `  ${printable(name)}:${line}\t${unsureReasons[reason]}`;
          }),
        ]),
    ...(gone.length === 0
      ? []
      : [
          `${plural(gone.length, "use")} of the inventory ${gone.length === 1 ? "is" : "are"} gone:`,
          ...gone.map(({ id }) => `  ${printable(id)}`),
        ]),
    ...(added.length + gone.length + unsure.length === 0
      ? []
      : [`Accept this with \`v1watch scan DIR… --inventory ${file}\`.`]),
    "",
  ].join("\n");
}

const countBy = (keys: readonly string[]): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
};

/** The number of uses of each endpoint and field. */
export function summariseScan({ uses }: Scan): ScanOutput["summary"] {
  const endpoints = endpointIds.map((endpoint) => {
    const own = uses.filter((use) => use.endpoint === endpoint);
    // A field counts once per use, even if the use reads it several times.
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
    readAsText: [...new Set(uses.filter(isReadAsText).map(({ file }) => file))],
    endpoints,
  };
}
