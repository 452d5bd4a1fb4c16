// Lists the text files of a source tree; files that are ignored by git, generated, binary or very large are
// excluded.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { wordSet } from "../code/syntax.ts";
import { listTracked } from "./tracked.ts";

export const maxFileBytes = 1024 * 1024;

const skippedFolders = wordSet(
  "node_modules .git .hg .svn .venv venv __pycache__ .tox .mypy_cache .next .nuxt .svelte-kit vendor dist build out coverage target .v1watch .terraform cdk.out bower_components .idea .vscode",
);
const skippedFiles =
  /(\.min\.(js|css)|\.bundle\.js|-lock\.(json|yaml)|\.lock|\.sum|\.map|\.snap|\.(png|jpe?g|gif|webp|ico|svg|pdf|zip|gz|tgz|bz2|xz|7z|jar|war|class|o|a|so|dylib|dll|exe|wasm|woff2?|ttf|eot|otf|mp[34]|mov|avi|sqlite3?|db|parquet|bin|pyc|node))$/i;
/** Files that this tool writes about V1, under their usual names. */
const ownFiles = /^v1watch[.-].*\.(json|html|md|sarif)$|^parity\.state\.json$/;

const testPath =
  /(^|\/)(tests?|specs?|__tests__|__mocks__|mocks|e2e|cypress)\/|(^|\/)(test_[^/]*|[^/]*_test|conftest|tests)\.(py|go)$|\.(test|spec|cy)\.\w+$|(^|\/)[^/]*_(spec|test)\.rb$|(^|\/)[^/]*Tests?\.(java|kt|cs|swift|php)$/;

/** Tests call a substitute for V1. */
export const isTest = (path: string): boolean => testPath.test(path);

/** Written by a machine: lines no person would write. */
const isMinified = (text: string): boolean =>
  text.length > 5000 && text.length / (text.split("\n", 2000).length || 1) > 500;

/** The code of a notebook, each line where it is in the file; pictures and results are in it, too. */
function codeOfNotebook(text: string): string {
  let [isCode, isSource] = [false, false];
  const lines = text.split("\n").map((line) => {
    const [, type] = /^\s*"cell_type":\s*"(\w+)"/.exec(line) ?? [];
    if (type) isCode = type === "code";
    if (/^\s*"source":\s*\[\s*$/.test(line)) isSource = isCode;
    else if (/^\s*\]/.test(line)) isSource = false;
    const [, quoted = ""] = (isSource && /^\s*"(.*)",?\s*$/.exec(line)) || [];
    const code = quoted.replace(/\\(.)/g, (_, char) => (char === "n" ? "" : char === "t" ? "\t" : char));
    // `%matplotlib inline`, `!pip install …`
    return /^\s*[%!]/.test(code) ? "" : code;
  });
  return lines.join("\n");
}

/** UTF-16 where a mark at the beginning says so, as editors on Windows write it; undefined for other bytes that are no text. */
function decodeText(bytes: Buffer): string | undefined {
  const mark = bytes.toString("latin1", 0, 2);
  if (mark === "\xff\xfe" || mark === "\xfe\xff")
    return new TextDecoder(mark === "\xff\xfe" ? "utf-16le" : "utf-16be").decode(bytes);
  return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString("utf8");
}

