import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const path = new URL("../../docs/use/runbook.md", import.meta.url);
const text = await readFile(path, "utf8");

test("The runbook has no duration, share or number of checks that is not rendered from a threshold", () => {
  const prose = text.replace(/<!-- [\w.-]+ -->[^<]*<!-- -->/g, "").replace(/^ {4}.*$/gm, "");
  expect(prose.match(/\b\d+(?:\.\d+)? ?(?:s|min|minutes|h|hours|days?|%|checks)(?!\w)/g) ?? []).toEqual([]);
});
