// Which keys an object names twice. JSON.parse keeps the last and says nothing, so the text is read
// again; only when a walk met fewer keys than the scan counted, because this is slow.
import { maxFindings } from "../records/observation-words.ts";
import { countWord, createBoundedCount } from "./bounded-count.ts";
import { findStringEnd } from "./json-scan.ts";
import { isPlainKey } from "./tally.ts";

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
