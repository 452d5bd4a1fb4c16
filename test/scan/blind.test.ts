// Twenty programs in the style of real repositories, written by somebody who had not seen the scanner. Their truth is
// in truth.json; its conventions are in corpus/blind/README.md.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scanConsumers, type Use } from "../../lib/scan/scan.ts";

const folder = join(import.meta.dirname, "corpus/blind");
type Place = { file: string; line: number; alt_lines?: number[] };
type Truth = {
  calls: (Place & { endpoint: string })[];
  fields: (Place & { field: string })[];
  grey: Place[];
};

/** The truth writes the list's records as `passport`, and a credential as `credential`. */
const nameOf = (path: string) =>
  path
    .replaceAll("[]", "")
    .replace(/^passports\b/, "passport")
    .replace(/^passport_credentials\b/, "credential")
    .replace(/^pagination/, "list.pagination");

const keysOf = ({ file, line, alt_lines = [] }: Place, what: string) =>
  [line, ...alt_lines].map((at) => `${file}:${at} ${what}`);

async function score(of: (truth: Truth) => string[][], found: (uses: readonly Use[]) => string[]) {
  let [expected, right, wrong] = [0, 0, 0];
  const mistakes: string[] = [];
  for (const name of readdirSync(folder).filter((entry) => /^\d/.test(entry))) {
    const truth: Truth = JSON.parse(readFileSync(join(folder, name, "truth.json"), "utf8"));
    const { uses, tests } = (await scanConsumers([{ root: join(folder, name), as: "" }]))!;
    const grey = new Set(truth.grey.map(({ file, line }) => `${file}:${line}`));
    const given = new Set(found([...uses, ...tests]).filter((key) => !grey.has(key.split(" ")[0] ?? "")));
    const wanted = of(truth);
    const hit = wanted.filter((keys) => keys.some((key) => given.has(key)));
    const known = new Set(wanted.flat());
    expected += wanted.length;
    right += hit.length;
    const extra = [...given].filter((key) => !known.has(key));
    wrong += extra.length;
    mistakes.push(...extra.map((key) => `wrong ${name} ${key}`));
    mistakes.push(...wanted.filter((keys) => !hit.includes(keys)).map(([key]) => `missed ${name} ${key}`));
  }
  return { recall: right / expected, precision: right / (right + wrong), mistakes: mistakes.join("\n") };
}

test("fields have a recall of at least 0.92 and a precision of at least 0.95", async () => {
  const { recall, precision, mistakes } = await score(
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
    ({ calls }) => calls.map((place) => keysOf(place, place.endpoint)),
    (uses) => uses.flatMap(({ file, calls, endpoint }) => calls.map((line) => `${file}:${line} ${endpoint}`)),
  );
  console.log(`calls: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
  expect(recall, mistakes).toBeGreaterThanOrEqual(0.9);
  expect(precision, mistakes).toBeGreaterThanOrEqual(0.9);
});

test("a program that only has V1's words is no consumer", async () => {
  for (const name of ["10-gitcoin-stamps", "16-travel-documents"]) {
    const { uses } = (await scanConsumers([{ root: join(folder, name), as: "" }]))!;
    expect(uses, name).toEqual([]);
  }
});
