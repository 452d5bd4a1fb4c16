// Loads the source files of a tree as modules and evaluates each once.
import { posix } from "node:path";
import type { Language, Statement } from "./flow/code.ts";
import { allowSteps, isSpent, namesThrough, runPending, startFlow } from "./flow/flow.ts";
import { type Flow, type Module, newFrame, type Sighting } from "./flow/frame.ts";
import { hoist } from "./flow/statements/declarations.ts";
import { runStatements } from "./flow/statements/statements.ts";
import type { Literal } from "./flow/values/atoms.ts";
import { newScope } from "./flow/values/values.ts";
import { readStatements as readGo } from "./languages/go/statements.ts";
import { readStatements as readJavascript } from "./languages/javascript/statements.ts";
import { readStatements as readPython } from "./languages/python/statements.ts";
import { languageOf, parseSource, type SyntaxNode } from "./languages/syntax.ts";
import { resolveImport, type SourceTree } from "./tree/import-targets.ts";

const readers: Record<Language, (root: SyntaxNode) => Statement[]> = {
  javascript: readJavascript,
  python: readPython,
  go: readGo,
};

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
