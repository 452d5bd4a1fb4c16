// A file's tree is let go and made again statement by statement: every node stays what and where it was.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { languageOf, loadParser, parseCode, type SyntaxNode } from "../../lib/scan/code/syntax.ts";

const corpus = join(import.meta.dirname, "corpus");
const files = readdirSync(corpus, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:[mc]?[jt]sx?|py|go)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

beforeAll(async () => void (await loadParser()));

const fieldNames = ["name", "body", "left", "right", "value", "arguments", "function", "condition"];
const dump = (root: SyntaxNode) =>
  [...root.walk()].map((node) => ({
    kind: node.kind,
    text: node.text,
    line: node.line,
    span: node.span,
    operator: node.operator,
    fields: fieldNames.map((name) => node.field(name)?.text),
  }));

/** Nodes that were made before and nodes that are made after, with nothing remembered of either. */
function compare(file: string, code: string, isLookedAtBefore: boolean): void {
  const expected = dump(parseCode(file, code));
  const root = parseCode(file, code);
  if (isLookedAtBefore) for (const node of root.walk()) void node.field("name");
  root.letGo(file, code);
  expect(dump(root).slice(1)).toEqual(expected.slice(1));
}

describe("a tree that was let go", () => {
  test("A tree that was let go is made again as it was, for every file of the corpus", () => {
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) {
      const code = readFileSync(file, "utf8");
      if (languageOf(file)) for (const isLookedAt of [false, true]) compare(file, code, isLookedAt);
    }
  });

  test.each([
    ["a.py", "x = 1; y = f(2)\n\n\nif a:\n    b = 1\nelse:\n    b = 2\n@d\ndef g(): return 3\n"],
    [
      "a.js",
      "const a = 1; const b = 2\n// ü 😀\nexport default { a, async b() { return 1 } }\nlabel: for (;;) break label\n",
    ],
    [
      "a.ts",
      "declare module 'x' { export const a: number }\nabstract class A<T> { @d() b!: T }\nenum E { A }\n",
    ],
    [
      "a.go",
      'package a\n\nimport "x"\n\nvar (\n\ta = 1\n\tb = 2\n)\nfunc (r *R) F() (int, error) { return 1, nil }\n',
    ],
    // What makes no program by itself, or none at all.
    ["a.js", "function f( {\nconst a = 1;\n) }\nfetch(\n"],
    ["a.py", "def f(:\n  x\n)\ny = 1\n"],
  ])("A tree that was let go is made again as it was: %s %j", (file, code) => {
    for (const isLookedAt of [false, true]) compare(file, code, isLookedAt);
  });
});
