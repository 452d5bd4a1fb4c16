// Scans source trees and returns the code that uses V1: calls, field reads and hazards.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { languageOf } from "./languages/syntax.ts";
import { followTree } from "./modules.ts";
import { readOtherText } from "./names/text-lines.ts";
import { listTree, readTreeFile } from "./tree/files.ts";
import { resolveImport, type SourceTree } from "./tree/import-targets.ts";
import { groupIntoUses, judgeSightings, type Mark, type Use } from "./uses.ts";

export type { Confidence, FieldRead, Hazard, Use } from "./uses.ts";

export type Scan = {
  files: number;
  lines: number;
  /** The scanned folders and the number of files in each. */
  folders: { name: string; files: number }[];
  uses: Use[];
  /** Uses in tests, which call a substitute for V1 and do not break when V1 is retired. */
  tests: Use[];
  /** Files whose data-flow analysis was cut off by a limit. */
  unfollowed: string[];
};
export type ScanProgress = { done: number; total: number; lines: number };
export type Folder = { root: string; as: string };
export type ScanOptions = { onProgress?: (progress: ScanProgress) => void; signal?: AbortSignal };

/** A file that does not match cannot contain a V1 path, so it is not parsed for its own sake. */
const v1PathPattern = /passports|passport_credentials/i;

const importPattern =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([^"'\n]+)["']|^\s*from\s+([\w.]+)\s+import\s+([\w ,*]+)|^\s*import\s+([\w.]+(?:\s*,\s*[\w.]+)*)/gm;
const goImportPattern = /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\n]+)"\s*$/gm;

/** The imports of a file, found by regular expressions without parsing. */
function importsOf(path: string, text: string): string[] {
  if (path.endsWith(".go"))
    return [...text.matchAll(goImportPattern)].map(([, specifier]) => specifier ?? "");
  const found: string[] = [];
  for (const [, quoted, module, names, dotted] of text.matchAll(importPattern)) {
    if (quoted) found.push(quoted);
    else if (module) {
      found.push(module);
      for (const name of names?.split(",") ?? [])
        found.push(module.endsWith(".") ? module + name.trim() : `${module}.${name.trim()}`);
    } else for (const name of dotted?.split(",") ?? []) found.push(name.trim());
  }
  return found;
}

const isTest = (file: string): boolean =>
  /(^|\/)(tests?|specs?|__tests__|__mocks__|mocks|e2e|cypress)\/|(^|\/)(test_[^/]*|[^/]*_test|conftest)\.(py|go)$|\.(test|spec|cy)\.\w+$/.test(
    file,
  );

/** The normalized path relative to the working directory, so that one file has one name. */
const toDisplayPath = (as: string, file: string): string => posix.relative("", posix.join(as, file));

/** Also true if a test folder is scanned by itself. Parent folders of a path that starts with `..` are ignored. */
const isInTests = (as: string, file: string): boolean =>
  isTest(posix.join(as.startsWith("..") ? posix.basename(as) : as, file));

const fileType = (file: string): string => languageOf(file) ?? (posix.extname(file).slice(1) || "text");

