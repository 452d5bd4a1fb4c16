// Bodies that are built to do harm: what JSON parsers disagree on, odd encodings, every naughty string in every field,
// and floods.
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { naughtyStrings } from "../../naughty-strings.ts";
import { type Body, bodyOf, define, placesIn } from "./bodies.ts";

export type HostileBody = { name: string; endpoint: EndpointId; bytes: Uint8Array };

const plainKeys = Array.from(
  { length: 18_000 },
  (_, at) =>
    `w${[...at.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("")}`,
);
const longKey = (at: number) => `${plainKeys[at]}_abcdefghijklmnopqr_stuvwxyz`.slice(0, 40);

/** Bodies of at most 2 MiB with as many problems of one kind as fit. Memory and time must stay bounded. */
export const floods: Record<string, [EndpointId, () => string]> = {
  "every field of every record wrong": [
    "passport-list",
    () => {
      const wrong = JSON.stringify(
        Object.fromEntries(Object.keys(bodyOf("passport-list").passports[0]).map((key) => [key, [{}]])),
      );
      return `{"passports":[${Array(3_500).fill(wrong).join()}],"pagination":[]}`;
    },
  ],
  "a hundred thousand empty records": [
    "passport-list",
    () => `{"passports":[${Array(99_000).fill("{}").join()}],"pagination":{}}`,
  ],
  "a million numbers in place of records": [
    "passport-list",
    () => `{"passports":[${Array(1_040_000).fill("1").join()}]}`,
  ],
  "a million numbers in place of wallets": [
    "passport",
    () => `{"passport":{"verified_wallets":[${Array(1_040_000).fill("0").join()}]}}`,
  ],
  "a hundred thousand random keys": [
    "passport",
    () => `{"passport":{${Array.from({ length: 120_000 }, (_, at) => `"k9${at}x7":1`).join()}}}`,
  ],
  "thousands of plain keys": [
    "passport",
    () => `{"passport":{${plainKeys.map((_, at) => `"${longKey(at)}":${at % 2 ? "null" : "{}"}`).join()}}}`,
  ],
  "a new plain key in each of thousands of records": [
    "passport-credentials",
    () =>
      `{"passport_credentials":[${plainKeys.map((key, at) => `{"${longKey(at)}":1,"type":"${longKey(at)}","category":"${key}"}`).join()}]}`,
  ],
  "thousands of duplicate keys": [
    "passport",
    () =>
      `{"passport":{${plainKeys
        .slice(0, 20_000)
        .flatMap((key) => [`"${key}":1`, `"${key}":2`])
        .join()}}}`,
  ],
  "one string of two megabytes": [
    "passport",
    () => `{"passport":{"main_wallet":"${"x".repeat(2_000_000)}"}}`,
  ],
  "one date of two megabytes": [
    "passport",
    () => `{"passport":{"last_calculated_at":"${"2024-10-01T".repeat(180_000)}"}}`,
  ],
  "one key of two megabytes": ["passport", () => `{"passport":{"${"k".repeat(2_000_000)}":1}}`],
  "one label of two megabytes": [
    "passport-credentials",
    () => `{"passport_credentials":[{"type":"${"a ".repeat(1_000_000)}","category":"${"b".repeat(9)}"}]}`,
  ],
  "thousands of bad dates of every kind": [
    "passport-credentials",
    () =>
      `{"passport_credentials":[${Array.from({ length: 25_000 }, (_, at) => `{"last_calculated_at":"${["", "x", "2024-10-01", "2024-02-30", "1727786150", "1727786150000", "2024-10-01T10:00:00", "2024-10-01T10:00:00+0100"][at % 8]}"}`).join()}]}`,
  ],
  "one body of backslashes": ["passport", () => `{"passport":{"main_wallet":"${"\\\\".repeat(1_000_000)}"}}`],
  "one body of unclosed strings": ["passport", () => `{"passport":${'"\\"'.repeat(600_000)}`],
};

