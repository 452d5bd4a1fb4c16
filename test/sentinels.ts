// Searches artefacts for texts that must never be in them: raw, in hexadecimal, in base64, URL-encoded, in UTF-16, and
// inside of compressed parts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { simulatorKey } from "../lib/local/simulation.ts";
import { createBodies } from "../lib/simulator/bodies.ts";
import { createPopulation } from "../lib/simulator/population.ts";
import { STORY_KEY } from "./stories/types.ts";

/** In base64, the letters of a text depend on its position: three positions, without the letters of its neighbours. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const whole = Math.floor(bytes.length / 3) * 4;
    return bytes
      .toString("base64")
      .slice(offset === 0 ? 0 : 4, whole)
      .replaceAll("=", "");
  });
}

const percentEncode = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

type Form = { sentinel: string; name: string; text: string; isExact?: boolean };

/** A shorter form of a short sentinel would be found by chance. */
const minEncodedLength = 8;

/** Every form in which a sentinel is searched for, in small letters where its letter case has no meaning. */
function formsOf(sentinel: string): Form[] {
  const forms: Omit<Form, "sentinel">[] = [
    { name: "raw", text: sentinel.toLowerCase() },
    { name: "reversed", text: [...sentinel].reverse().join("").toLowerCase() },
    { name: "hexadecimal", text: Buffer.from(sentinel).toString("hex") },
    { name: "URL-encoded", text: encodeURIComponent(sentinel).toLowerCase() },
    { name: "percent-encoded", text: percentEncode(sentinel) },
    { name: "UTF-16", text: Buffer.from(sentinel.toLowerCase(), "utf16le").toString("latin1") },
    ...base64Forms(sentinel).flatMap((text) => [
      { name: "base64", text, isExact: true },
      { name: "base64url", text: text.replaceAll("+", "-").replaceAll("/", "_"), isExact: true },
    ]),
  ];
  return forms
    .filter(({ name, text }) => name === "raw" || text.length >= minEncodedLength)
    .map((form) => ({
      ...form,
      sentinel,
      text: toLatin1(form),
    }));
}

/** The bytes of the form as the artefacts are searched: one letter for each byte, small unless the case counts. */
function toLatin1({ name, text, isExact }: Omit<Form, "sentinel">): string {
  const bytes = Buffer.from(text, name === "UTF-16" ? "latin1" : "utf8").toString("latin1");
  return isExact ? bytes : bytes.toLowerCase();
}

const limits = { maxOutputLength: 64 * 2 ** 20 };
const openers = [gunzipSync, inflateSync, inflateRawSync];

function open(bytes: Uint8Array): Buffer | undefined {
  for (const opener of openers)
    try {
      const opened = opener(bytes, limits);
      if (opened.length > 0) return opened;
    } catch {
      // It is not compressed in this way.
    }
  return undefined;
}

/** Texts that only look like base64; the same ones are in many artefacts. */
const notCompressed = new Set<string>();

/** What is compressed in the bytes: gzip members anywhere, and base64 texts that can be decompressed. */
function compressedParts(bytes: Buffer): Buffer[] {
  const parts: (Buffer | undefined)[] = [open(bytes)];
  for (let at = bytes.indexOf("1f8b08", 0, "hex"); at !== -1; at = bytes.indexOf("1f8b08", at + 1, "hex"))
    try {
      parts.push(gunzipSync(bytes.subarray(at), limits));
    } catch {
      // Three bytes that only look like the start of a gzip member, or one with other bytes after it.
    }
  const encoded = new Set(bytes.toString("latin1").match(/[A-Za-z0-9+/]{24,}={0,2}/g));
  for (const text of encoded) {
    if (notCompressed.has(text)) continue;
    const part = open(Buffer.from(text, "base64"));
    if (part) parts.push(part);
    else notCompressed.add(text);
  }
  return parts.filter((part) => part !== undefined);
}

const maxLayers = 3;

/** The sentinels in an artefact, each with the form in which it was found. */
export function findSentinels(artefact: string | Uint8Array, sentinels: readonly string[]): string[] {
  const found = new Set<string>();
  const forms = sentinels.flatMap(formsOf);
  const search = (bytes: Buffer, layer: number) => {
    const exact = bytes.toString("latin1");
    const lower = exact.toLowerCase();
    for (const { sentinel, name, text, isExact } of forms)
      if ((isExact ? exact : lower).includes(text))
        found.add(`${sentinel} (${layer > 0 ? "compressed, " : ""}${name})`);
    if (layer < maxLayers) for (const part of compressedParts(bytes)) search(part, layer + 1);
  };
  search(Buffer.from(artefact as string), 0);
  return [...found];
}

/** The artefacts that contain a sentinel, by name; empty where everything is clean. */
export function searchArtefacts(
  artefacts: Readonly<Record<string, string | Uint8Array>>,
  sentinels: readonly string[],
): Record<string, string[]> {
  const hits = Object.entries(artefacts).map(([name, artefact]) => [
    name,
    findSentinels(artefact, sentinels),
  ]);
  return Object.fromEntries(hits.filter(([, found]) => (found?.length ?? 0) > 0));
}

/** Every file of a folder, at any depth. */
export const readFolder = (folder: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]),
  );

/** Shorter texts may be in an artefact by chance. */
const minPersonLength = 8;

/** What V1's list says about people. Ids and wallets are not in it: those of the samples are in the probe state. */
export const peopleOf = ({ passports }: { passports: { passport_profile: Record<string, unknown> }[] }) =>
  passports
    .flatMap(({ passport_profile: { display_name, bio } }) => [display_name, bio])
    .filter((text): text is string => typeof text === "string" && text.length >= minPersonLength);

/** On the first page of its list. */
function simulatedPeople(): string[] {
  const bodies = createBodies(createPopulation({ seed: 1, size: 500 }), "documented");
  const list = bodies["passport-list"]({ id: "", keyword: "", page: 1 }, { now: 0 });
  return peopleOf(list as Parameters<typeof peopleOf>[0]);
}

/** As sentences: where a sentinel was found. They do not repeat it. */
export const describeHits = (
  artefacts: Readonly<Record<string, string | Uint8Array>>,
  sentinels: readonly string[],
): string[] =>
  Object.entries(searchArtefacts(artefacts, sentinels)).map(
    ([name, found]) => `${name} holds ${found.length} texts that must not be kept`,
  );

/** The keys of the tests, and people of the simulator. */
export const testSentinels: readonly string[] = [
  ...["sentinel-key", "sentinel_person", simulatorKey, STORY_KEY],
  ...simulatedPeople().slice(0, 12),
];

/** In raw form only, which is quick enough for the folders of every test file. */
export const searchFolder = (folder: string): string[] =>
  Object.entries(readFolder(folder))
    .filter(([, bytes]) => testSentinels.some((sentinel) => bytes.includes(sentinel)))
    .map(([name]) => `${name} holds a text that must not be kept`);
