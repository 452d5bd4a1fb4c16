import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scanConsumers } from "../../../lib/scan/scan.ts";
import { listTree, maxFileBytes } from "../../../lib/scan/tree/files.ts";
import { fc } from "../../random.ts";
import { type Files, writeFiles } from "../source-tree.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "v1watch-scan-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (files: Files) => writeFiles(root, files);

const call = 'export const f = async () => (await fetch("/api/v1/passports/1")).json();\n';
const scanned = async (folder = root) => (await scanConsumers([{ root: folder, as: "" }]))!;
const filesFound = async (folder?: string) => (await scanned(folder)).uses.map(({ file }) => file);

describe("scanConsumers", () => {
  test("scanConsumers skips files that are ignored by git, including nested .gitignore files and negated patterns", async () => {
    write({
      ".gitignore": "/generated/\n*.gen.ts\n!keep.gen.ts\nlogs\n# comment\n",
      "generated/a.ts": call,
      "src/b.gen.ts": call,
      "src/keep.gen.ts": call,
      "src/generated/c.ts": call,
      "src/logs/d.ts": call,
      "src/inner/.gitignore": "private/**\n",
      "src/inner/private/e.ts": call,
      "src/inner/f.ts": call,
    });
    expect(await filesFound()).toEqual(["src/generated/c.ts", "src/inner/f.ts", "src/keep.gen.ts"]);
  });

  test("scanConsumers applies the repository's .gitignore if only a subfolder is scanned", async () => {
    write({ ".git/HEAD": "", ".gitignore": "src/old/\n", "src/old/a.ts": call, "src/b.ts": call });
    expect(await filesFound(join(root, "src"))).toEqual(["b.ts"]);
  });

  test("scanConsumers skips dependencies and binary, minified and very large files", async () => {
    write({
      "node_modules/x/index.js": call,
      ".git/hooks/x.js": call,
      "a.min.js": call,
      "one-line.js": `${call.trim()}${"var a=1;".repeat(2000)}`,
      "binary.ts": `\0${call}`,
      "large.ts": call + "// x\n".repeat(maxFileBytes / 5),
      "v1watch.inventory.json": '{"url": "/api/v1/passports"}',
      "ok.ts": call,
    });
    expect(await filesFound()).toEqual(["ok.ts"]);
  });

  test.each<[string, (text: string) => Buffer]>([
    ["little-endian", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["big-endian", (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ])("scanConsumers reads a file in %s UTF-16", async (_, encode) => {
    writeFileSync(join(root, "a.ts"), encode(`// ${"é".repeat(20)}\n${call}`));
    expect((await scanned()).uses).toMatchObject([{ file: "a.ts", calls: [2] }]);
  });

  test("scanConsumers tolerates syntax errors and unreadable folders", async () => {
    write({
      "broken.ts": `${call}\nfunction ((( {`,
      "broken.py": "def passports(:\n  x = [",
      "broken.go": "func passports {{{",
    });
    expect(await filesFound()).toEqual(["broken.ts"]);
    expect(listTree(join(root, "nowhere")).paths).toEqual([]);
  });
});

describe("scanConsumers on untrusted source code", () => {
  const sourceParts = [
    ...[
      'fetch("/api/v1/passports/1")',
      "requests.get(u)",
      "http.Get(u)",
      "await ",
      ".then(",
      "=>",
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
    ],
    ...[
      "passport",
      ".score",
      "|| 0",
      "const x = ",
      "def f(a):\n  ",
      "func f() {\n",
      "return ",
      "if ",
      "class A",
      "import a from 'a'\n",
    ],
    ...[
      "`${",
      "}`",
      '"',
      "\n",
      ";",
      "...",
      "x",
      "try {",
      "except:\n",
      "yield ",
      "for p in ",
      "package a\n",
      "type T struct {",
    ],
  ];

  const templateParts = [
    ...[
      "{{",
      "}}",
      "{%",
      "%}",
      "{{-",
      "-}}",
      " range .A ",
      " with ",
      " if ",
      " end ",
      " else ",
      "$x := ",
      "|",
    ],
    ...[
      "for a in b",
      "endfor",
      "set x = p.score",
      'include "page.html"',
      'template "page.html" .',
      "p.score",
    ],
    ...['sort(attribute="score")', '"', "'", "\n", ".P.Score", "$.A", "endif", "block x", "<p>", "1 |"],
  ];
  const programs = {
    "app.py":
      'import requests\ndef f():\n    p = requests.get("https://x.y/api/v1/passports/1").json()["passport"]\n    return render_template("page.html", p=p, b=[p])\n',
    "app.go":
      'package a\nfunc f() {\n\tr, _ := http.Get("https://x.y/api/v1/passports/1")\n\tvar m map[string]any\n\tjson.NewDecoder(r.Body).Decode(&m)\n\tt.ExecuteTemplate(w, "page.html", m)\n}\n',
  };

  test.each(Object.entries(programs))(
    "scanConsumers on untrusted source code does not throw for arbitrary templates of %s",
    async (file, program) => {
      const template = fc.array(fc.constantFrom(...templateParts), { maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(template, async (parts) => {
          write({ [file]: program, "page.html": parts.join(" ") });
          expect((await scanned()).uses.some(({ calls }) => calls.length === 1)).toBe(true);
        }),
        { numRuns: 60 },
      );
    },
  );

  test("scanConsumers on untrusted source code reads a template whose tags are never closed", async () => {
    const page = "{{ \n".repeat(150_000);
    write({ "app.py": programs["app.py"], "page.html": page });
    expect((await scanned()).uses.some(({ calls }) => calls.length === 1)).toBe(true);
  });

  test.each([".ts", ".tsx", ".py", ".go", ".vue", ".astro", ".rb"])(
    "scanConsumers on untrusted source code does not throw for arbitrary *%s files",
    async (extension) => {
      const source = fc.array(fc.constantFrom(...sourceParts), { maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(source, async (parts) => {
          write({ [`passports${extension}`]: `${parts.join("")}\n// passports` });
          await scanned();
        }),
        { numRuns: 40 },
      );
    },
  );

  test("scanConsumers on untrusted source code stops the analysis of a deeply nested file but finishes the scan", async () => {
    // One bracket per line, because one long line would be skipped as minified.
    const deep = (open: string, close: string) => `${open}\n`.repeat(50_000) + `${close}\n`.repeat(50_000);
    write({
      "deep.ts": `const passports = ${deep("(", ")")};\n`,
      "deep.py": `passports = ${deep("[", "]")}\n`,
      "deep.go": `package a\nvar passports = ${deep("(", ")")}\n`,
      "ok.ts": call,
    });
    expect(await filesFound()).toEqual(["ok.ts"]);
  });

  test("scanConsumers on untrusted source code counts more uses than a function call can take arguments", async () => {
    const lines = 50_000;
    for (const name of ["a", "b", "c"]) write({ [`${name}.rb`]: "x /api/v1/passports\n".repeat(lines) });
    const { uses } = await scanned();
    expect(uses.reduce((sum, { calls }) => sum + calls.length, 0)).toBe(3 * lines);
  });

  test("scanConsumers on untrusted source code terminates on recursive functions and circular imports", async () => {
    write({
      "a.ts": 'import { b } from "./b";\nexport const a = (p: string): any => b(p) ?? a(p + "/passports");\n',
      "b.ts":
        'import { a } from "./a";\nexport const b = async (p: string): Promise<any> => { const r = await fetch("/api/v1/passports/" + p); return a(p) || r.json(); };\n',
      "c.py": "from c import f\ndef f(x):\n    passports = f(x)\n    return f(passports)\n",
    });
    expect(await filesFound()).toContain("b.ts");
  });
});

describe("what git tracks and a scan does not read", () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", "-C", folder, ...args], {
      stdio: "pipe",
    });
  const commit = () => {
    git(root, "init", "-q");
    git(root, "add", "-A", "-f");
    git(root, "commit", "-q", "-m", "first");
  };
  const unseen = (folder = root) => {
    const { missing, skipped } = listTree(folder);
    return { missing: missing.sort(), skipped: skipped.sort() };
  };

  test.each(["2", "3", "4"])(
    "listTree names what is missing or skipped by an index of version %s",
    (version) => {
      write({
        "api/a.ts": call,
        "jobs/b.ts": call,
        "jobs/deep/c.ts": call,
        "lib/one.ts": call,
        "lib/two.ts": call,
        "web/dist/d.js": call,
        "vendor/x/y.js": call,
        "vendor/x/z.png": "x",
        "dist/only.png": "x",
      });
      commit();
      git(root, "update-index", "--index-version", version);
      expect(unseen()).toEqual({ missing: [], skipped: ["vendor", "web/dist"] });
      rmSync(join(root, "jobs"), { recursive: true });
      rmSync(join(root, "lib/two.ts"));
      expect(unseen()).toEqual({ missing: ["jobs", "lib/two.ts"], skipped: ["vendor", "web/dist"] });
      expect(unseen(join(root, "lib"))).toEqual({ missing: ["two.ts"], skipped: [] });
      expect(unseen(join(root, "api"))).toEqual({ missing: [], skipped: [] });
    },
  );

  test("listTree names the folders of a sparse checkout and a submodule that is not checked out", () => {
    write({ "api/a.ts": call, "jobs/b.ts": call, "module/.keep": "" });
    commit();
    const [hash] = String(git(root, "rev-parse", "HEAD")).split("\n");
    git(root, "rm", "-q", "-r", "--cached", "module");
    git(root, "update-index", "--add", "--cacheinfo", `160000,${hash},module`);
    rmSync(join(root, "module/.keep"));
    git(root, "commit", "-q", "-m", "module");
    expect(unseen().missing).toEqual(["module"]);
    git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "api");
    expect(unseen().missing).toEqual(["jobs", "module"]);
  });

  test("listTree tolerates an index that it cannot read", () => {
    write({ "a.ts": call });
    commit();
    const index = readFileSync(join(root, ".git/index"));
    fc.assert(
      fc.property(fc.nat(index.length - 1), fc.nat(255), fc.nat(index.length), (at, value, length) => {
        const broken = Buffer.from(index);
        broken[at] = value;
        writeFileSync(join(root, ".git/index"), broken.subarray(0, length));
        expect(listTree(root).paths).toEqual(["a.ts"]);
      }),
      { numRuns: 200 },
    );
  });
});
