// Resolves an import to a file of the tree.
import { posix } from "node:path";
import { languageOf } from "../languages/syntax.ts";

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
