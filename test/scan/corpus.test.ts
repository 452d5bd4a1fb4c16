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
      ...fields.map(({ path, line }) => `${file}:${line} read ${path}`),
      ...hazards.map(({ rule, line }) => `${file}:${line} hazard ${rule}`),
    ]),
  );

// Known false positives and misses. Any other change of the result is a regression or an improvement.
const known: Record<string, string[]> = {
  javascript: ["wrong got-sync/db.ts:12 hazard fallback-default"],
  python: ["missed flask_badges/badges/api.py:40 hazard string-number"],
  go: [],
};

describe.each(["javascript", "python", "go"])("scanConsumers on the %s corpus", (language) => {
  test("has a precision and a recall of at least 0.95", async () => {
    let [count, right, foundCount] = [0, 0, 0];
    const wrong: string[] = [];
    for (const folder of ["", "second", "third", "fourth", "fifth", "sixth"].map((part) =>
      join(corpus, part, language),
    )) {
      const expected = new Set(expectations(folder));
      const found = findings((await scanFolder(folder)).uses);
      count += expected.size;
      foundCount += found.size;
      right += [...found].filter((item) => expected.has(item)).length;
      wrong.push(...[...found].filter((item) => !expected.has(item)).map((item) => `wrong ${item}`));
      wrong.push(...[...expected].filter((item) => !found.has(item)).map((item) => `missed ${item}`));
    }
    const [precision, recall] = [right / foundCount, right / count];
    console.log(
      `${language}: ${count} marks, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
      wrong,
    );
    expect(count).toBeGreaterThan(90);
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.95);
    expect(wrong).toEqual(known[language]);
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