/** Texts that JSON parsers disagree on. */
export const jsonTexts = [
  ...[
    "",
    " ",
    "\ufeff",
    "null",
    "true",
    "0",
    '""',
    "[]",
    "{}",
    "[null]",
    "{]",
    "[}",
    "[,]",
    "[1,]",
    '{"a":1,}',
    "{,}",
  ],
  ...[
    '{"a"}',
    '{"a":}',
    '{"a" 1}',
    "{a:1}",
    "{'a':1}",
    '{"a":1 "b":2}',
    "[1 2]",
    "[1,,2]",
    "nul",
    "TRUE",
    "NaN",
  ],
  ...[
    "Infinity",
    "-Infinity",
    "-",
    "+1",
    "01",
    "-01",
    "1.",
    ".1",
    "1e",
    "1e+",
    "0x1",
    "1_000",
    "1e400",
    "-1e400",
  ],
  ...[
    "1e-400",
    "-0",
    "-0.0",
    "9007199254740993",
    "123456789012345678901234567890",
    "0.1e1000000000",
    "1".repeat(10_000),
  ],
  ...[
    '"\\x"',
    '"\\u12"',
    '"\\uD800"',
    '"\\uDFFF\\uD800"',
    '"\\u0000"',
    '"a\nb"',
    '"a\tb"',
    '"unclosed',
    '"\\',
    "\\",
  ],
  ...[
    '{"a":1}{"b":2}',
    "[] []",
    "[]x",
    "// c\n[]",
    "/* c */[]",
    "[]#",
    "\u0000[]",
    "[]\u0000",
    "\u00a0[]",
    "\u2028[]",
  ],
  ...[
    "(1)",
    "[1;2]",
    "=1",
    "<html>",
    "<?xml?>",
    ")]}',\n{}",
    "while(1);[]",
    "callback({})",
    "data: {}\n\n",
    "{}\n{}\n",
  ],
  ...[
    '{"__proto__":null}',
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"":{"":{"":[]}}}',
    '{"passport":"passport"}',
  ],
  ...[
    '{"passports":{"length":1000000000}}',
    '{"passport":[[[[[]]]]]}',
    '{"passport_credentials":[[],{},null,1]}',
  ],
  ...[
    "[".repeat(64) + "]".repeat(64),
    "[".repeat(65) + "]".repeat(65),
    "[".repeat(100_000),
    '{"a":'.repeat(5_000),
  ],
  ...[
    `${'{"a":'.repeat(63)}1${"}".repeat(63)}`,
    `${'[{"a":'.repeat(200)}1`,
    "]".repeat(1_000),
    "}{".repeat(1_000),
  ],
];

const documented = JSON.stringify(bodyOf("passport"));
/** Bytes that are not UTF-8, or are UTF-8 in a way that some programs do not expect. */
const encodedBodies: Uint8Array[] = [
  Buffer.from(documented, "utf16le"),
  Buffer.from(`\ufeff${documented}`, "utf16le"),
  Buffer.from(documented, "utf16le").swap16(),
  Buffer.from(`\ufeff${documented}`),
  Buffer.from(`\ufeff\ufeff${documented}`),
  Buffer.from(documented.replace("{", "+AHs-")),
  Buffer.concat([Buffer.from(documented), Buffer.of(0xff)]),
  // Overlong, a surrogate, beyond Unicode, a lone continuation, and a cut character.
  ...["c0af", "eda080", "f4908080", "80", "e282", "fe", "f8888080"].map((hex) =>
    Buffer.concat([Buffer.from('{"passport":{"main_wallet":"'), Buffer.from(hex, "hex"), Buffer.from('"}}')]),
  ),
  Buffer.from([0]),
  Buffer.alloc(5_000),
  Buffer.alloc(5_000, 0xff),
  Buffer.from("H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==", "base64"),
];

/** A body with few records, because the others would only be validated in the same way. */
export function smallBody(endpoint: EndpointId, profile: "documented" | "realistic", rank = 0): Body {
  const body = structuredClone(bodyOf(endpoint, profile, rank));
  for (const list of [body.passports, body.passport_credentials]) list?.splice(2);
  return body;
}

function* namedBodies(): Generator<HostileBody> {
  for (const endpoint of endpointIds) {
    const of = (name: string, given: unknown): HostileBody => ({
      name: `${endpoint}: ${name}`,
      endpoint,
      bytes: given instanceof Uint8Array ? given : Buffer.from(String(given)),
    });
    for (const text of jsonTexts) yield of(`the text ${text.slice(0, 40)}`, text);
    for (const [index, bytes] of encodedBodies.entries()) yield of(`the encoding ${index}`, bytes);
    const places = placesIn(smallBody(endpoint, "realistic"));
    for (const [at] of places.entries())
      for (const [index, text] of naughtyStrings.entries()) {
        const body = smallBody(endpoint, "realistic");
        const { holder, key } = placesIn(body)[at]!;
        // Each string as a value, and as a key beside the place.
        define(holder, index % 2 === 0 || Array.isArray(holder) ? key : text, text);
        yield of(`string ${index} at ${key}`, JSON.stringify(body));
      }
  }
}

/** The fixed bodies without the floods; more than ten thousand. */
export const corpus = (): Iterable<HostileBody> => namedBodies();

export function* floodBodies(): Generator<HostileBody> {
  for (const [name, [endpoint, build]] of Object.entries(floods))
    yield { name, endpoint, bytes: Buffer.from(build()) };
}
