// Programs whose address of V1 is outside the code, in every language: found by V1's names and never called clean.
import { describe, expect, test } from "vitest";
import { renderScan } from "../../../lib/commands/scan/text.ts";
import { tellingNames } from "../../../lib/contract/v1/code-names.ts";
import { fc } from "../../random.ts";
import { scanFiles } from "../source-tree.ts";

const fieldsOf = ({ uses }: { uses: readonly { fields: readonly { path: string; line: number }[] }[] }) =>
  uses.flatMap(({ fields }) => fields.map(({ path, line }) => `${line} ${path}`)).sort();

describe("scanConsumers finds two names that only V1 has in", () => {
  test.each<[string, string, string]>([
    [
      "Ruby",
      "client.rb",
      'body = JSON.parse(Net::HTTP.get(URI(ENV["REPUTATION_URL"])))\nputs body["passport"]["human_checkmark"]\nputs body.dig("passport", "verified_wallets")\n',
    ],
    [
      "Java",
      "Client.java",
      'JSONObject p = get(System.getenv("URL"));\nboolean human = p.getBoolean("human_checkmark");\nString wallet = p.getString("main_wallet");\n',
    ],
    [
      "Kotlin",
      "Passport.kt",
      "@Serializable\ndata class Passport(\n  val humanCheckmark: Boolean,\n  val mainWallet: String,\n)\n",
    ],
    [
      "PHP",
      "client.php",
      '<?php\n$p = fetch(getenv("URL"));\necho $p["skills_score"];\necho $p->main_wallet;\n',
    ],
    [
      "Rust",
      "client.rs",
      "#[derive(Deserialize)]\nstruct Passport {\n    human_checkmark: bool,\n    verified_wallets: Vec<String>,\n}\n",
    ],
    ["C#", "Passport.cs", "public record Passport(bool HumanCheckmark, string MainWallet);\n"],
    ["a shell script", "report.sh", "curl -s $URL | jq '.passport.human_checkmark, .passport.main_wallet'\n"],
    ["R", "a.R", 'p <- content(GET(Sys.getenv("URL")))\nprint(p$human_checkmark)\nprint(p$main_wallet)\n'],
    ["Pug", "views/person.pug", "h1= person.main_wallet\nif person.human_checkmark\n  p human\n"],
    ["Haml", "person.html.haml", "%h1= @person['main_wallet']\n- if @person['human_checkmark']\n  human\n"],
    [
      "Handlebars",
      "person.handlebars",
      "<b>{{person.main_wallet}}</b>\n{{#if person.human_checkmark}}human{{/if}}\n",
    ],
    [
      "Terraform",
      "main.tf",
      'output "a" { value = local.p.main_wallet }\noutput "b" { value = local.p.human_checkmark }\n',
    ],
    ["a file without an extension", "report", '#!/bin/ruby\nputs p["human_checkmark"], p["main_wallet"]\n'],
    [
      "the script of a page",
      "index.html",
      "<p>Score</p>\n<script>\n  show(window.person.human_checkmark, window.person.main_wallet);\n</script>\n",
    ],
    [
      "a notebook",
      "study.ipynb",
      '{\n "cells": [\n  {\n   "cell_type": "code",\n   "source": [\n    "print(p[\\"human_checkmark\\"])\\n",\n    "print(p[\\"main_wallet\\"])"\n   ]\n  }\n ]\n}\n',
    ],
    [
      "a loop that takes records apart",
      "a.js",
      "for (const { main_wallet, human_checkmark } of await load()) console.log(main_wallet, human_checkmark);\n",
    ],
    [
      "a parameter of any type",
      "a.ts",
      "export const rows = list.map(function ({ main_wallet, human_checkmark }: any) { return [main_wallet, human_checkmark]; });\n",
    ],
    [
      "the markup of Svelte",
      "a.svelte",
      "<script>let { people } = $props();</script>\n{#each people as { main_wallet, human_checkmark }}{main_wallet} {human_checkmark}{/each}\n",
    ],
    [
      "the markup of Vue",
      "a.vue",
      '<template>\n<b v-for="{ main_wallet: wallet, human_checkmark } in people">{{ wallet }}</b>\n</template>\n',
    ],
    [
      "Swift",
      "Passport.swift",
      "struct Passport: Decodable {\n  let humanCheckmark: Bool\n  let verifiedWallets: [String]\n}\n",
    ],
  ])("scanConsumers finds two names that only V1 has in %s", async (_, file, text) => {
    const found = await scanFiles({ [file]: text });
    expect(found.uses.flatMap(({ fields }) => fields).length).toBeGreaterThanOrEqual(2);
    expect(found.uses.every(({ confidence }) => confidence === "medium")).toBe(true);
    expect(found.questions.map((question) => question.file)).toEqual([file]);
    expect(renderScan(found)).not.toContain("No uses of V1");
  });
});

