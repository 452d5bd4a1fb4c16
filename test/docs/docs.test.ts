// The documents are short, and the files that they name exist.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const files = globSync(["{bin,functions,lib,web,test,bench,schemas,docs,deploy,examples}/**/*", "*.*"], {
  cwd: root,
});

test("the README has at most 900 words", () => {
  expect(read("README.md").split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
});

test("a decision has at most six lines", () => {
  const decisions = read("docs/decisions.md").split(/^## /m).slice(1);
  expect(decisions.length).toBeGreaterThan(10);
  for (const decision of decisions) {
    const [title, ...lines] = decision
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("Removed: "));
    expect(lines.length, title).toBeLessThanOrEqual(6);
  }
});

test.each(["README.md", "docs/architecture.md", "docs/deploy.md", "docs/operate.md", "docs/decisions.md"])(
  "every file that %s names exists",
  (document) => {
    const named = [...read(document).matchAll(/`((?:[\w-]+\/)*[\w-]+\.(?:ts|js|py|md|service))`/g)].map(
      ([, name]) => name!,
    );
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, name]) =>
      name!.replace(/^\.\.\//, ""),
    );
    const isThere = (name: string) =>
      files.some((file) => file === name || file.endsWith(`/${name}`) || file.startsWith(`${name}/`));
    expect([...named, ...links].filter((name) => !isThere(name) && !isThere(`docs/${name}`))).toEqual([]);
  },
);

test("every name of the code in docs/architecture.md is in the code", () => {
  const names = [...read("docs/architecture.md").matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)`/g)].map(
    ([, name]) => name!,
  );
  expect(names).toContain("toDataPoints");
  const code = files
    .filter((file) => /^lib\/.*\.ts$/.test(file))
    .map(read)
    .join("\n");
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});
