// Loads the source files of a tree as modules and evaluates each once.
import { posix } from "node:path";
import { v1Routes } from "./flow/calls/routes.ts";
import type { Statement } from "./flow/code.ts";
import { allowSteps, isSpent, runPending, startFlow } from "./flow/flow.ts";
import { newFrame } from "./flow/frame.ts";
import { hoist } from "./flow/statements/declarations.ts";
import { runStatements } from "./flow/statements/statements.ts";
import type { Flow, Language, Module, Sighting, Template } from "./flow/values/atoms.ts";
import { newScope, remember } from "./flow/values/values.ts";
import { go } from "./languages/go/calls.ts";
import { readStatements as readGo } from "./languages/go/statements.ts";
import { javascript } from "./languages/javascript/libraries.ts";
import { readStatements as readJavascript } from "./languages/javascript/statements.ts";
import { isComponent } from "./languages/markup.ts";
import { python } from "./languages/python/library.ts";
import { readStatements as readPython } from "./languages/python/statements.ts";
import { type LanguageId, languageOf, parseSource, type SyntaxNode } from "./languages/syntax.ts";
import type { AddressMatcher } from "./names/addresses.ts";
import type { Neighbours } from "./names/neighbours.ts";
import { isTest } from "./tree/files.ts";
import {
  autoImported,
  autoPrefix,
  resolveImport,
  type SourceFiles,
  type SourceTree,
} from "./tree/imports.ts";

type Reader = { language: Language; read(root: SyntaxNode): Statement[] };

const readers: Record<LanguageId, Reader> = {
  javascript: { language: javascript, read: readJavascript },
  python: { language: python, read: readPython },
  go: { language: go, read: readGo },
};

/** A module of nothing else hands on what it imports. */
const isHandingOn = /^(import|export|bind|do|loop)$/;

/** Wrappers and settings are seldom further away from who uses them. */
const maxImportDepth = 3;

/** In characters; some 400,000 lines. */
const maxLoadedLength = 15_000_000;

/**
 * `named`: the files that name V1's paths, which are followed whatever it takes. `unaddressed`: the files in which a
 * request to an unknown address may be one to V1.
 */
function followTree(
  tree: SourceTree,
  named: ReadonlySet<string>,
  { near, unaddressed }: Neighbours,
  matcher: AddressMatcher,
  servesPath: boolean,
) {
  const modules = new Map<string, Module>();
  const shared = new Map<string, Pick<Module, "exported" | "methods" | "tags">>();
  /** A value keeps its type's tags in whichever package it is read. */
  const allTags: Module["allTags"] = new Map();
  const allMethods: Module["allMethods"] = new Map();
  const templates = new Map<string, Template>();
  const sightings: Sighting[] = [];
  const tangled = new Set<string>();
  const seen = new Set<string>();
  const followed = new Set<string>();
  /** How many imports lead to a file from one that names V1, or that imports such a file. */
  const depths = new Map<string, number>();
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
    const id = languageOf(path)!;
    const { language, read } = readers[id];
    const folder = posix.dirname(path);
    const empty = () => ({ exported: newScope(), methods: new Map(), tags: new Map() });
    const known = id === "go" ? remember(shared, folder, empty) : empty();
    const scope = id === "go" ? newScope(known.exported) : known.exported;
    const text = tree.read(path);
    loadedLength += text.length;
    const own = within(path, () => read(parseSource(path, text))) ?? [];
    const auto = autoImported(path, text, tree).map(({ name, file }): Statement => {
      const imported = file.endsWith(".vue") ? "default" : name;
      return { kind: "import", from: autoPrefix + file, names: [{ imported, local: name }], line: 1 };
    });
    const statements = [...auto, ...own];
    const module = {
      flow,
      file: path,
      language,
      statements,
      ...known,
      allTags,
      allMethods,
      outside: new Set(),
      aliases: new Map(),
      pending: new Map(),
      carries: statements.every(({ kind }) => isHandingOn.test(kind)),
    } as unknown as Module;
    module.frame = newFrame(module, scope);
    modules.set(path, module);
    return module;
  }

  function run(module: Module): void {
    module.frame.errors.clear();
    const { start } = flow;
    allowSteps(flow, module.file);
    within(module.file, () => runStatements(module.statements, module.frame));
    // An import is over: its importer goes on.
    if (start !== "") allowSteps(flow, start);
  }

  const finish = (module: Module) => within(module.file, () => runPending(module, flow));

  /** All files of a Go package at once: they share their names. */
  const packageOf = (path: string): readonly string[] =>
    (languageOf(path) === "go" && tree.packages.get(posix.dirname(path))) || [path];

  function open(path: string): Module {
    const known = modules.get(path);
    if (known) return known;
    const opened = packageOf(path).map(load);
    hoist(opened);
    for (const module of opened) run(module);
    return modules.get(path)!;
  }

  const flow: Flow = startFlow({
    ...{ tell, matcher, near, unaddressed, servesPath },
    findTemplate: (name) => {
      const file = tree.templates.find((path) => path === name || path.endsWith(`/${name}`));
      return file ? remember(templates, file, () => ({ file, text: tree.read(file) })) : undefined;
    },
    importModule: (module, specifier) => {
      const path = resolveImport(module.file, specifier, tree);
      const depth = (depths.get(module.file) ?? 0) + 1;
      if (path === undefined || (depth > maxImportDepth && !named.has(path))) return modules.get(path ?? "");
      if (!named.has(path)) depths.set(path, Math.min(depth, depths.get(path) ?? depth));
      if (modules.has(path) || named.has(path) || !isOver()) return open(path);
      flow.cut.add(module.file);
      return undefined;
    },
  });

  const isOver = () => isSpent(flow) || loadedLength > maxLoadedLength;
  const isConcerned = ({ file, carries }: Module) => carries || followed.has(file);
  /** What tests read of V1 is listed apart; one round is enough for them. */
  const isRepeated = (module: Module) => isConcerned(module) && !isTest(module.file);

  return {
    sightings,
    literals: flow.literals,
    others: flow.others,
    tangled,
    follow(path: string) {
      for (const file of packageOf(path)) {
        followed.add(file);
        depths.delete(file);
        finish(open(file));
      }
    },
    /** Runs everything once more, now that all is known. */
    again() {
      flow.round += 1;
      flow.steps = 0;
      const concerned = [...modules.values()].filter(isRepeated);
      // First those that name V1's paths, as in the first round.
      const ordered = concerned.toSorted((a, b) => Number(named.has(b.file)) - Number(named.has(a.file)));
      hoist(ordered);
      for (const work of [run, finish]) {
        for (const module of ordered) {
          if (named.has(module.file) || !isSpent(flow)) work(module);
          else flow.cut.add(module.file);
        }
      }
      // Components are given their properties by those who import them.
      for (const module of ordered.filter(({ file }) => isComponent(file))) if (!isSpent(flow)) run(module);
    },
    /** Files that contain V1's paths are analysed whatever it takes; tests and other files up to a limit. */
    isPastLimit: (path: string) => (isTest(path) || !named.has(path)) && isOver(),
    /** Files whose values were not followed to the end. */
    cut: () => [...flow.cut].filter((path) => modules.has(path) && isConcerned(modules.get(path)!)),
    /** The written parts of the tree's own routes that answer with V1's data. */
    routes: () => v1Routes(flow),
    carries: (path: string) => modules.get(path)?.carries ?? false,
    packageOf,
  };
}

