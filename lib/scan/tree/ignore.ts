// Evaluates .gitignore files like git: the last matching pattern decides, and a file applies to its own folder.

export type IgnorePattern = (path: string) => boolean;
export type IgnoreRule = { matches: IgnorePattern; isNegated: boolean; foldersOnly: boolean };

const maxPatternLength = 500;

/** Spaces at the end do not count, unless a backslash is before the first of them. */
const trimEnd = (line: string): string => /^(?:\\.|[^\\])*?(?= *$)/s.exec(line)?.[0] ?? line;

export function readIgnoreRules(text: string): IgnoreRule[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.flatMap((raw) => {
    const line = raw.startsWith("#") ? "" : trimEnd(raw);
    const isNegated = line.startsWith("!");
    const whole = isNegated ? line.slice(1) : line;
    const foldersOnly = whole.endsWith("/");
    const pattern = foldersOnly ? whole.slice(0, -1) : whole;
    if (pattern === "" || pattern.length > maxPatternLength) return [];
    const matches = compilePattern(pattern);
    return matches ? [{ matches, isNegated, foldersOnly }] : [];
  });
}

/** The rules of one folder. `below` leads from it down to the scanned folder, where it lies above that. */
export type IgnoreLayer = { folder: string; below: string; rules: readonly IgnoreRule[] };

export function isIgnored(path: string, isFolder: boolean, layers: readonly IgnoreLayer[]): boolean {
  let ignored = false;
  for (const { folder, below, rules } of layers) {
    const relative = below ? `${below}/${path}` : folder === "" ? path : path.slice(folder.length + 1);
    for (const { matches, isNegated, foldersOnly } of rules) {
      if ((!foldersOnly || isFolder) && ignored === isNegated && matches(relative)) ignored = !isNegated;
    }
  }
  return ignored;
}

// One pattern. A regular expression of it could take exponential time; this takes the pattern's length times the path's.
const star = "*";
type Piece = typeof star | ((char: string) => boolean);
/** What stands between two slashes; `**` alone is any number of folders. */
type Segment = readonly Piece[] | "**";

/** `[a-c]`, `[!a]`, `[]a]`; a range that runs backwards has nothing in it. */
function readSet(set: string): Piece {
  const isNegated = /^[!^]/.test(set);
  const inside = set.slice(isNegated ? 1 : 0).replace(/^\]/, "\\]");
  try {
    const form = new RegExp(`^[${isNegated ? "^" : ""}${inside}]$`);
    return (char) => form.test(char);
  } catch {
    return () => isNegated;
  }
}

/** Undefined for a pattern that git takes for broken: it matches nothing. */
function readSegment(text: string): Segment | undefined {
  if (text === "**") return "**";
  const pieces: Piece[] = [];
  for (const [token, set, escaped] of text.matchAll(/\*+|\[([!^]?\]?(?:\\.|[^\]\\])*)\]|\\(.)|./gs)) {
    const literal = escaped ?? token;
    if (token.startsWith("*")) pieces.push(star);
    else if (token === "?") pieces.push(() => true);
    else if (set !== undefined) pieces.push(readSet(set));
    else if (token === "[" || token === "\\") return undefined;
    else pieces.push((char) => char === literal);
  }
  return pieces;
}

/** Both levels alike: when it fails, the last star takes one more. That one is enough is what bounds the steps. */
function matchList<P, T>(
  pattern: readonly P[],
  texts: ArrayLike<T>,
  isStar: (piece: P) => boolean,
  fits: (piece: P, text: T) => boolean,
): boolean {
  let [place, at, lastStar, taken] = [0, 0, -1, 0];
  while (at < texts.length) {
    const piece = pattern[place];
    if (piece !== undefined && isStar(piece)) {
      lastStar = place++;
      taken = at;
    } else if (piece !== undefined && fits(piece, texts[at]!)) {
      place += 1;
      at += 1;
    } else if (lastStar >= 0) {
      place = lastStar + 1;
      at = ++taken;
    } else return false;
  }
  return pattern.slice(place).every(isStar);
}

const matchName = (segment: Segment, name: string): boolean =>
  segment !== "**" &&
  matchList(
    segment,
    name,
    (piece) => piece === star,
    (piece, char) => piece !== star && piece(char),
  );

const isFolders = (segment: Segment) => segment === "**";

function matchPath(segments: readonly Segment[], path: string): boolean {
  const names = path.split("/");
  // At the end `**` is what is inside a folder, and not the folder itself.
  if (segments.length === 1 || segments.at(-1) !== "**")
    return matchList(segments, names, isFolders, matchName);
  const leading = segments.slice(0, -1);
  return names.some((_, count) => matchList(leading, names.slice(0, count), isFolders, matchName));
}

/** `pattern` has no slash at its end. */
export function compilePattern(pattern: string): IgnorePattern | undefined {
  const segments = pattern.replace(/^\//, "").split("/").map(readSegment);
  if (!segments.every((segment) => segment !== undefined)) return undefined;
  if (pattern.includes("/")) return (path) => matchPath(segments, path);
  const only = segments[0] === "**" ? [star as Piece] : segments[0]!;
  return (path) => matchName(only, path.slice(path.lastIndexOf("/") + 1));
}