describe("scanConsumers reads fields by their names, and asks where the address comes from,", () => {
  const expected = ["passport.human_checkmark", "passport.main_wallet", "passport.score"];
  test.each<[string, Record<string, string>]>([
    [
      "in TypeScript",
      {
        "load.ts": `export async function load(id: string) {\n  const res = await fetch(\`\${process.env.REPUTATION_URL}/\${id}\`);\n  return (await res.json()).passport;\n}\n`,
        "page.ts":
          'import { load } from "./load";\nexport async function page(id: string) {\n  const p = await load(id);\n  return [p.score, p.human_checkmark, p.main_wallet];\n}\n',
      },
    ],
    [
      "in Python",
      {
        "load.py":
          'import os, requests\n\ndef load(wallet):\n    return requests.get(os.environ["REPUTATION_URL"].format(wallet)).json()["passport"]\n',
        "page.py":
          'from load import load\n\ndef page(w):\n    p = load(w)\n    return p["score"], p["human_checkmark"], p["main_wallet"]\n',
      },
    ],
    [
      "in Go",
      {
        "main.go":
          'package main\n\nimport (\n\t"encoding/json"\n\t"net/http"\n\t"os"\n)\n\ntype answer struct {\n\tPassport struct {\n\t\tScore  float64 `json:"score"`\n\t\tHuman  bool    `json:"human_checkmark"`\n\t\tWallet string  `json:"main_wallet"`\n\t} `json:"passport"`\n}\n\nfunc load() (float64, bool, string) {\n\tresp, err := http.Get(os.Getenv("REPUTATION_URL"))\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tvar a answer\n\tjson.NewDecoder(resp.Body).Decode(&a)\n\treturn a.Passport.Score, a.Passport.Human, a.Passport.Wallet\n}\n',
      },
    ],
  ])(
    "scanConsumers reads fields by their names and asks where the address comes from: %s",
    async (_, files) => {
      const found = await scanFiles(files);
      const paths = new Set(found.uses.flatMap(({ fields }) => fields.map(({ path }) => path)));
      expect([...paths].sort()).toEqual(expected);
      expect(found.questions).toHaveLength(1);
      expect(found.uses.every(({ confidence }) => confidence === "medium")).toBe(true);
    },
  );
});

test("The scripts of a page and the code of a notebook are followed, each on its own line", async () => {
  const page =
    '<p>Score</p>\n<script type="module">\n  const r = await fetch(base + "/api/v1/passports/" + id);\n  const { passport } = await r.json();\n  show(passport.score);\n</script>\n';
  const notebook = {
    cells: [
      { cell_type: "markdown", source: ["passport.score of /api/v1/passports\n"] },
      {
        cell_type: "code",
        outputs: [{ data: { "text/plain": ['p["bio"]'] } }],
        source: [
          "%pip install requests\n",
          "import requests\n",
          'p = requests.get("https://x/api/v1/passports/1").json()["passport"]\n',
          'print("\\t", p["score"])',
        ],
      },
    ],
  };
  const found = await scanFiles({ "index.html": page, "study.ipynb": JSON.stringify(notebook, null, 1) });
  expect(found.uses.map(({ file, calls }) => [file, ...calls])).toEqual([
    ["index.html", 3],
    ["study.ipynb", 23],
  ]);
  expect(fieldsOf(found)).toEqual(["24 passport.score", "5 passport.score"]);
  expect(found.uses.every(({ confidence }) => confidence === "high")).toBe(true);
});

test("A neighbour of two hops is V1's, and a file that is further away is not", async () => {
  const found = await scanFiles({
    "a.ts":
      'import { b } from "./b";\nexport const a = (p: any) => [p.human_checkmark, p.main_wallet, b(p)];\n',
    "b.ts": 'import { c } from "./c";\nexport const b = (p: any) => c(p);\n',
    "c.ts": 'import { d } from "./d";\nexport const c = (p: any) => [p.skills_score, d(p)];\n',
    "far.ts": "export const far = (p: any) => p.identity_score;\n",
  });
  expect(found.uses.map(({ file }) => file)).toEqual(["a.ts", "c.ts"]);
});

test("Names of V1 that are in two unconnected files are asked about", async () => {
  const found = await scanFiles({
    "a.ts": "export const a = (p: any) => p.human_checkmark;\n",
    "b.py": 'def b(p):\n    return p["verified_wallets"]\n',
  });
  expect(found.uses).toEqual([]);
  expect(found.questions.map(({ file, line, names }) => `${file}:${line} ${names}`)).toEqual([
    "a.ts:1 human_checkmark",
    "b.py:2 verified_wallets",
  ]);
  expect(renderScan(found)).toContain("V1 may be used.");
});

test("One name of V1 alone, prose and a mock's own data are no question", async () => {
  const found = await scanFiles({
    "a.ts": "export const a = (p: any) => p.main_wallet;\n",
    "notes.md": "We read human_checkmark and verified_wallets.\n",
    "tests/fake.ts": "export const fake = { passport: { human_checkmark: true, skills_score: 1 } };\n",
  });
  expect(found).toMatchObject({ uses: [], questions: [] });
});

