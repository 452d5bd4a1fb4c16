// Body bytes → a JSON value, after one look at every byte: JSON.parse itself has no limit, and a
// few bytes of text can become many of memory.
import { scanJson } from "./json-scan.ts";

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
