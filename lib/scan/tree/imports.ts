// The imports of a file, and the files of the tree that they mean.
import { readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { languageOf } from "../code/syntax.ts";
import { type AddressMatcher, mentionsResource, resources } from "../names/addresses.ts";
import { type BaseAddress, hostsIn, readBases } from "../names/bases.ts";
import { type FileNames, isOtherSource, mayBeV1, readNames } from "../names/names.ts";
import { Digest } from "./digest.ts";
import { packageNameIn, readTreeFile } from "./files.ts";

const importPattern =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["']([^"'\n]+)["']|^[ \t]*from\s+([\w.]+)\s+import\s+([\w ,*]+)|^[ \t]*import\s+([\w.]+(?:\s*,\s*[\w.]+)*)/gm;
const goImportPattern = /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([^"\n]+)"[ \t]*$/gm;

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

const extensions = [
  "",
  ..."ts tsx js mjs cjs jsx mts cts vue svelte astro".split(" ").map((end) => `.${end}`),
];
const indexes = ["index.ts", "index.tsx", "index.js", "index.mjs"];

export type SourceTree = {
  /** Paths of every source file of the tree. */
  files: ReadonlySet<string>;
  /** Go: the files of each folder. */
  packages: ReadonlyMap<string, readonly string[]>;
  /** The folders of packages by their names. */
  folders: ReadonlyMap<string, string>;
  read(path: string): string;
};

const parents = (folder: string): string[] =>
  folder === "." || folder === "" ? [""] : [folder, ...parents(posix.dirname(folder))];

const under = (folder: string, path: string) =>
  folder === "" || folder === "." ? path : posix.join(folder, path);

/** `@team/client/errors`: a package of the same repository, by its manifest or by its folder. */
function workspaceStarts(from: string, specifier: string, { folders }: SourceTree): string[] {
  const [, scope = "", name = "", rest = ""] = /^(@[^/]+\/)?([^/]+)(.*)$/.exec(specifier) ?? [];
  const owned = folders.get(scope + name);
  const above = scope === "" ? [] : parents(posix.dirname(from));
  const usual = above.map((folder) => under(folder, `packages/${name}`));
  return [...(owned === undefined ? [] : [owned]), ...usual].flatMap((folder) => [
    posix.join(folder, rest),
    posix.join(folder, "src", rest),
  ]);
}

function resolveJavascript(from: string, specifier: string, tree: SourceTree): string | undefined {
  const { files } = tree;
  const isRelative = specifier.startsWith(".");
  // `@/lib/api`, `~/lib/api` and SvelteKit's `$lib/api`: an alias for some folder above.
  const rest = specifier.replace(/^[@~]?\/|^\$(?=lib\/)/, "");
  const starts = isRelative
    ? [posix.join(posix.dirname(from), specifier)]
    : rest !== specifier
      ? parents(posix.dirname(from)).flatMap((folder) => [under(folder, rest), under(folder, `src/${rest}`)])
      : [
          ...parents(posix.dirname(from)).map((folder) => under(folder, specifier)),
          ...workspaceStarts(from, specifier, tree),
        ];
  for (const start of starts) {
    // TypeScript imports its own files by the names that they will have as JavaScript.
    const bare = start.replace(/\.(m|c)?jsx?$/, "");
    const found = [
      ...extensions.map((end) => start + end),
      ...indexes.map((name) => posix.join(start, name)),
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

/** A package's folder: the longest end of the import path that is a folder of the tree. */
function resolveGo(from: string, specifier: string, { packages }: SourceTree): string | undefined {
  const parts = specifier.split("/");
  for (let start = 0; start < parts.length; start++) {
    const end = parts.slice(start).join("/");
    for (const folder of parents(posix.dirname(from))) {
      const [file] = packages.get(under(folder, end)) ?? [];
      if (file && (start > 0 || parts.length === 1 || specifier.includes("."))) return file;
    }
  }
  return undefined;
}

const resolvers = { javascript: resolveJavascript, python: resolvePython, go: resolveGo };

/** The file that an import of another file means; undefined when it is outside the tree. */
export function resolveImport(from: string, specifier: string, tree: SourceTree): string | undefined {
  const language = languageOf(from);
  if (!language || specifier === "") return undefined;
  const found = resolvers[language](from, specifier, tree);
  return found === from ? undefined : found;
}

// Reads every file once, for its imports, its names of V1 and its package.
export type SourceFiles = {
  /** How many files were read. */
  read: number;
  digest: string;
  tree: SourceTree;
  /** The imports of each file of a language that is parsed. */
  imports: ReadonlyMap<string, readonly string[]>;
  /** The files that name anything of V1. */
  names: Map<string, FileNames>;
  /** Files that can contain a part of a V1 path. */
  seeds: string[];
  /** Source files that name V1 and were not read: too large, minified or unreadable. */
  unread: string[];
  /** Source files of languages that are only searched. */
  otherSources: string[];
  /** The folders with a manifest, and the names of their packages. */
  packages: ReadonlyMap<string, string>;
  /** Lines of configuration with an address that ends in V1's base path, and the hosts of written requests to V1. */
  bases: ReadonlyMap<string, readonly BaseAddress[]>;
  hosts: ReadonlySet<string>;
  /** The variables that environment files set. */
  environment: ReadonlyMap<string, string>;
};

/** A file without it has no part of a V1 path, as the name of a field has not, and is not parsed for its own sake. */
const names = resources.join("|");
const v1PathPattern = new RegExp(`["'\`/}](?:${names})\\b|\\b(?:${names})["'\`/?$]`);

function countLines(text: string): number {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Nobody writes a file of this size. */
const maxSearchedBytes = 64 * 1024 * 1024;

/** A file that is too large or minified to be looked into; where it cannot be read at all, nobody knows. */
function mayUseV1(absolute: string): boolean {
  try {
    return statSync(absolute).size < maxSearchedBytes && mayBeV1(readFileSync(absolute, "utf8"));
  } catch {
    return true;
  }
}

const environmentFile =
  /(^|\/)\.env(\.[\w.]+)?$|\.env$|(^|\/)(docker-compose|compose|app|serverless|wrangler)[\w.-]*\.(ya?ml|toml)$/;

export const isEnvironmentFile = (path: string): boolean => environmentFile.test(path);

/** `API_URL=https://…`, so that an address which begins with a variable is known. */
const variablesIn = (path: string, text: string): [name: string, value: string][] =>
  isEnvironmentFile(path)
    ? [
        ...text.matchAll(/^\s*(?:export\s+|-\s*)?([A-Z][A-Z0-9_]+)\s*[:=]\s*["']?(https?:\/\/[^"'\s#]+)/gm),
      ].map(([, name = "", value = ""]) => [name, value])
    : [];

/** Who watches over a scan: is told before work on a file, and knows the files on which an earlier one did not end. */
export type Guard = { begin(path: string): void; isGivenUp(path: string): boolean };

export async function readTree(
  root: string,
  paths: readonly string[],
  matcher: AddressMatcher,
  { begin, isGivenUp, step }: Guard & { step(lines: number): Promise<void> },
): Promise<SourceFiles> {
  const imports = new Map<string, string[]>();
  const goPackages = new Map<string, string[]>();
  const packages = new Map<string, string>();
  const names = new Map<string, FileNames>();
  const seeds: string[] = [];
  const otherSources: string[] = [];
  const unread: string[] = [];
  const environment = new Map<string, string>();
  const bases = new Map<string, readonly BaseAddress[]>();
  const hosts = new Set<string>();
  let filesRead = 0;
  const digest = new Digest();
  for (const path of paths) {
    const text = readTreeFile(join(root, path));
    if (text !== undefined) digest.add(path, text);
    if (isGivenUp(path)) {
      unread.push(path);
      continue;
    }
    begin(path);
    await step(text === undefined ? 0 : countLines(text));
    if (text === undefined) {
      if (languageOf(path) && mayUseV1(join(root, path))) unread.push(path);
      continue;
    }
    filesRead += 1;
    const packageName = packageNameIn(path, text);
    if (packageName !== undefined) packages.set(posix.dirname(path), packageName);
    for (const [name, value] of variablesIn(path, text)) environment.set(name, value);
    const found = readBases(path, text);
    if (found.length > 0) bases.set(path, found);
    for (const { name, address } of found)
      if (/^[A-Z][A-Z0-9_]+$/.test(name) && !environment.has(name)) environment.set(name, address);
    for (const host of hostsIn(text)) hosts.add(host);
    const named = readNames(path, text, matcher);
    const { calls, names: fields, templatePaths, parts, isV1 } = named;
    if (calls.length + fields.length + templatePaths.length + parts.names.length > 0 || isV1)
      names.set(path, named);
    if (isOtherSource(path)) otherSources.push(path);
    if (!languageOf(path)) continue;
    imports.set(path, importsOf(path, text));
    if (path.endsWith(".go")) {
      const folder = posix.dirname(path);
      goPackages.set(folder, [...(goPackages.get(folder) ?? []), path]);
    }
    if (v1PathPattern.test(text) || named.isV1) seeds.push(path);
  }
  const read = (path: string) => readTreeFile(join(root, path)) ?? "";
  const folders = new Map([...packages].map(([folder, name]) => [name, folder]));
  const files = new Set(imports.keys());
  const tree = { files, packages: goPackages, folders, read };
  // A file may name V1 by a variable of the environment alone.
  const variables = [...environment].flatMap(([name, value]) => (mentionsResource(value) ? name : []));
  for (const path of variables.length > 0 ? files : []) {
    const text = read(path);
    if (variables.some((name) => text.includes(name)) && !seeds.includes(path)) seeds.push(path);
  }
  return {
    read: filesRead,
    digest: String(digest),
    tree,
    imports,
    names,
    seeds,
    unread,
    otherSources,
    packages,
    bases,
    hosts,
    environment,
  };
}

/** For each file, the files that import it. */
export function findImporters({ tree, imports }: SourceFiles): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [path, specifiers] of imports) {
    for (const specifier of specifiers) {
      const target = resolveImport(path, specifier, tree);
      if (target) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}
