// Who uses V1, and what of it: source trees → uses.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { languageOf } from "./languages/syntax.ts";
import { followTree } from "./modules.ts";
import { readOtherText } from "./names/text-lines.ts";
import { listTree, readTreeFile } from "./tree/files.ts";
import { resolveImport, type SourceTree } from "./tree/import-targets.ts";
import { gatherUses, judgeSightings, type Mark, type Use } from "./uses.ts";

export type { Confidence, FieldRead, Hazard, Use } from "./uses.ts";

export type Scan = {
  files: number;
  lines: number;
  /** Where was looked, and in how many files: what is nowhere of this was not looked for. */
  folders: { name: string; files: number }[];
  uses: Use[];
  /** What only tests do: they ask a stand-in for V1, and nobody is hurt when V1 ends. */
  tests: Use[];
  /** Files whose values were not followed to the end, because that would take too long. */
  unfollowed: string[];
};
export type ScanProgress = { done: number; total: number; lines: number };
export type Folder = { root: string; as: string };
export type ScanOptions = { onProgress?: (progress: ScanProgress) => void; signal?: AbortSignal };

/** Without one of these words no file can name a V1 path; the bytes are searched before anything is parsed. */
const mentions = /passports|passport_credentials/i;

const importWords =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([^"'\n]+)["']|^\s*from\s+([\w.]+)\s+import\s+([\w ,*]+)|^\s*import\s+([\w.]+(?:\s*,\s*[\w.]+)*)/gm;
const goImport = /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\n]+)"\s*$/gm;

/** What a file imports, found without parsing it. */
function importsOf(path: string, text: string): string[] {
  if (path.endsWith(".go")) return [...text.matchAll(goImport)].map(([, specifier]) => specifier ?? "");
  const found: string[] = [];
  for (const [, quoted, module, names, dotted] of text.matchAll(importWords)) {
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

/** From here, and thus one name for one file, whichever folder leads to it. */
const nameFile = (as: string, file: string): string => posix.relative("", posix.join(as, file));

/** A folder of tests that is scanned alone is one, too; what lies above a folder elsewhere says nothing of it. */
const isInTests = (as: string, file: string): boolean =>
  isTest(posix.join(as.startsWith("..") ? posix.basename(as) : as, file));

const fileType = (file: string): string => languageOf(file) ?? (posix.extname(file).slice(1) || "text");

function countLines(text: string): number {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

type Reading = { tree: SourceTree; seeds: string[]; imports: Map<string, string[]>; marks: Mark[] };

/** Reads every file once; only those that can matter are parsed later. */
async function readTree(
  root: string,
  paths: readonly string[],
  step: (lines: number) => Promise<void>,
): Promise<Reading> {
  const imports = new Map<string, string[]>();
  const packages = new Map<string, string[]>();
  const goModules = new Map<string, string>();
  const marks: Mark[] = [];
  const seeds: string[] = [];
  for (const path of paths) {
    const text = readTreeFile(join(root, path));
    await step(text === undefined ? 0 : countLines(text));
    if (text === undefined) continue;
    const mentionsV1 = mentions.test(text);
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

function findImporters({ tree, imports, seeds }: Reading): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [path, specifiers] of seeds.length > 0 ? imports : []) {
    for (const specifier of specifiers) {
      const target = resolveImport(path, specifier, tree);
      if (target) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}

/** Python: whoever uses a module's function writes its name, unless it takes all names or is the package's front. */
function mayUse(path: string, target: string, names: ReadonlySet<string>, tree: SourceTree): boolean {
  const isFront = posix.basename(path) === "__init__.py";
  if (isFront && (path === "__init__.py" || target.startsWith(posix.dirname(path)))) return true;
  const text = tree.read(path);
  const module = posix.basename(
    target === "__init__.py" ? target : target.replace(/\/__init__\.py$/, ""),
    ".py",
  );
  const takesAll = [...text.matchAll(/^\s*from\s+([\w.]+)\s+import\s*\*/gm)].some(
    ([, from = ""]) => from.endsWith(module) || from.endsWith("."),
  );
  return takesAll || (text.match(/[A-Za-z_]\w*/g) ?? []).some((word) => names.has(word));
}

/** Follows V1's values from the files that name its paths to whoever imports them, until nothing new turns up. */
async function followUses(
  reading: Reading,
  step: () => Promise<void>,
): Promise<{ found: Mark[]; unfollowed: string[] }> {
  const { tree, seeds } = reading;
  const importers = findImporters(reading);
  const named = new Set(seeds);
  const followed = followTree(tree, named);
  const done = new Set<string>();
  const left = new Set<string>();
  /** Python: a module that only imports something for others. */
  const handsOn = (path: string) => path.endsWith(".py") && followed.namesThrough(path).size > 0;
  const importersOf = (target: string): string[] => {
    const others = [...(importers.get(target) ?? [])].filter((path) => !done.has(path));
    if (others.length === 0 || !target.endsWith(".py")) return others;
    const names = followed.namesThrough(target);
    return others.filter((path) => mayUse(path, target, names, tree));
  };
  for (let next = seeds; next.length > 0; ) {
    for (const path of next) {
      done.add(path);
      // Files that name V1's paths are always looked at.
      if (!named.has(path) && followed.isSpent()) left.add(path);
      else followed.follow(path);
      await step();
    }
    const carriers = new Set([
      ...next.filter((path) => named.has(path) || followed.carries(path) || handsOn(path)),
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
    unfollowed: [...new Set([...left, ...followed.cut(), ...followed.tangled])],
  };
}

/** Long enough to be seldom, short enough for a bar that moves and a Ctrl-C that works. */
const breathMs = 50;

/** Undefined when it was stopped. Folders are named in the result by `as`. */
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
  let breathedMs = performance.now();
  const breathe = async () => {
    if (performance.now() - breathedMs < breathMs) return;
    onProgress?.(progress);
    await new Promise((resolve) => setImmediate(resolve));
    breathedMs = performance.now();
    signal?.throwIfAborted();
  };
  const marks: Mark[] = [];
  const inTests: Mark[] = [];
  const unfollowed: string[] = [];
  try {
    for (const { root, as, paths } of lists) {
      const reading = await readTree(root, paths, async (lines) => {
        progress.done += 1;
        progress.lines += lines;
        await breathe();
      });
      const followed = await followUses(reading, breathe);
      for (const file of followed.unfollowed) unfollowed.push(nameFile(as, file));
      for (const mark of [...reading.marks, ...followed.found]) {
        const kept = isInTests(as, mark.file) ? inTests : marks;
        kept.push({ ...mark, file: nameFile(as, mark.file) });
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
    uses: gatherUses(marks, fileType),
    tests: gatherUses(inTests, fileType),
    unfollowed: unfollowed.sort(),
  };
}
