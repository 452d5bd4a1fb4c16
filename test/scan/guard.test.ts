// The scan ends, whatever the code makes of its parser, and says what it gave up.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EndlessScan, scanConsumers, scanGuarded } from "../../lib/scan/index.ts";
import { fc } from "../random.ts";
import { type Files, withTree } from "./source-tree.ts";

const call =
  'export const score = async () => (await (await fetch("/api/v1/passports/1")).json()).passport.score;\n';
const guarded = (files: Files, options?: Parameters<typeof scanGuarded>[1]) =>
  withTree(files, (root) => scanGuarded([{ root, as: "" }], options));

/** The native parser of Go takes time with the square of the blank lines in code that is no Go: an hour for these. */
const endless = `passports/ human_checkmark main_wallet\n${"\t \n".repeat(150_000)}<A v-for="${" ".repeat(2_000)}" />`;
/** Found by chance: the parser of TSX does not end. */
const unending = readFileSync(join(import.meta.dirname, "unending.tsx.txt"), "utf8");

test("A scan gives up the files on which its parser does not end, and finds what is in the others", async () => {
  const files = { "a.ts": call, "b/endless.go": endless, "c/unending.tsx": unending, "d.ts": call };
  const found = await guarded(files, { patienceMs: 1_500 });
  expect(found?.uses.map(({ file, fields }) => [file, fields[0]?.path])).toEqual([
    ["a.ts", "passport.score"],
    ["d.ts", "passport.score"],
  ]);
  expect(found?.unfollowed).toEqual(["b/endless.go", "c/unending.tsx"]);
  expect(found?.files).toBe(2);
});

test("A scan in a process of its own finds what a scan finds, and tells its progress", async () => {
  const files = { "a.ts": call, "b.py": "print(1)\n", "test/c.ts": call, "d.rb": "/api/v1/passports\n" };
  const lines: number[] = [];
  const found = await guarded(files, { onProgress: (progress) => lines.push(progress.lines) });
  expect(found).toEqual(await withTree(files, (root) => scanConsumers([{ root, as: "" }])));
  expect(found?.uses.length).toBeGreaterThan(0);
});

test("A scan that is aborted ends at once, even in a parser that does not end", async () => {
  const controller = new AbortController();
  const ended = guarded({ "a.tsx": unending }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 500);
  expect(await ended).toBeUndefined();
});

test("A scan of many files on which the parser does not end is stopped and names them", async () => {
  const files = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`${at}.tsx`, unending]));
  const error = await guarded(files, { patienceMs: 600 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EndlessScan);
  expect((error as EndlessScan).files).toHaveLength(5);
});

test("A file of which the parser makes no program is analysed as far as possible, and listed", async () => {
  const brackets = fc.record({
    open: fc.constantFrom("(", "[", "{", "<", "`${"),
    count: fc.integer({ min: 1, max: 40 }),
    end: fc.constantFrom(".ts", ".tsx", ".js", ".py", ".go"),
  });
  await fc.assert(
    fc.asyncProperty(brackets, async ({ open, count, end }) => {
      const code = `export async function score(id: string) {\n  const r = await fetch(${open.repeat(count)}"https://x/api/v1/passports/1");\n  const { passport } = await r.json();\n  return passport.score;\n}\n`;
      const found = await guarded({ [`a${end}`]: code }, { patienceMs: 10_000 });
      expect(found!.uses.length + found!.unfollowed.length + found!.notCounted.length).toBeGreaterThan(0);
    }),
    { numRuns: 10 },
  );
});
