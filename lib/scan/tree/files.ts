// Lists the text files of a source tree; files that are ignored by git, generated, binary or very large are
// excluded.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { wordSet } from "../code/syntax.ts";

export const maxFileBytes = 1024 * 1024;

const skippedFolders = wordSet(
  "node_modules .git .hg .svn .venv venv __pycache__ .tox .mypy_cache .next .nuxt .svelte-kit vendor dist build out coverage target .terraform cdk.out bower_components .idea .vscode",
);
const skippedFiles =
  /(\.min\.(js|css)|\.bundle\.js|-lock\.(json|yaml)|\.lock|\.sum|\.map|\.snap|\.(png|jpe?g|gif|webp|ico|svg|pdf|zip|gz|tgz|bz2|xz|7z|jar|war|class|o|a|so|dylib|dll|exe|wasm|woff2?|ttf|eot|otf|mp[34]|mov|avi|sqlite3?|db|parquet|bin|pyc|node))$/i;
/** Files that this tool writes about V1. */
const ownFiles = /^v1watch\..*\.json$/;

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

/** Undefined when it is too large, binary, unreadable or minified. */
export function readTreeFile(absolute: string): string | undefined {
  const isNotebook = absolute.endsWith(".ipynb");
  try {
    const { size } = statSync(absolute);
    if (size > maxFileBytes * (isNotebook ? 20 : 1) || size === 0) return undefined;
    const bytes = readFileSync(absolute);
    if (bytes.subarray(0, 8000).includes(0)) return undefined;
    const text = isNotebook ? codeOfNotebook(bytes.toString("utf8")) : bytes.toString("utf8");
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

/** The paths of all files worth reading, from the root and with forward slashes; links are not followed. */
export function listTree(root: string): string[] {
  const paths: string[] = [];
  const walk = (folder: string, above: readonly IgnoreLayer[]): void => {
    const here = join(root, folder);
    const start = folder === "" ? 0 : folder.length + 1;
    const layers = [...above, ...readLayer(here, (path) => path.slice(start))];
    for (const entry of readEntries(here)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isFolder ? skippedFolders.has(entry.name) : !entry.isFile() || skippedFiles.test(entry.name))
        continue;
      if (ownFiles.test(entry.name) || isIgnored(path, isFolder, layers)) continue;
      if (isFolder) walk(path, layers);
      else paths.push(path);
    }
  };
  walk("", layersAbove(resolve(root)));
  return paths;
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