/** Undefined when it is too large, binary, unreadable or minified. */
export function readTreeFile(absolute: string): string | undefined {
  const isNotebook = absolute.endsWith(".ipynb");
  try {
    const { size } = statSync(absolute);
    if (size > maxFileBytes * (isNotebook ? 20 : 1) || size === 0) return undefined;
    const decoded = decodeText(readFileSync(absolute));
    if (decoded === undefined) return undefined;
    const text = isNotebook ? codeOfNotebook(decoded) : decoded;
    // A notebook that is written on one line, or in an older format, is not understood.
    return isMinified(text) || (isNotebook && text.trim() === "") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The .gitignore of one folder. `pathIn` gives the path of a file of the tree as that folder sees it. */
type IgnoreLayer = { rules: Ignore; pathIn(path: string): string };

/** A hostile pattern would take forever: nobody writes so many stars between two slashes. */
const tooManyStars = /(\*(?!\*)[^*/]*){5}/;
const maxPatternLength = 500;

function compilePatterns(text: string): Ignore {
  const lines = text.split(/\r?\n/);
  return ignore({ ignorecase: false }).add(
    lines.filter((line) => line.length <= maxPatternLength && !tooManyStars.test(line)),
  );
}

/** A pipe that has the name of a file would keep the scan waiting for ever. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function readLayer(absolute: string, pathIn: IgnoreLayer["pathIn"]): IgnoreLayer[] {
  try {
    const file = join(absolute, ".gitignore");
    return isFile(file) ? [{ rules: compilePatterns(readFileSync(file, "utf8")), pathIn }] : [];
  } catch {
    return [];
  }
}

/** A repository's .gitignore governs its folders, whichever of them is scanned. */
function layersAbove(root: string): IgnoreLayer[] {
  const above: string[] = [];
  for (let folder = root; !existsSync(join(folder, ".git")); folder = dirname(folder)) {
    const parent = dirname(folder);
    if (parent === folder) return [];
    above.unshift(parent);
  }
  return above.flatMap((folder) => {
    const below = relative(folder, root).split(sep).join("/");
    // Who scans an ignored folder by its name wants it scanned.
    return readLayer(folder, (path) => `${below}/${path}`).filter(({ rules }) => !rules.ignores(`${below}/`));
  });
}

/** The last matching pattern decides, and an inner folder's .gitignore comes after an outer one's. */
function isIgnored(path: string, isFolder: boolean, layers: readonly IgnoreLayer[]): boolean {
  let isLeftOut = false;
  for (const { rules, pathIn } of layers) {
    const { ignored, unignored } = rules.test(pathIn(path) + (isFolder ? "/" : ""));
    isLeftOut = ignored || (isLeftOut && !unignored);
  }
  return isLeftOut;
}

const readEntries = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
};

/** A symbolic link that leads out of what is scanned, and what it says. */
export type Link = { path: string; to: string };

export type Tree = {
  /** The paths of all files worth reading, from the root and with forward slashes. */
  paths: string[];
  /** What is behind these was not read. */
  links: Link[];
  /** Files and folders that git tracks and the disk lacks, as in a sparse checkout or a submodule that is not checked out. */
  missing: string[];
  /** Folders that are left out by their name, although git tracks files in them. */
  skipped: string[];
};

/** The place behind all links; undefined where there is nothing. */
const realPathOf = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

export const isFolderAt = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const isBelow = (place: string, folder: string) => place === folder || place.startsWith(join(folder, sep));

/**
 * Every file once, by the place where it really is: a link is followed where that is in the folder. What is in another one of
 * `roots`, the folders that are scanned, is read there.
 */
export function listTree(root: string, roots: readonly string[] = [root]): Tree {
  const paths: string[] = [];
  const links: Link[] = [];
  const found: { path: string; layers: readonly IgnoreLayer[] }[] = [];
  const known = new Set<string>();
  const add = (path: string, place: string, isFolder: boolean, above: readonly IgnoreLayer[]): void => {
    if (known.has(place)) return;
    known.add(place);
    if (!isFolder) {
      paths.push(path);
      return;
    }
    const start = path === "" ? 0 : path.length + 1;
    const layers = [...above, ...readLayer(place, (inner) => inner.slice(start))];
    for (const entry of readEntries(place)) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      const isInnerFolder = entry.isDirectory();
      const isLink = entry.isSymbolicLink();
      if (isInnerFolder || isLink ? skippedFolders.has(entry.name) : !entry.isFile()) continue;
      // Of a worktree or a submodule it is a file.
      if (entry.name === ".git") continue;
      if ((!isInnerFolder && skippedFiles.test(entry.name)) || ownFiles.test(entry.name)) continue;
      if (isIgnored(inner, isInnerFolder, layers)) continue;
      if (isLink) found.push({ path: inner, layers });
      else add(inner, join(place, entry.name), isInnerFolder, layers);
    }
  };
  const own = realPathOf(root);
  if (own === undefined) return { paths, links, missing: [], skipped: [] };
  add("", own, true, layersAbove(resolve(root)));
  const places = roots.flatMap((one) => realPathOf(one) ?? []);
  // A file goes by its own name where it has one. A folder behind a link may have links in it.
  for (let link = found.shift(); link; link = found.shift()) {
    const { path, layers } = link;
    const place = realPathOf(join(root, path));
    if (place === undefined || !places.some((folder) => isBelow(place, folder)))
      links.push({ path, to: readlinkSync(join(root, path)) });
    else if (isBelow(place, own)) {
      const isFolder = isFolderAt(place);
      if (isFolder || isFile(place)) add(path, place, isFolder, layers);
    }
  }
  return { paths, links, ...findUnseen(own, new Set(paths)) };
}

