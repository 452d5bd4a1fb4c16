// The files that are V1's: those that name it, and their import neighbours of two hops.
import { posix } from "node:path";
import { isTest } from "../tree/files.ts";
import type { SourceFiles } from "../tree/imports.ts";
import { noNames, tellingIn } from "./names.ts";
import { isTemplate } from "./templates.ts";

const maxHops = 2;

type Graph = Map<string, Set<string>>;

function connect(graph: Graph, a: string, b: string): void {
  if (a === b) return;
  graph.set(a, (graph.get(a) ?? new Set()).add(b));
  graph.set(b, (graph.get(b) ?? new Set()).add(a));
}

/** `passport_client.rb` is used as `PassportClient` and as `passport_client`. */
function wordsFor(path: string): string[] {
  const stem = posix.basename(path).replace(/\.\w+$/, "");
  const camel = stem.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return stem.length < 4 || /^(main|index|mod|lib|app|client|utils?|models?|types)$/i.test(stem)
    ? []
    : [stem, camel];
}

/** In languages that are searched and not parsed, a file counts as using another one whose name occurs in it. */
function connectOtherSources({ names, otherSources, tree }: SourceFiles, graph: Graph): void {
  const targets = otherSources.filter((path) => names.get(path)?.isV1);
  if (targets.length === 0) return;
  const byWord = new Map(targets.flatMap((path) => wordsFor(path).map((word) => [word, path] as const)));
  for (const path of otherSources) {
    const extension = posix.extname(path);
    for (const word of new Set(tree.read(path).match(/[A-Za-z_]\w{3,}/g))) {
      const target = byWord.get(word);
      if (target && posix.extname(target) === extension) connect(graph, path, target);
    }
  }
}

/** A template is used by the code near V1's names, and by the templates, that have its file's name in them. */
function connectTemplates({ names, tree }: SourceFiles, graph: Graph): void {
  const templates = [...names.keys()].filter(isTemplate);
  if (templates.length === 0) return;
  for (const path of new Set([...names.keys()].flatMap((file) => [file, ...(graph.get(file) ?? [])]))) {
    if (!tree.files.has(path) && !isTemplate(path)) continue;
    const text = tree.read(path);
    for (const template of templates)
      if (text.includes(posix.basename(template))) connect(graph, path, template);
  }
}

export type Neighbours = {
  /** Files that show by their own names, or together with their neighbours, that they are V1's. */
  own: ReadonlySet<string>;
  /** These files and their neighbours. */
  near: ReadonlySet<string>;
  /** Those of the files without a V1 path around them, and their neighbours: the address is outside the code. */
  unaddressed: ReadonlySet<string>;
  /** A file and its neighbours. */
  around(path: string): ReadonlySet<string>;
};

export function findNeighbours(
  sources: SourceFiles,
  importers: ReadonlyMap<string, ReadonlySet<string>>,
): Neighbours {
  const { names, tree } = sources;
  const graph: Graph = new Map();
  for (const [target, users] of importers) for (const user of users) connect(graph, target, user);
  // Go imports a package, of which every file sees every other one.
  for (const files of tree.packages.values())
    for (const file of files.slice(1)) connect(graph, files[0]!, file);
  connectOtherSources(sources, graph);
  connectTemplates(sources, graph);
  const around = (path: string): Set<string> => {
    const found = new Set([path]);
    let edge = [path];
    for (let hop = 0; hop < maxHops; hop++) {
      edge = edge.flatMap((from) => [...(graph.get(from) ?? [])]).filter((to) => !found.has(to));
      for (const file of edge) found.add(file);
    }
    return found;
  };
  const telling = (paths: Iterable<string>) =>
    new Set([...paths].flatMap((path) => (isTest(path) ? [] : tellingIn(names.get(path) ?? noNames))));
  const own = new Set(
    [...names].flatMap(([path, found]) => {
      if (isTest(path)) return [];
      const isShown = found.isV1 || (tellingIn(found).length > 0 && telling(around(path)).size > 1);
      return isShown ? [path] : [];
    }),
  );
  const near = new Set([...own].flatMap((path) => [...around(path)]));
  const lost = [...own].filter((path) => ![...around(path)].some((other) => names.get(other)?.namesPath));
  return { own, near, unaddressed: new Set(lost.flatMap((path) => [...around(path)])), around };
}
