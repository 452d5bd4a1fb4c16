import { describe, expect, test } from "vitest";
import { renderScan } from "../../lib/commands/scan/text.ts";
import { scanFiles } from "./source-tree.ts";

const client =
  'import requests\n\ndef fetch(w):\n    return requests.get("https://api.example.com/api/v1/passports/" + w).json()["passport"]\n';

describe("scanConsumers follows an importer of a Python module that calls V1", () => {
  test.each([
    ["by the function's name", { "app.py": 'from client import fetch\nprint(fetch("1")["score"])\n' }],
    ["by another name", { "app.py": 'from client import fetch as f\nprint(f("1")["score"])\n' }],
    ["by the module", { "app.py": 'import client\nprint(client.fetch("1")["score"])\n' }],
    ["by a wildcard import", { "app.py": 'from client import *\nprint(fetch("1")["score"])\n' }],
    [
      "through a package's __init__.py",
      {
        "kit/__init__.py": "from .inner import *\n",
        "kit/inner.py": "from client import fetch\n",
        "app.py": 'from kit import fetch\nprint(fetch("1")["score"])\n',
      },
    ],
    [
      "by an instance from another module",
      {
        "made.py":
          "import client\n\nclass Api:\n    def one(self, w):\n        return client.fetch(w)\n\napi = Api()\n",
        "app.py": 'from made import api\nprint(api.one("1")["score"])\n',
      },
    ],
  ])("scanConsumers follows an importer of a Python module that calls V1: %s", async (_, files) => {
    const { uses, unfollowed } = await scanFiles({ "client.py": client, ...files });
    const fields = uses.filter(({ file }) => file === "app.py").flatMap((use) => use.fields);
    expect(fields.map(({ path }) => path)).toEqual(["passport.score"]);
    expect(unfollowed).toEqual([]);
  });
});

test("A file that is too large or minified and names V1 is listed, and the tree is not called clean", async () => {
  const minified = `x;${"const a=1;".repeat(800)}fetch("/api/v1/passports/"+i)`;
  const large = `${"// nothing\n".repeat(100_000)}print(p["human_checkmark"], p["main_wallet"])\n`;
  const other = `${"y;".repeat(3000)}passport.authenticate("local")`;
  const found = await scanFiles({ "app.js": minified, "big.py": large, "vendor.js": other });
  expect(found.unfollowed).toEqual(["app.js", "big.py"]);
  expect(found.uses).toEqual([]);
  expect(renderScan(found)).not.toContain("No uses of V1");
});

test("A notebook on one line that names V1 is listed, and the tree is not called clean", async () => {
  const cell = {
    cell_type: "code",
    source: ['requests.get("https://x/api/v1/passports/1").json()["passport"]'],
  };
  const found = await scanFiles({ "study.ipynb": JSON.stringify({ cells: [cell] }) });
  expect(found.unfollowed).toEqual(["study.ipynb"]);
});

test("A page of tags that are never closed does not stop the scan", async () => {
  const lines = (tag: string) => `${tag.repeat(25)}\n`.repeat(1000);
  const end = "main_wallet human_checkmark passports/\n";
  const found = await scanFiles({
    "a.html": lines("<script>") + end,
    "b.vue": lines("<style>") + end,
    "c.astro": lines("<style>") + end,
    "d.html": lines("<!--") + end,
    "e.html": `${lines("<p>")}<script></script${end}`,
  });
  expect(found.files).toBe(5);
});

test("Files of blank lines do not stop the scan", async () => {
  const text = `passports/ human_checkmark main_wallet\n${"\t \n".repeat(1_000)}`;
  const blanks = `<A v-for="${" ".repeat(2_000)}" />`;
  const names = ["a.ts", "a.py", "a.go", "a.vue", "a.svelte", "a.astro", "a.html", "a.jinja", "a.rb"];
  expect((await scanFiles(Object.fromEntries(names.map((name) => [name, text + blanks])))).files).toBe(
    names.length,
  );
});

test("Sums, calls, blocks and chains of thousands of parts do not stop the scan", async () => {
  const address = "https://api.example.com/api/v1/passports/";
  const found = await scanFiles({
    "sum.ts": `fetch("${address}" ${"+ a\n".repeat(2000)});\n`,
    "calls.ts": `fetch("${address}" + ${"f(\n".repeat(1000)}1${")\n".repeat(1000)});\n`,
    "chain.ts": `fetch("${address}1").then((p) => p${"\n.score".repeat(1000)});\n`,
    "blocks.ts": `async function f() { ${"try {\n".repeat(400)} await fetch("${address}1") ${"}\ncatch { return 0 }".repeat(400)} }\n`,
    "texts.ts": `const a0 = "${address}";\n${Array.from({ length: 100 }, (_, at) => `const a${at + 1} = a${at} + a${at};\n`).join("")}fetch(a100);\n`,
    "lines.py": `${client}def long(w):\n    p = fetch(w)\n${"    p = p\n".repeat(1000)}    return p["score"]\n`,
  });
  const files = new Set(found.uses.map(({ file }) => file));
  for (const file of ["sum.ts", "calls.ts", "chain.ts", "blocks.ts", "lines.py"])
    expect(files).toContain(file);
});
