// .gitignore, as git reads it: the last pattern that matches decides, and a folder's file governs what is in it.
import { compilePattern, type IgnorePattern } from "./scan-ignore-pattern.ts";

export type IgnoreRule = { matches: IgnorePattern; isNegated: boolean; foldersOnly: boolean };

const maxPatternLength = 500;

/** Git compares bytes: `?` is half of an é. */
const toBytes = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is the question.
  /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");

/** Spaces at the end do not count, unless a backslash is before the first of them. */
function trimEnd(line: string): string {
  let length = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === " ") continue;
    length = at + 1;
  }
  return line.slice(0, length);
}

export function readIgnoreRules(text: string): IgnoreRule[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.flatMap((raw) => {
    const line = raw.startsWith("#") ? "" : trimEnd(raw);
    const isNegated = line.startsWith("!");
    const whole = isNegated ? line.slice(1) : line;
    const foldersOnly = whole.endsWith("/");
    const pattern = foldersOnly ? whole.slice(0, -1) : whole;
    if (pattern === "" || pattern.length > maxPatternLength) return [];
    const matches = compilePattern(toBytes(pattern));
    return matches ? [{ matches, isNegated, foldersOnly }] : [];
  });
}

/** The rules of one folder. `below` leads from it down to the scanned folder, where it lies above that. */
export type IgnoreLayer = { folder: string; below: string; rules: readonly IgnoreRule[] };

export function isIgnored(path: string, isFolder: boolean, layers: readonly IgnoreLayer[]): boolean {
  let ignored = false;
  for (const { folder, below, rules } of layers) {
    const relative = below ? `${below}/${path}` : folder === "" ? path : path.slice(folder.length + 1);
    const bytes = toBytes(relative);
    for (const { matches, isNegated, foldersOnly } of rules) {
      if ((!foldersOnly || isFolder) && ignored === isNegated && matches(bytes)) ignored = !isNegated;
    }
  }
  return ignored;
}