test("A host and a base path that the team names are V1's", async () => {
  const files = {
    "a.ts": `export const a = async (id: string) => (await (await fetch(\`https://gateway.example.org/people/passports/\${id}\`)).json()).passport.score;\n`,
    "b.py":
      'import requests\n\ndef b():\n    return requests.get("https://x.example.org/reputation/passports").json()["passports"][0]["score"]\n',
  };
  expect((await scanFiles(files)).uses).toEqual([]);
  const found = await scanFiles(files, { hosts: ["gateway.example.org"], basePaths: ["/reputation"] });
  expect(fieldsOf(found)).toEqual(["1 passport.score", "4 passports[].score"]);
});

/** Ways to read a field, by the extension of the file. */
const javascript = [
  (name: string) => `use(p.${name});`,
  (name: string) => `use(p?.passport?.${name} ?? null);`,
  (name: string) => `use(p["${name}"]);`,
  (name: string) => `use(get(p, 'passport.${name}'));`,
  (name: string) => `const { ${name} } = p;`,
  (name: string) => `const {\n  ${name},\n  other,\n} = await load();`,
  (name: string) => `const {\n  passport: { ${name}: local },\n} = p;`,
  (name: string) => `export function Card({\n  ${name},\n  other,\n}: Props) {}`,
  (name: string) => `rows.map(({ ${name} }) => ${name});`,
  (name: string) => `const column = { title: "x", key: "${name}" };`,
  (name: string) => `log(\`\${p.${name}}\`);`,
  (name: string) => `interface P {\n  ${name}: string;\n}`,
  (name: string) =>
    `use(camelcaseKeys(p).${name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())});`,
  (name: string) => `;[p.${name}].forEach(use)`,
  (name: string) => `for (const { ${name} } of people) use(${name});`,
  (name: string) => `for await (const { ${name}: it } of people()) use(it);`,
  (name: string) => `people.forEach(function ({ ${name}: it }) { use(it); });`,
  (name: string) => `const schema = v.object({ ${name}: v.string() });`,
  (name: string) => `const schema = Joi.object({\n  ${name}: Joi.boolean().required(),\n});`,
];
const python = [
  (name: string) => `use(p["${name}"])`,
  (name: string) => `use(p.get('${name}', 0))`,
  (name: string) => `use(p.${name})`,
  (name: string) => `print(f"{p['${name}']}")`,
  (name: string) => `rows.sort(key=itemgetter("${name}"))`,
  (name: string) => `class P(BaseModel):\n    ${name}: bool`,
  (name: string) => `match p:\n    case {"${name}": found}:\n        use(found)`,
  (name: string) => `fields = [\n    "${name}",\n]`,
  (name: string) => `print("{${name}} and {${name}:.1f}".format(**p))`,
  (name: string) => `print("%(${name})s" % p)`,
  (name: string) => `def show(${name}, **rest):\n    print(${name})\nshow(**p)`,
];
const markup = {
  vue: [
    (name: string) => `<b v-for="{ ${name} } in people">{{ ${name} }}</b>`,
    (name: string) => `<b v-for="{ ${name}: it }\n in people" :title="it" />`,
    (name: string) => `<b :title="p.${name}">{{ p.${name} }}</b>`,
  ],
  svelte: [
    (name: string) => `{#each people as { ${name} }, index (index)}{${name}}{/each}`,
    (name: string) => `{#await load() then { ${name}: it }}{it}{/await}`,
    (name: string) => `{@const it = p.${name}}{it}`,
  ],
};
const go = [
  (name: string) => `type P struct {\n\tField string \`json:"${name}"\`\n}`,
  (name: string) => `type P struct {\n\tField string \`mapstructure:"${name},omitempty"\`\n}`,
  (name: string) => `var x = p["${name}"]`,
  (name: string) => `var x = gjson.Get(body, "passport.${name}")`,
];
const searched = [(name: string) => `x = p["${name}"];`, (name: string) => `x = p.${name};`];
const forms: Record<string, ((name: string) => string)[]> = {
  ts: javascript,
  tsx: javascript,
  js: javascript,
  mjs: javascript,
  py: python,
  go,
  ...markup,
  rb: searched,
  java: searched,
  kt: searched,
  php: searched,
  rs: searched,
  cs: searched,
  swift: searched,
};

test("A program that reads two names that only V1 has is never without findings", async () => {
  const program = fc.constantFrom(...Object.keys(forms)).chain((extension) => {
    const line = fc.constantFrom(...forms[extension]!);
    const names = fc.shuffledSubarray([...tellingNames], { minLength: 2, maxLength: 3 });
    return fc.record({
      extension: fc.constant(extension),
      names,
      lines: fc.array(line, { minLength: 3, maxLength: 3 }),
      areApart: fc.boolean(),
    });
  });
  await fc.assert(
    fc.asyncProperty(program, async ({ extension, names, lines, areApart }) => {
      const texts = names.map((name, index) => lines[index]!(name));
      const files = areApart ? texts : [texts.join("\n")];
      const found = await scanFiles(
        Object.fromEntries(files.map((text, at) => [`f${at}.${extension}`, `${text}\n`])),
      );
      expect(found.uses.length + found.questions.length).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});
