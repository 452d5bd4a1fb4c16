// The source files of a tree as modules: which file an import means, read and run once each.
import { posix } from "node:path";
import { namesThrough } from "./scan-carriers.ts";
import type { Language, Statement } from "./scan-code.ts";
import { hoist } from "./scan-declarations.ts";
import { allowSteps, isSpent, runPending, startFlow } from "./scan-flow.ts";
import { type Flow, type Module, newFrame, type Sighting } from "./scan-frame.ts";
import { readStatements as readGo } from "./scan-go-statements.ts";
import { readStatements as readJavascript } from "./scan-javascript-statements.ts";
import { readStatements as readPython } from "./scan-python-statements.ts";
import { runStatements } from "./scan-statements.ts";
import { languageOf, parseSource, type SyntaxNode } from "./scan-syntax.ts";
import { type Literal, newScope } from "./scan-values.ts";

const readers: Record<Language, (root: SyntaxNode) => Statement[]> = {
  javascript: readJavascript,
  python: readPython,
  go: readGo,
};

const extensions = ["", ".ts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".mts", ".cts", ".vue", ".svelte"];
const indexes = ["/index.ts", "/index.tsx", "/index.js", "/index.mjs"];

export type SourceTree = {
  /** Paths of every source file of the tree. */
  files: ReadonlySet<string>;
  /** Go: the files of each folder. */
  packages: ReadonlyMap<string, readonly string[]>;
  /** Go: the folders with a go.mod, and what their import paths begin with. */
  goModules: ReadonlyMap<string, string>;
  read(path: string): string;
};

const parents = (folder: string): string[] =>
  folder === "." || folder === "" ? [""] : [folder, ...parents(posix.dirname(folder))];

const under = (folder: string, path: string) =>
  folder === "" || folder === "." ? path : posix.join(folder, path);

function resolveJavascript(from: string, specifier: string, { files }: SourceTree): string | undefined {
  const isRelative = specifier.startsWith(".");
  // `@/lib/api` and `~/lib/api`: an alias for some folder above.
  const rest = specifier.replace(/^[@~]?\//, "");
  const starts = isRelative
    ? [posix.join(posix.dirname(from), specifier)]
    : rest !== specifier
      ? parents(posix.dirname(from)).flatMap((folder) => [under(folder, rest), under(folder, `src/${rest}`)])
      : parents(posix.dirname(from)).map((folder) => under(folder, specifier));
  for (const start of starts) {
    // TypeScript imports its own files by the names that they will have as JavaScript.
    const bare = start.replace(/\.(m|c)?jsx?$/, "");
    const found = [
      ...extensions.map((end) => start + end),
      ...indexes.map((end) => start + end),
      ...extensions.map((end) => bare + end),
    ];
    const file = found.find((candidate) => files.has(candidate));
    if (file) return file;
  }
  return undefined;
}

function resolvePython(from: string, specifier: string, { files }: SourceTree): string | undefined {
  const dots = /^\.*/.exec(specifier)![0].length;
  const path = specifier.slice(dots).replaceAll(".", "/");
  let folder = posix.dirname(from);
  for (let level = 1; level < dots; level++) folder = posix.dirname(folder);
  const starts = dots > 0 ? [folder] : parents(folder);
  for (const start of starts) {
    const base = path === "" ? start : under(start, path);
    const file = [`${base}.py`, `${base}/__init__.py`].find((candidate) => files.has(candidate));
    if (file) return file;
  }
  return undefined;
}

/** The name that a folder's files give their package. */
function packageName(folder: string, tree: SourceTree): string | undefined {
  const [file] = tree.packages.get(folder) ?? [];
  return file && /^package\s+(\w+)/m.exec(tree.read(file))?.[1];
}

const rootNames = new WeakMap<SourceTree, string>();

/** A package's folder: the longest end of the import path that is a folder of the tree. */
function resolveGo(from: string, specifier: string, tree: SourceTree): string | undefined {
  const { packages } = tree;
  for (const [folder, path] of tree.goModules) {
    if (specifier !== path && !specifier.startsWith(`${path}/`)) continue;
    const [file] = packages.get(posix.join(folder, specifier.slice(path.length + 1))) ?? [];
    if (file) return file;
  }
  const parts = specifier.split("/");
  for (let start = 0; start < parts.length; start++) {
    const end = parts.slice(start).join("/");
    for (const folder of parents(posix.dirname(from))) {
      const [file] = packages.get(under(folder, end)) ?? [];
      if (file && (start > 0 || parts.length === 1 || specifier.includes("."))) return file;
    }
  }
  // The root's own package, by its name.
  if (!rootNames.has(tree)) rootNames.set(tree, packageName(".", tree) ?? "main");
  const name = rootNames.get(tree);
  return name !== "main" && /^\w+\./.test(specifier) && parts.at(-1) === name
    ? packages.get(".")?.[0]
    : undefined;
}

const resolvers = { javascript: resolveJavascript, python: resolvePython, go: resolveGo };

/** The file that an import of another file means; undefined when it is outside the tree. */
export function resolveImport(from: string, specifier: string, tree: SourceTree): string | undefined {
  const language = languageOf(from);
  if (!language || specifier === "") return undefined;
  const found = resolvers[language](from, specifier, tree);
  return found === from ? undefined : found;
}

export type Followed = {
  sightings: Sighting[];
  literals: readonly Literal[];
  /** Files nested too deeply to follow. */
  tangled: ReadonlySet<string>;
  follow(path: string): void;
  /** Runs everything once more, now that all is known. */
  again(): void;
  /** Enough was done for files that do not name V1 themselves. */
  isSpent(): boolean;
  /** Files whose values were not followed to the end. */
  cut(): string[];
  carries(path: string): boolean;
  /** The names by which whoever imports the file may get at V1. */
  namesThrough(path: string): ReadonlySet<string>;
};

/** In characters; some 400,000 lines. */
const maxLoadedLength = 15_000_000;

/** `named`: the files that name V1's paths, which are followed whatever it takes. */
export function followTree(tree: SourceTree, named: ReadonlySet<string>): Followed {
  const modules = new Map<string, Module>();
  const shared = new Map<string, Pick<Module, "exported" | "methods" | "tags">>();
  /** A value keeps its type's tags in whichever package it is read. */
  const allTags: Module["allTags"] = new Map();
  const allMethods: Module["allMethods"] = new Map();
  const sightings: Sighting[] = [];
  const tangled = new Set<string>();
  const seen = new Set<string>();
  const followed = new Set<string>();
  let loadedLength = 0;

  /** Code nested a thousand levels deep is nobody's; it ends its own file's analysis, not the scan. */
  function within<T>(path: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      tangled.add(path);
      return undefined;
    }
  }

  const tell = (sighting: Sighting): void => {
    const key = Object.values(sighting).join("\n");
    if (seen.has(key)) return;
    seen.add(key);
    sightings.push(sighting);
  };

  function load(path: string): Module {
    const language = languageOf(path)!;
    const folder = posix.dirname(path);
    const own = { exported: newScope(), methods: new Map(), tags: new Map() };
    const known = language === "go" ? (shared.get(folder) ?? own) : own;
    if (language === "go") shared.set(folder, known);
    const scope = language === "go" ? newScope(known.exported) : known.exported;
    const text = tree.read(path);
    loadedLength += text.length;
    const statements = within(path, () => readers[language](parseSource(path, text))) ?? [];
    const module = {
      file: path,
      language,
      statements,
      ...known,
      allTags,
      allMethods,
      outside: new Set(),
      aliases: new Map(),
      pending: new Map(),
      carries: false,
    } as unknown as Module;
    module.frame = newFrame(module, scope);
    modules.set(path, module);
    return module;
  }

  function run(module: Module): void {
    module.frame.errors.clear();
    const { start } = flow;
    allowSteps(flow, module.file);
    within(module.file, () => runStatements(module.statements, module.frame, flow));
    // An import is over: its importer goes on.
    if (start !== "") allowSteps(flow, start);
  }

  const finish = (module: Module) => within(module.file, () => runPending(module, flow));

  /** All files of a Go package at once: they share their names. */
  function open(path: string): Module {
    const known = modules.get(path);
    if (known) return known;
    const together = languageOf(path) === "go" ? (tree.packages.get(posix.dirname(path)) ?? [path]) : [path];
    const opened = together.map(load);
    for (const module of opened) hoist(module.statements, module.frame, flow);
    for (const module of opened) run(module);
    return modules.get(path)!;
  }

  const flow: Flow = startFlow({
    tell,
    importModule: (module, specifier) => {
      const path = resolveImport(module.file, specifier, tree);
      if (path === undefined) return undefined;
      if (modules.has(path) || named.has(path) || !isOver()) return open(path);
      flow.cut.add(module.file);
      return undefined;
    },
  });

  const isOver = () => isSpent(flow) || loadedLength > maxLoadedLength;
  const isConcerned = ({ file, language, carries }: Module) =>
    language !== "python" || carries || followed.has(file);

  return {
    sightings,
    literals: flow.literals,
    tangled,
    follow(path) {
      followed.add(path);
      finish(open(path));
    },
    again() {
      flow.round += 1;
      flow.steps = 0;
      const concerned = [...modules.values()].filter(isConcerned);
      // First those that name V1's paths, as in the first round.
      const ordered = concerned.toSorted((a, b) => Number(named.has(b.file)) - Number(named.has(a.file)));
      for (const module of ordered) hoist(module.statements, module.frame, flow);
      for (const work of [run, finish]) {
        for (const module of ordered) {
          if (named.has(module.file) || !isSpent(flow)) work(module);
          else flow.cut.add(module.file);
        }
      }
    },
    isSpent: isOver,
    cut: () =>
      [...flow.cut].filter((path) => {
        const module = modules.get(path);
        return module !== undefined && isConcerned(module);
      }),
    carries: (path) => modules.get(path)?.carries ?? false,
    namesThrough(path) {
      const module = modules.get(path);
      return module ? namesThrough(module, modules.values()) : new Set();
    },
  };
}
