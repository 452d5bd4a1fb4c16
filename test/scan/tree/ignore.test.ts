// Compares the scan's .gitignore evaluation with git itself.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { listTree, readOwners } from "../../../lib/scan/tree/files.ts";
import { fc } from "../../random.ts";

const place = mkdtempSync(join(tmpdir(), "v1watch-ignore-"));
const root = join(place, "tree");
afterAll(() => rmSync(place, { recursive: true }));

/** Isolated from the machine's git settings, which may contain a global ignore file. */
const env = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  HOME: place,
  XDG_CONFIG_HOME: place,
};

/** Creates the minimal files of a git repository. */
function clear(): void {
  rmSync(root, { recursive: true, force: true });
  for (const folder of ["objects", "refs"]) mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
}
beforeEach(clear);

function listByGit(): string[] {
  const args = ["-C", root, "ls-files", "--others", "--exclude-standard", "-z"];
  return execFileSync("git", args, { env, encoding: "utf8" }).split("\0").filter(Boolean).sort();
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    } catch {
      // A name cannot be both a file and a folder; the first one written is kept.
    }
  }
}

const name = fc.constantFrom(
  "a",
  "b",
  "ab",
  "abc",
  "a.b",
  "x.ts",
  "#c",
  "!d",
  "e f",
  "[a]",
  "a-",
  "A1",
  "b ",
  "\\",
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const token = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 5, arbitrary: fc.constantFrom("*", "/", "/**/", "?") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "[ab]",
      "[!a]",
      "[^b]",
      "[a-c]",
      "[]a]",
      "[a",
      "[c-a]",
      "[\\]]",
      "[a-]",
      "[--0]",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("\\", "\\*", "\\a", "\\ ", " ", "!", "#", "\\#", "\\!", ".", "-"),
  },
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "/", "**/"),
    fc.array(token, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("", "", "/", " ", "/**"),
  )
  .map(([head, tokens, tail]) => head + tokens.join("") + tail);
const ignoreFile = fc.array(pattern, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));
const tree = fc.record({
  paths: fc.array(path, { minLength: 3, maxLength: 14 }),
  own: ignoreFile,
  nested: fc.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 2 }), ignoreFile), { maxLength: 2 }),
});

type Tree = { paths: string[]; own: string; nested: [string[], string][] };

function writeTree({ paths, own, nested }: Tree, folder: string, ownIn = folder): void {
  write(Object.fromEntries(paths.map((one) => [`${folder}/${one}`, ""])));
  write({ [join(ownIn, ".gitignore")]: own });
  for (const [below, text] of nested) write({ [`${folder}/${below.join("/")}/.gitignore`]: text });
}

describe("listTree", () => {
  test("listTree lists the same files as git for arbitrary trees and patterns", () => {
    // Each tree is a folder with its own rules, so that one git call covers many trees.
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 15 }), (trees) => {
        clear();
        for (const [index, one] of trees.entries()) writeTree(one, `t${index}`);
        expect(listTree(root).paths.sort()).toEqual(listByGit());
      }),
      { numRuns: 25 },
    );
  });

  test("listTree lists the same files as git if only a subfolder of the repository is scanned", () => {
    fc.assert(
      fc.property(tree, (one) => {
        clear();
        writeTree(one, "sub", ".");
        const byGit = listByGit().filter((path) => path.startsWith("sub/"));
        const own = listTree(join(root, "sub")).paths.map((path) => `sub/${path}`);
        // A folder that git ignores as a whole is still scanned if it is named explicitly.
        if (byGit.length > 0) expect(own.sort()).toEqual(byGit);
      }),
      { numRuns: 25 },
    );
  });
});

test("listTree matches patterns with many wildcards without exponential backtracking", () => {
  const folder = Array.from({ length: 12 }, () => "a".repeat(20)).join("/");
  write({
    [`${folder}/${"a".repeat(200)}`]: "",
    ".gitignore": [
      `${"*a".repeat(100)}b`,
      `${"**/".repeat(100)}b`,
      `${"**/a*".repeat(60)}b`,
      `x/${"?*".repeat(120)}`,
    ].join("\n"),
  });
  expect(listTree(root).paths).toHaveLength(2);
});

test("A pipe or a folder that has the name of .gitignore or CODEOWNERS neither stops the scan nor keeps it waiting", () => {
  write({ "src/a.ts": "export {};\n", "docs/CODEOWNERS": "* @team\n" });
  mkdirSync(join(root, ".gitignore"));
  mkdirSync(join(root, "CODEOWNERS"));
  mkdirSync(join(root, ".github"));
  for (const pipe of ["src/.gitignore", ".github/CODEOWNERS"]) execFileSync("mkfifo", [join(root, pipe)]);
  expect(listTree(root).paths).toContain("src/a.ts");
  expect(readOwners(root)("src/a.ts")).toEqual(["@team"]);
});
