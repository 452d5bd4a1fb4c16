// The corpus: small programs, each named after what it shows, with the expected findings in comments at the end of their
// lines. A file without comments has its findings in `unmarked` below.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { scanConsumers, type Use } from "../../lib/scan/index.ts";

const corpus = join(import.meta.dirname, "corpus");
const programs = readdirSync(corpus).sort();

/** Findings in files in which a comment would be a part of the text. */
const unmarked: Record<string, string[]> = {
  "astro-a-page": ["index.astro:2 call passport-list", "index.astro:6 read passports[].score"],
  "py-a-template-of-flask": [
    "holder.html:1 read passport.passport_profile.display_name",
    "holder.html:2 read passport.human_checkmark",
    "holder.html:2 read passport.score",
    "holder.html:3 read passport.passport_socials",
    "holder.html:4 read passport.passport_socials[].source",
  ],
  "py-a-notebook": ["study.ipynb:13 call passport-list", "study.ipynb:14 read passports[].score"],
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));

const marker = /(?:\/\/|#|\{\/\*) ((?:call|read|hazard): .*)$/;

/** `// call: passport; read: passport.score` → the expected findings with file and line. */
function expectedIn(folder: string): string[] {
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

const findingsOf = (uses: readonly Use[]): string[] =>
  uses.flatMap(({ file, endpoint, calls, fields, hazards }) => [
    ...calls.map((line) => `${file}:${line} call ${endpoint}`),
    ...fields
      .filter(({ isRequired, isUndocumented }) => !isRequired && !isUndocumented)
      .map(({ path, line }) => `${file}:${line} read ${path}`),
    ...hazards.map(({ rule, line }) => `${file}:${line} hazard ${rule}`),
  ]);

const sorted = (findings: Iterable<string>) => [...new Set(findings)].sort();

test.each(programs)("The scan finds what is marked in %s, and nothing else", async (program) => {
  const root = join(corpus, program);
  const { uses } = (await scanConsumers([{ root, as: "" }]))!;
  const expected = [...expectedIn(root), ...(unmarked[program] ?? [])];
  expect(sorted(findingsOf(uses))).toEqual(sorted(expected));
  // Its name says whether a program uses V1.
  expect(expected.length > 0).toBe(!program.startsWith("none-"));
});
