// The corpus consists of small client programs with the expected findings in comments at the end of their lines.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { scanConsumers, type Use } from "../../lib/scan/scan.ts";

const corpus = join(import.meta.dirname, "corpus");
const scanFolder = async (root: string) => (await scanConsumers([{ root, as: "" }]))!;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));

const marker = /(?:\/\/|#|\{\/\*) ((?:call|read|hazard): .*)$/;

/** Parses `// call: passport; read: passport.score` into expected findings with file and line. */
function expectations(folder: string): string[] {
  return filesIn(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const [, text = ""] = marker.exec(line) ?? [];
        return [...text.matchAll(/(call|read|hazard): ([^;*]+)/g)].flatMap(([, kind, items]) =>
          items!.split(",").map((item) => `${file}:${index + 1} ${kind} ${item.trim()}`),
        );
      }),
  );
}

const findings = (uses: readonly Use[]): Set<string> =>
  new Set(
    uses.flatMap(({ file, endpoint, calls, fields, hazards }) => [
      ...calls.map((line) => `${file}:${line} call ${endpoint}`),
      ...fields
        .filter(({ isRequired, isUndocumented }) => !isRequired && !isUndocumented)
        .map(({ path, line }) => `${file}:${line} read ${path}`),
      ...hazards.map(({ rule, line }) => `${file}:${line} hazard ${rule}`),
    ]),
  );

const kinds = ["call", "read", "hazard"] as const;
const minimums = {
  call: { precision: 0.98, recall: 0.95 },
  read: { precision: 0.98, recall: 0.95 },
  hazard: { precision: 0.9, recall: 0.85 },
} as const;

const parts = ["", "second", "third", "fourth", "fifth", "sixth", "seventh"];

describe.each(["javascript", "python", "go"])("scanConsumers on the %s corpus", (language) => {
  test("has the precision and the recall that the project promises", async () => {
    const expected: string[] = [];
    const found: string[] = [];
    for (const part of parts) {
      const folder = join(corpus, part, language);
      expected.push(...expectations(folder).map((item) => `${part}/${item}`));
      for (const item of findings((await scanFolder(folder)).uses)) found.push(`${part}/${item}`);
    }
    for (const kind of kinds) {
      const ofKind = (item: string) => item.split(" ")[1] === kind;
      const [wanted, given] = [new Set(expected.filter(ofKind)), new Set(found.filter(ofKind))];
      const mistakes = [...given].filter((item) => !wanted.has(item));
      const misses = [...wanted].filter((item) => !given.has(item));
      const precision = 1 - mistakes.length / given.size;
      const recall = 1 - misses.length / wanted.size;
      console.log(
        `${language} ${kind}: ${wanted.size} marks, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
      );
      expect(precision, mistakes.join("\n")).toBeGreaterThanOrEqual(minimums[kind].precision);
      expect(recall, misses.join("\n")).toBeGreaterThanOrEqual(minimums[kind].recall);
    }
    expect(expected.length).toBeGreaterThan(90);
  });

  test("has at least 12 programs", () => {
    expect(readdirSync(join(corpus, language)).length).toBeGreaterThanOrEqual(12);
  });
});

test("a tree that merely mentions passports has no findings", async () => {
  const { files, uses } = await scanFolder(join(corpus, "negatives"));
  expect(files).toBeGreaterThan(12);
  expect(uses).toEqual([]);
});
