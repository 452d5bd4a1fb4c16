// Evaluates .gitignore files like git: the last matching pattern decides, and a file applies to its own folder.

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

// One pattern of a .gitignore, matched as git matches it. Bytes, not letters; never more steps than the
// pattern's length times the path's.
/** Ranges of bytes that a place in the pattern takes; a slash is never among them. */
type Place = { ranges: readonly (readonly [low: number, high: number])[]; isNegated: boolean };
const star = "*";
type Piece = Place | typeof star;
/** What stands between two slashes; `**` alone is any number of folders. */
type Segment = readonly Piece[] | "**";

export type IgnorePattern = (path: string) => boolean;

const classes: Record<string, string> = {
  alnum: "09AZaz",
  alpha: "AZaz",
  blank: "\t\t  ",
  cntrl: "\x00\x1f\x7f\x7f",
  digit: "09",
  graph: "!~",
  lower: "az",
  print: " ~",
  punct: "!/:@[`{~",
  space: "\t\r  ",
  upper: "AZ",
  xdigit: "09AFaf",
};

const rangesOf = (ends: string) =>
  Array.from({ length: ends.length / 2 }, (_, index): [number, number] => [
    ends.charCodeAt(2 * index),
    ends.charCodeAt(2 * index + 1),
  ]);

const one = (char: string): Place => ({
  ranges: [[char.charCodeAt(0), char.charCodeAt(0)]],
  isNegated: false,
});

/** A set that starts behind its bracket, and where it ends; undefined when it has no end. */
function readSet(text: string, start: number): { place: Place; end: number } | undefined {
  const ranges: [number, number][] = [];
  let at = start;
  const isNegated = text[at] === "!" || text[at] === "^";
  if (isNegated) at += 1;
  // Only a single sign can begin a range: what follows a range or a class cannot.
  let before: number | undefined;
  for (let first = true; first || text[at] !== "]"; first = false) {
    if (at >= text.length) return undefined;
    const named = /^\[:([^\]]*):\]/.exec(text.slice(at, at + 12));
    if (named) {
      const ends = classes[named[1]!];
      if (ends === undefined) return undefined;
      ranges.push(...rangesOf(ends));
      at += named[0].length;
      before = undefined;
      continue;
    }
    const isRange = text[at] === "-" && before !== undefined && at + 1 < text.length && text[at + 1] !== "]";
    if (isRange) at += 1;
    if (text[at] === "\\") at += 1;
    if (at >= text.length) return undefined;
    const code = text.charCodeAt(at);
    ranges.push([isRange ? before! : code, code]);
    before = isRange ? undefined : code;
    at += 1;
  }
  return { place: { ranges, isNegated }, end: at };
}

/** Undefined for a pattern that git takes for broken: it matches nothing. */
function readSegments(text: string): Segment[] | undefined {
  const segments: Piece[][] = [[]];
  const runs = new Set<Piece[]>();
  for (let at = 0; at < text.length; at++) {
    const segment = segments.at(-1)!;
    const char = text[at]!;
    if (char === "*") {
      if (text[at + 1] === "*" && segment.length === 0) runs.add(segment);
      while (text[at + 1] === "*") at += 1;
      segment.push(star);
    } else if (char === "?") segment.push({ ranges: [], isNegated: true });
    else if (char === "[") {
      const set = readSet(text, at + 1);
      if (!set) return undefined;
      segment.push(set.place);
      at = set.end;
    } else {
      if (char === "\\") at += 1;
      const literal = text[at];
      if (literal === undefined) return undefined;
      // Behind an escaped slash git wants one folder at the least.
      if (literal === "/" && char === "\\" && runs.has(segment) && segment.length === 1)
        segments.push([star]);
      if (literal === "/") segments.push([]);
      else segment.push(one(literal));
    }
  }
  return segments.map((segment) => (runs.has(segment) && segment.length === 1 ? "**" : segment));
}

const takes = ({ ranges, isNegated }: Place, byte: number) =>
  ranges.some(([low, high]) => byte >= low && byte <= high) !== isNegated;

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

const matchName = (segment: Segment, name: Uint8Array): boolean =>
  segment !== "**" &&
  matchList(
    segment,
    name,
    (piece) => piece === star,
    (piece, byte) => takes(piece as Place, byte),
  );

const bytesOf = (text: string) => Buffer.from(text, "latin1");

function matchFolders(segments: readonly Segment[], path: string): boolean {
  const names = path.split("/").map(bytesOf);
  // At the end `**` is what is inside a folder, and not the folder itself.
  const isInside = segments.length > 1 && segments.at(-1) === "**";
  if (!isInside) return matchList(segments, names, (segment) => segment === "**", matchName);
  const leading = segments.slice(0, -1);
  const isFolders = (segment: Segment) => segment === "**";
  return names.some((_, count) => matchList(leading, names.slice(0, count), isFolders, matchName));
}

/** `pattern` has no slash at its end; both it and the paths are bytes, a letter each. */
export function compilePattern(pattern: string): IgnorePattern | undefined {
  const isAnchored = pattern.includes("/");
  const body = pattern.replace(/^\//, "");
  const special = body.search(/[*?[\\]/);
  if (special < 0) {
    return isAnchored
      ? (path) => path === body
      : (path) => path.endsWith(body) && (path.length === body.length || path.at(-body.length - 1) === "/");
  }
  // Git compares what is plain at the start first, and reads the rest as a pattern of its own.
  const prefix = isAnchored ? body.slice(0, special) : "";
  const segments = readSegments(body.slice(prefix.length));
  if (!segments) return undefined;
  if (isAnchored)
    return (path) => path.startsWith(prefix) && matchFolders(segments, path.slice(prefix.length));
  const [only = []] = segments.map((segment) => (segment === "**" ? [star as Piece] : segment));
  return (path) => matchName(only, bytesOf(path.slice(path.lastIndexOf("/") + 1)));
}
