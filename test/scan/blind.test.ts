// Fifteen times twenty programs in the style of real repositories, written by people who had not seen the scanner. Their truth
// is in truth.json; its conventions are in corpus/blind/README.md.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scanConsumers, type Use } from "../../lib/scan/scan.ts";

const corpus = join(import.meta.dirname, "corpus");
type Place = { file: string; line: number; alt_lines?: number[] };
type Truth = {
  calls: (Place & { endpoint: string })[];
  fields: (Place & { field: string })[];
  hazards: (Place & { kind: string })[];
  field_defaults: Place[];
  grey: Place[];
};

/** `blind/04-telegram-bot` */
const programsOf = (folder: string) =>
  readdirSync(join(corpus, folder)).flatMap((entry) => (/^\d/.test(entry) ? [join(folder, entry)] : []));
const scans = new Map<string, ReturnType<typeof scanConsumers>>();

async function scanOf(name: string) {
  const scan = scans.get(name) ?? scanConsumers([{ root: join(corpus, name), as: "" }]);
  scans.set(name, scan);
  return (await scan)!;
}

const truthOf = (name: string): Truth => JSON.parse(readFileSync(join(corpus, name, "truth.json"), "utf8"));

/** The truth writes the list's records as `passport`, and a credential as `credential`. */
const nameOf = (path: string) =>
  path
    .replaceAll("[]", "")
    .replace(/^passports\b/, "passport")
    .replace(/^passport_credentials\b/, "credential")
    .replace(/^pagination/, "list.pagination");

const keysOf = ({ file, line, alt_lines = [] }: Place, what: string) =>
  [line, ...alt_lines].map((at) => `${file}:${at} ${what}`);

async function score(
  programs: readonly string[],
  of: (truth: Truth) => string[][],
  found: (uses: readonly Use[]) => string[],
) {
  let [expected, right, wrong] = [0, 0, 0];
  const mistakes: string[] = [];
  for (const name of programs) {
    const truth = truthOf(name);
    const { uses, tests } = await scanOf(name);
    const grey = new Set(truth.grey.map(({ file, line }) => `${file}:${line}`));
    const given = new Set(found([...uses, ...tests]));
    const wanted = of(truth);
    const hit = wanted.filter((keys) => keys.some((key) => given.has(key)));
    const known = new Set(wanted.flat());
    expected += wanted.length;
    right += hit.length;
    const extra = [...given].filter((key) => !known.has(key) && !grey.has(key.split(" ")[0] ?? ""));
    wrong += extra.length;
    mistakes.push(...extra.map((key) => `wrong ${name} ${key}`));
    mistakes.push(...wanted.filter((keys) => !hit.includes(keys)).map(([key]) => `missed ${name} ${key}`));
  }
  return { recall: right / expected, precision: right / (right + wrong), mistakes: mistakes.join("\n") };
}

/** The truth names the line of the default, the scan that of its handler: `if (!res.ok) {`, `catch {`. */
const maxLinesApart = 3;

const sets = [
  "blind",
  "blind-second",
  "blind-third",
  "blind-fourth",
  "blind-fifth",
  "blind-sixth",
  "blind-seventh",
  "blind-eighth",
  "blind-ninth",
  "blind-tenth",
  "blind-eleventh",
  "blind-twelfth",
  "blind-thirteenth",
  "blind-fourteenth",
  "blind-fifteenth",
];

