// Body bytes → a JSON value, after one look at every byte: JSON.parse itself has no limit, and a
// few bytes of text can become many of memory.
import { maxFindings } from "../../records/observation.ts";
import { countWord, createBoundedCount } from "./bounded-count.ts";
import { isPlainKey } from "./tally.ts";

const maxDepth = 64;
/** Objects and arrays. 2 MiB of "{}," would be 700,000 of them. */
const maxContainers = 100_000;
/** Keys that no other object has cost 200 bytes and more each; a real 2 MiB page has 70,000 keys. */
const maxKeys = 150_000;

export type Parsed =
  /** keys: as written, so more than a walk of the value meets if an object names one twice. */
  | { kind: "json"; value: unknown; keys: number }
  | { kind: "not-json"; detail: "empty" | "html" | "text" | "deep" }
  | { kind: "bad-encoding"; detail: "utf-8" }
  | { kind: "too-large"; detail: "values" };

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function parseBody(bytes: Uint8Array): Parsed {
  const first = firstByte(bytes);
  if (first === undefined) return { kind: "not-json", detail: "empty" };
  // Before the decoding: an error page in another encoding is still a page.
  if (first === 0x3c) return { kind: "not-json", detail: "html" };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: "bad-encoding", detail: "utf-8" };
  }
  const { depth, containers, keys } = scanJson(text);
  if (depth > maxDepth) return { kind: "not-json", detail: "deep" };
  if (containers > maxContainers || keys > maxKeys) return { kind: "too-large", detail: "values" };
  try {
    return { kind: "json", value: JSON.parse(text), keys };
  } catch {
    return { kind: "not-json", detail: "text" };
  }
}

/** The first byte that is neither JSON's white space nor part of a byte order mark. */
function firstByte(bytes: Uint8Array): number | undefined {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let at = hasMark ? 3 : 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
  }
  return undefined;
}

// One linear pass over text that may be JSON, before anything is built from it. It runs on every
// response, so strings are skipped by indexOf: 0.35 of the time that JSON.parse takes.
export type Scan = {
  /** Of the deepest object or array. */
  depth: number;
  /** Objects and arrays. */
  containers: number;
  /** Colons outside of strings: in JSON each follows a key. */
  keys: number;
};

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** `{` and `[` differ in this bit alone, and so do `}` and `]`. */
const shapeBit = 0x20;
const opener = 0x7b;
const closer = 0x7d;

/** Exact for valid JSON; of other text the numbers are some numbers. */
export function scanJson(text: string): Scan {
  const hasEscapes = text.includes("\\");
  const end = text.length;
  let open = 0;
  let depth = 0;
  let containers = 0;
  let keys = 0;
  let at = 0;
  while (at < end) {
    const code = text.charCodeAt(at++);
    if (code === quote) {
      at = (hasEscapes ? findStringEnd(text, at) : text.indexOf('"', at)) + 1;
      if (at === 0) break;
    } else if (code === colon) keys++;
    // Letters, digits and commas are the most of what is left.
    else if (code > 0x5a) {
      const shape = code | shapeBit;
      if (shape === opener) {
        containers++;
        if (++open > depth) depth = open;
      } else if (shape === closer) open--;
    }
  }
  return { depth, containers, keys };
}

/** The closing quote of the string whose text starts at `start`, or -1. */
export function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1) {
    let before = end - 1;
    while (before >= start && text.charCodeAt(before) === backslash) before--;
    // An even number of backslashes escape each other and leave the quote alone.
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

// Which keys an object names twice. JSON.parse keeps the last and says nothing, so the text is read
// again; only when a walk met fewer keys than the scan counted, because this is slow.
const maxPathLength = 100;

type Frame = {
  path: string;
  /** The keys so far; an array has none. */
  seen: Set<string> | undefined;
  key: string;
  awaitsKey: boolean;
};

/** Paths such as `passports[].score`, and how often a key came again; for bytes that parseBody accepted. */
export function findDuplicateKeys(bytes: Uint8Array): { path: string; count: number }[] {
  const text = new TextDecoder().decode(bytes);
  const found = createBoundedCount(maxFindings);
  const frames: Frame[] = [];
  for (let at = 0; at < text.length; at++) {
    const frame = frames.at(-1);
    const char = text[at];
    if (char === "{" || char === "[") {
      const seen = char === "{" ? new Set<string>() : undefined;
      frames.push({ path: frame ? childPath(frame) : "", seen, key: "", awaitsKey: seen !== undefined });
    } else if (char === "}" || char === "]") frames.pop();
    else if (char === "," && frame?.seen) frame.awaitsKey = true;
    else if (char === '"') {
      const end = findStringEnd(text, at + 1);
      if (end === -1) break;
      if (frame?.awaitsKey && frame.seen) {
        // Escapes are read, because "score" and "\u0073core" are one key.
        const key: string = JSON.parse(text.slice(at, end + 1));
        frame.awaitsKey = false;
        frame.key = isPlainKey(key) ? key : "<dynamic>";
        if (frame.seen.has(key)) countWord(found, childPath(frame), () => true, 0);
        frame.seen.add(key);
      }
      at = end;
    }
  }
  return [...found.counts].map(([path, [count = 0]]) => ({ path, count })).sort(byPath);
}

function childPath({ path, seen, key }: Frame): string {
  const child = seen ? (path === "" ? key : `${path}.${key}`) : `${path}[]`;
  return child.length > maxPathLength ? `${child.slice(0, maxPathLength - 1)}…` : child;
}

const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);