// V1's values are followed from the files that name V1 through their importers until no new file is found. Tests come
// last: they break nobody, and the limits of the analysis are for the code that does.
export async function followUses(
  { tree, seeds, servesPath }: SourceFiles,
  importers: ReadonlyMap<string, ReadonlySet<string>>,
  neighbours: Neighbours,
  matcher: AddressMatcher,
  step: () => Promise<void>,
) {
  const named = new Set(seeds);
  const followed = followTree(tree, named, neighbours, matcher, servesPath);
  const done = new Set<string>();
  const skipped = new Set<string>();
  /** Files that import what has V1's values. */
  const importing = (): string[] => {
    const carriers = [...done].filter((path) => named.has(path) || followed.carries(path));
    const sources = new Set([...carriers, ...followed.sightings.map(({ file }) => file)]);
    const users = [...sources]
      .flatMap(followed.packageOf)
      .flatMap((path) => [...(importers.get(path) ?? [])]);
    return [...new Set(users)];
  };
  /** Files that mention a route of the tree which answers with V1's data. */
  const clients = (): string[] => {
    const routes = followed.routes();
    if (routes.length === 0) return [];
    return [...tree.files].filter((path) => {
      if (done.has(path)) return false;
      const text = tree.read(path);
      return routes.some((route) => text.includes(route));
    });
  };
  const findNext = (areTests: boolean): string[] => {
    for (const find of [() => seeds, importing, clients]) {
      const next = find().filter((path) => !done.has(path) && isTest(path) === areTests);
      if (next.length > 0) return next;
    }
    return [];
  };
  for (const areTests of [false, true]) {
    for (let next = findNext(areTests); next.length > 0; next = findNext(areTests)) {
      for (const path of next) {
        done.add(path);
        if (followed.isPastLimit(path)) skipped.add(path);
        else followed.follow(path);
        await step();
      }
    }
  }
  if (done.size > 0) followed.again();
  return {
    sightings: followed.sightings,
    literals: followed.literals,
    /** Files that read names of V1 from something else, such as another service. */
    others: followed.others,
    /** Files that were not looked into: nested too deeply to parse, or past the limits. */
    onlySearched: new Set([...skipped, ...followed.tangled]),
    /** Files whose data-flow analysis was cut off by a limit. */
    unfollowed: [...new Set([...skipped, ...followed.cut(), ...followed.tangled])].filter(
      (path) => !isTest(path),
    ),
  };
}