function countLines(text: string): number {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

type SourceFiles = { tree: SourceTree; seeds: string[]; imports: Map<string, string[]>; marks: Mark[] };

/** Reads every file once. Only files that may use V1 are parsed later. */
async function readTree(
  root: string,
  paths: readonly string[],
  step: (lines: number) => Promise<void>,
): Promise<SourceFiles> {
  const imports = new Map<string, string[]>();
  const packages = new Map<string, string[]>();
  const goModules = new Map<string, string>();
  const marks: Mark[] = [];
  const seeds: string[] = [];
  for (const path of paths) {
    const text = readTreeFile(join(root, path));
    await step(text === undefined ? 0 : countLines(text));
    if (text === undefined) continue;
    const mentionsV1 = v1PathPattern.test(text);
    const [, goModule] = posix.basename(path) === "go.mod" ? (/^module\s+(\S+)/m.exec(text) ?? []) : [];
    if (goModule) goModules.set(posix.dirname(path), goModule);
    if (!languageOf(path)) {
      for (const mark of mentionsV1 ? readOtherText(path, text) : []) marks.push(mark);
      continue;
    }
    imports.set(path, importsOf(path, text));
    if (path.endsWith(".go")) {
      const folder = posix.dirname(path);
      packages.set(folder, [...(packages.get(folder) ?? []), path]);
    }
    if (mentionsV1) seeds.push(path);
  }
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  return { tree: { files: new Set(imports.keys()), packages, goModules, read }, seeds, imports, marks };
}

function findImporters({ tree, imports, seeds }: SourceFiles): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [path, specifiers] of seeds.length > 0 ? imports : []) {
    for (const specifier of specifiers) {
      const target = resolveImport(path, specifier, tree);
      if (target) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}

/** Python: whether a file mentions one of the names, imports them by a wildcard, or is the package's `__init__.py`. */
function mayUseNames(path: string, target: string, names: ReadonlySet<string>, tree: SourceTree): boolean {
  const isPackageInit = posix.basename(path) === "__init__.py";
  if (isPackageInit && (path === "__init__.py" || target.startsWith(posix.dirname(path)))) return true;
  const text = tree.read(path);
  const module = posix.basename(
    target === "__init__.py" ? target : target.replace(/\/__init__\.py$/, ""),
    ".py",
  );
  const hasWildcardImport = [...text.matchAll(/^\s*from\s+([\w.]+)\s+import\s*\*/gm)].some(
    ([, from = ""]) => from.endsWith(module) || from.endsWith("."),
  );
  return hasWildcardImport || (text.match(/[A-Za-z_]\w*/g) ?? []).some((word) => names.has(word));
}

/** Follows V1's values from files that contain its paths through their importers until no new file is found. */
async function followUses(
  sources: SourceFiles,
  step: () => Promise<void>,
): Promise<{ found: Mark[]; unfollowed: string[] }> {
  const { tree, seeds } = sources;
  const importers = findImporters(sources);
  const named = new Set(seeds);
  const followed = followTree(tree, named);
  const done = new Set<string>();
  const skipped = new Set<string>();
  /** Python: a module that only re-exports names. */
  const isReExport = (path: string) => path.endsWith(".py") && followed.namesThrough(path).size > 0;
  const importersOf = (target: string): string[] => {
    const others = [...(importers.get(target) ?? [])].filter((path) => !done.has(path));
    if (others.length === 0 || !target.endsWith(".py")) return others;
    const names = followed.namesThrough(target);
    return others.filter((path) => mayUseNames(path, target, names, tree));
  };
  for (let next = seeds; next.length > 0; ) {
    for (const path of next) {
      done.add(path);
      // Files that contain V1's paths are always analysed, whatever the limits.
      if (!named.has(path) && followed.isSpent()) skipped.add(path);
      else followed.follow(path);
      await step();
    }
    const carriers = new Set([
      ...next.filter((path) => named.has(path) || followed.carries(path) || isReExport(path)),
      ...followed.sightings.map(({ file }) => file),
    ]);
    const targets = [...carriers].flatMap((path) =>
      path.endsWith(".go") ? (tree.packages.get(posix.dirname(path)) ?? []) : [path],
    );
    next = [...new Set(targets.flatMap((target) => importersOf(target)))];
  }
  if (done.size > 0) followed.again();
  const asText = [...followed.tangled].flatMap((path) => readOtherText(path, tree.read(path)));
  return {
    found: [...judgeSightings(followed.sightings, followed.literals), ...asText],
    unfollowed: [...new Set([...skipped, ...followed.cut(), ...followed.tangled])],
  };
}

/** How often the scan yields to the event loop for progress updates and for Ctrl-C. */
const yieldIntervalMs = 50;

/** Returns undefined if the scan was aborted. File names in the result start with the folder's `as`. */
export async function scanConsumers(
  folders: readonly Folder[],
  { onProgress, signal }: ScanOptions = {},
): Promise<Scan | undefined> {
  const lists = folders.map(({ root, as }) => ({ root, as, paths: listTree(root) }));
  const progress: ScanProgress = {
    done: 0,
    total: lists.reduce((sum, { paths }) => sum + paths.length, 0),
    lines: 0,
  };
  let lastYieldMs = performance.now();
  const yieldToEventLoop = async () => {
    if (performance.now() - lastYieldMs < yieldIntervalMs) return;
    onProgress?.(progress);
    await new Promise((resolve) => setImmediate(resolve));
    lastYieldMs = performance.now();
    signal?.throwIfAborted();
  };
  const marks: Mark[] = [];
  const testMarks: Mark[] = [];
  const unfollowed: string[] = [];
  try {
    for (const { root, as, paths } of lists) {
      const sources = await readTree(root, paths, async (lines) => {
        progress.done += 1;
        progress.lines += lines;
        await yieldToEventLoop();
      });
      const followed = await followUses(sources, yieldToEventLoop);
      for (const file of followed.unfollowed) unfollowed.push(toDisplayPath(as, file));
      for (const mark of [...sources.marks, ...followed.found]) {
        const target = isInTests(as, mark.file) ? testMarks : marks;
        target.push({ ...mark, file: toDisplayPath(as, mark.file) });
      }
    }
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
  return {
    files: progress.total,
    lines: progress.lines,
    folders: lists.map(({ as, paths }) => ({ name: as, files: paths.length })),
    uses: groupIntoUses(marks, fileType),
    tests: groupIntoUses(testMarks, fileType),
    unfollowed: unfollowed.sort(),
  };
}