describe.each(sets)("of the programs of %s", (folder) => {
  const programs = programsOf(folder);

  test("fields have a recall of at least 0.92 and a precision of at least 0.95", async () => {
    const { recall, precision, mistakes } = await score(
      programs,
      ({ fields }) => fields.map((place) => keysOf(place, nameOf(place.field))),
      (uses) =>
        uses.flatMap(({ file, fields }) =>
          fields.flatMap(({ path, line, isRequired, isUndocumented }) =>
            isRequired || isUndocumented ? [] : [`${file}:${line} ${nameOf(path)}`],
          ),
        ),
    );
    console.log(`fields: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
    expect(recall, mistakes).toBeGreaterThanOrEqual(0.92);
    expect(precision, mistakes).toBeGreaterThanOrEqual(0.95);
  });

  test("calls have a recall and a precision of at least 0.9", async () => {
    const { recall, precision, mistakes } = await score(
      programs,
      ({ calls }) => calls.map((place) => keysOf(place, place.endpoint)),
      (uses) =>
        uses.flatMap(({ file, calls, endpoint }) => calls.map((line) => `${file}:${line} ${endpoint}`)),
    );
    console.log(`calls: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
    expect(recall, mistakes).toBeGreaterThanOrEqual(0.9);
    expect(precision, mistakes).toBeGreaterThanOrEqual(0.9);
  });

  test("handlers that turn a failure into a default have a recall and a precision of at least 0.8", async () => {
    let [expected, right, wrong] = [0, 0, 0];
    const mistakes: string[] = [];
    for (const name of programs) {
      const truth = truthOf(name);
      const isNear = (a: Place, b: Place) => a.file === b.file && Math.abs(a.line - b.line) <= maxLinesApart;
      // A status that nobody looks at is no rule of the scan.
      const wanted = truth.hazards.filter(({ kind }) => kind !== "unchecked-status");
      const allowed = [...truth.hazards, ...truth.field_defaults, ...truth.grey];
      const given = (await scanOf(name)).uses.flatMap(({ file, hazards }) =>
        hazards.filter(({ rule }) => rule.endsWith("-default")).map(({ line }) => ({ file, line })),
      );
      const missed = wanted.filter((hazard) => !given.some((found) => isNear(found, hazard)));
      const extra = given.filter((found) => !allowed.some((hazard) => isNear(found, hazard)));
      expected += wanted.length;
      right += wanted.length - missed.length;
      wrong += extra.length;
      for (const { file, line } of missed) mistakes.push(`missed ${name} ${file}:${line}`);
      for (const { file, line } of extra) mistakes.push(`wrong ${name} ${file}:${line}`);
    }
    const [recall, precision] = [right / expected, right / (right + wrong)];
    console.log(`hazards: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.8);
    expect(precision, mistakes.join("\n")).toBeGreaterThanOrEqual(0.8);
  });
});

test("a program that only has V1's words is no consumer", async () => {
  for (const name of [
    "blind/10-gitcoin-stamps",
    "blind/16-travel-documents",
    "blind-second/10-gitcoin-hooks",
    "blind-third/11-human-passport-gate",
    "blind-fourth/11-gitcoin-passport-gate",
    "blind-fourth/20-go-travel-documents",
    "blind-fifth/06-elysia-v2-profiles",
    "blind-fifth/14-django-skills-passport",
    "blind-sixth/10-seafarer-crew-passports",
    "blind-sixth/20-horse-show-office",
    "blind-seventh/10-ward-skills-passport",
    "blind-seventh/20-language-passport-office",
    "blind-eighth/10-reef-dive-passports",
    "blind-eighth/20-go-kennel-border-desk",
    "blind-ninth/10-nursery-plant-passports",
    "blind-ninth/20-go-trail-stampbook",
    "blind-tenth/10-passportjs-quiz-league",
    "blind-tenth/20-go-instrument-passports",
    "blind-eleventh/10-winery-tasting-passports",
    "blind-twelfth/10-fastify-player-transfers",
    "blind-twelfth/20-chi-bicycle-registry",
    "blind-thirteenth/20-go-site-safety-gate",
    "blind-fourteenth/10-library-reading-passports",
    "blind-fourteenth/20-echo-narrowboat-passports",
    "blind-fifteenth/10-ballroom-competitor-passports",
    "blind-fifteenth/20-go-cell-model-passports",
  ]) {
    expect((await scanOf(name)).uses, name).toEqual([]);
  }
});