const parentsOf = (path: string): string[] => {
  const parent = posix.dirname(path);
  return parent === "." ? [] : [...parentsOf(parent), parent];
};

/** What git tracks and was not listed, because it is not there or goes by such a name. */
function findUnseen(root: string, paths: ReadonlySet<string>): Pick<Tree, "missing" | "skipped"> {
  const [missing, skipped] = [new Set<string>(), new Set<string>()];
  const isThere = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  for (const { path, isModule } of listTracked(root)) {
    const name = posix.basename(path);
    if (paths.has(path) || skippedFiles.test(name) || ownFiles.test(name)) continue;
    const parents = parentsOf(path);
    const left = parents.find((folder) => skippedFolders.has(posix.basename(folder)));
    if (left !== undefined) skipped.add(left);
    else if (isModule ? readEntries(join(root, path)).length === 0 : !isThere(path))
      missing.add([...parents, path].find((part) => !isThere(part)) ?? path);
  }
  return { missing: [...missing], skipped: [...skipped] };
}

// The owner of a file is found by the app or package that it belongs to, and by CODEOWNERS.
/** By manifest, which makes its folder an app or package: the pattern of the name in it. */
const manifests: Record<string, RegExp> = {
  "package.json": /"name"\s*:\s*"([^"]+)"/,
  "pyproject.toml": /^name\s*=\s*["']([^"']+)["']/m,
  "go.mod": /^module\s+(\S+)/m,
  "Cargo.toml": /^name\s*=\s*"([^"]+)"/m,
  "composer.json": /"name"\s*:\s*"([^"]+)"/,
};

/** The name in a manifest; undefined if the file is none. Without a name, the folder's name is used. */
export function packageNameIn(path: string, text: string): string | undefined {
  const form = manifests[posix.basename(path)];
  return form && (form.exec(text)?.[1] ?? posix.basename(posix.dirname(path)));
}

/** The package of a file: the one whose manifest is nearest above it. */
export function packageOf(path: string, packages: ReadonlyMap<string, string>): string | undefined {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const name = packages.get(folder);
    if (name !== undefined || folder === ".") return name;
  }
}

type OwnerRule = { owners: string[]; matches(path: string): boolean };

function readRule(line: string): OwnerRule[] {
  const [pattern = "", ...owners] = line
    .replace(/(^|\s)#.*$/, "")
    .trim()
    .split(/\s+/);
  if (pattern === "" || pattern.startsWith("[")) return [];
  const rules = compilePatterns(pattern);
  // A pattern for a folder covers everything in it, except one that ends in a single star.
  const isShallow = pattern.endsWith("/*");
  const matches = (path: string) =>
    rules.ignores(path) && !(isShallow && path.includes("/") && rules.ignores(`${posix.dirname(path)}/`));
  return [{ owners, matches }];
}

const places = ["CODEOWNERS", ".github/CODEOWNERS", ".gitlab/CODEOWNERS", "docs/CODEOWNERS"];

/** The owners of the files of a folder, from the repository's CODEOWNERS. The last matching rule decides. */
export function readOwners(root: string): (path: string) => string[] {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const [file] = places.map((place) => join(folder, place)).filter(isFile);
    if (file) {
      const rules = readFileSync(file, "utf8").split(/\r?\n/).flatMap(readRule);
      const below = relative(folder, resolve(root)).split(sep).join("/");
      return (path) => rules.findLast(({ matches }) => matches(posix.join(below, path)))?.owners ?? [];
    }
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return () => [];
  }
}
