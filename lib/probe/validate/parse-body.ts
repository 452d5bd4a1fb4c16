// The bytes of a body → a JSON value. The text is scanned before JSON.parse, which has no limits: a few
// bytes of text can become many of memory.
import { createKeyMask, maskValue } from "./field-values.ts";

const maxDepth = 64;
/** Objects and arrays. 2 MiB of "{}," would be 700,000 of them. */
const maxContainers = 100_000;
/** A key that no other object has costs 200 bytes or more. A real page of 2 MiB has 70,000 keys. */
const maxKeys = 150_000;

export type ParsedBody =
  | { kind: "json"; value: unknown }
  | { kind: "not-json"; detail: "empty" | "html" | "text" | "deep" }
  | { kind: "bad-encoding"; detail: "utf-8" }
  | { kind: "too-large"; detail: "values" };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** With the API key in use, every key and text that contains it is masked, so that nothing after this can keep it. */
export function parseBody(bytes: Uint8Array, apiKey?: string): ParsedBody {
  const first = firstByte(bytes);
  if (first === undefined) return { kind: "not-json", detail: "empty" };
  // Checked before decoding: an HTML page in another encoding is still HTML.
  if (first === 0x3c) return { kind: "not-json", detail: "html" };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: "bad-encoding", detail: "utf-8" };
  }
  const { depth, containers, keys } = scanJson(bytes);
  if (depth > maxDepth) return { kind: "not-json", detail: "deep" };
  if (containers > maxContainers || keys > maxKeys) return { kind: "too-large", detail: "values" };
  try {
    const value: unknown = JSON.parse(text);
    const mayHaveKey =
      apiKey !== undefined && (hidesCharacters.test(text) || isIn(text, JSON.stringify(apiKey).slice(1, -1)));
    return { kind: "json", value: mayHaveKey ? maskValue(value, createKeyMask(apiKey)) : value };
  } catch {
    return { kind: "not-json", detail: "text" };
  }
}

/** In JSON \u0061 is an a, and \/ a slash: a search of the text would not find the API key. */
const hidesCharacters = /\\[u/]/;

const isIn = (text: string, part: string) => new RegExp(RegExp.escape(part), "i").test(text);

/** The first byte that is neither white space of JSON nor part of a byte order mark. */
function firstByte(bytes: Uint8Array): number | undefined {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let at = hasMark ? 3 : 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
  }
  return undefined;
}

type JsonScan = {
  /** Levels of nested objects and arrays. */
  depth: number;
  /** Objects and arrays. */
  containers: number;
  /** Colons outside of strings: in JSON each follows a key. */
  keys: number;
};

/** One pass over the bytes. The counts are exact for valid JSON; for other text they mean nothing. */
function scanJson(bytes: Uint8Array): JsonScan {
  let open = 0;
  let depth = 0;
  let containers = 0;
  let keys = 0;
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) {
      // A string, up to its closing quote. After a backslash comes what it escapes.
      for (at++; at < length; at++) {
        const inside = bytes[at];
        if (inside === 0x22) break;
        if (inside === 0x5c) at++;
      }
    } else if (byte === 0x3a) keys++;
    else if (byte === 0x7b || byte === 0x5b) {
      containers++;
      open++;
      depth = Math.max(depth, open);
    } else if (byte === 0x7d || byte === 0x5d) open--;
  }
  return { depth, containers, keys };
}
