import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { v1Fields } from "../../lib/mapping/fields.ts";
import { mergeInventory } from "../../lib/scan/inventory.ts";
import { createAddressMatcher } from "../../lib/scan/names/addresses.ts";
import { scanConsumers } from "../../lib/scan/scan.ts";
import { fc } from "../random.ts";
import { type Files, scanFiles, withTree } from "./source-tree.ts";

const scan = async (files: Files) => (await scanFiles(files)).uses;

const client = `export async function score(id) {
  const r = await fetch(\`\${process.env.API}/api/v1/passports/\${id}\`);
  return (await r.json()).passport.score || 0;
}
`;

describe("scanConsumers", () => {
  test("scanConsumers builds a use's id from file, endpoint and function, so that it does not change when lines move", async () => {
    const [before] = await scan({ "a.js": client });
    const [after] = await scan({ "a.js": `// a comment\n\n\n${client}` });
    expect(before?.id).toBe("a.js passport score");
    expect(after?.id).toBe(before?.id);
    expect(after?.line).toBe(before!.line + 3);
  });

  test("scanConsumers lists uses in tests separately", async () => {
    const stub = 'import requests\ndef test_it():\n    requests.get("http://localhost/api/v1/passports/5")\n';
    const { uses, tests } = await scanFiles({
      "a.js": client,
      "tests/test_a.py": stub,
      "b_test.py": stub,
    });
    expect(uses).toHaveLength(1);
    expect(tests.map(({ file }) => file)).toEqual(["b_test.py", "tests/test_a.py"]);
  });

  test("scanConsumers counts uses in a folder that was given by name, whatever its name", async () => {
    const files = { "tests/load.js": client, "dist/load.js": client, "tests/unit/load.test.js": client };
    const [tests, dist] = await withTree(files, (root) =>
      Promise.all(["tests", "dist"].map((as) => scanConsumers([{ root: join(root, as), as }]))),
    );
    expect(tests?.uses.map(({ file }) => file)).toEqual(["tests/load.js"]);
    expect(tests?.tests.map(({ file }) => file)).toEqual(["tests/unit/load.test.js"]);
    expect(dist?.uses.map(({ file }) => file)).toEqual(["dist/load.js"]);
  });

  test("scanConsumers gives a file the same name whichever folder path leads to it", async () => {
    const as = `../${basename(process.cwd())}/src`;
    const found = await withTree({ "a.js": client }, (root) => scanConsumers([{ root, as }]));
    expect(found?.uses[0]?.file).toBe("src/a.js");
  });

  test("scanConsumers reports an object where it is read and its field where that is read, and the inventory keeps both lines", async () => {
    const uses = await scan({
      "a.py":
        'import requests\ndef bio(i):\n    p = requests.get("https://x/api/v1/passports/" + i).json()["passport"]\n    profile = p["passport_profile"]\n    return profile["bio"]\n',
    });
    expect(uses.flatMap(({ fields }) => fields.map(({ path, line }) => `${line} ${path}`))).toEqual([
      "4 passport.passport_profile",
      "5 passport.passport_profile.bio",
    ]);
    const scanned = {
      uses,
      folders: [{ name: "", files: 1, digest: "", skipped: [] }],
      questions: [],
      links: [],
      missing: [],
      addresses: [],
      notCounted: [],
      unfollowed: [],
    };
    const inventoryFields = mergeInventory(undefined, scanned, "2027-01-01").inventory.uses.flatMap(
      ({ fields }) => fields,
    );
    expect(inventoryFields).toEqual([
      { path: "passport.passport_profile", line: 4, confidence: "high", from: "a.py:3" },
      { path: "passport.passport_profile.bio", line: 5, confidence: "high", from: "a.py:3" },
    ]);
  });

  test("scanConsumers follows a client that is the default export of the expression which makes it", async () => {
    const found = await withTree(
      {
        "http.ts":
          'import axios from "axios";\nexport default axios.create({ baseURL: "https://x/api/v1" });\n',
        "use.ts":
          'import http from "./http";\nexport const score = async (id) => (await http.get("/passports/" + id)).data.passport.score;\n',
      },
      (root) => scanConsumers([{ root, as: "" }]),
    );
    expect(found?.uses).toMatchObject([
      { file: "use.ts", confidence: "high", calls: [2], fields: [{ path: "passport.score" }] },
    ]);
  });

  test("scanConsumers has high confidence for data flow, medium for names in source code and low for other text", async () => {
    const uses = await scan({
      "a.js": client,
      "client.rb":
        'score = HTTP.get("#{base}/api/v1/passports/#{id}").parse["passport"]["human_checkmark"]\n',
      "deploy.sh":
        "#!/bin/sh\n# curl /api/v1/passports\ncurl -s $HOST/api/v1/passport_credentials?passport_id=$1\n",
      "deploy.yml": "run: curl -s $HOST/api/v1/passport_credentials?passport_id=$ID\n",
      "Client.java":
        'var body = get(base + "/api/v1/passports/" + id);\nvar page = get("/api/v1/passports");\n',
    });
    const seen = uses.map(({ file, endpoint, confidence, language }) => [
      file,
      endpoint,
      confidence,
      language,
    ]);
    expect(seen).toEqual([
      ["Client.java", "passport", "medium", "java"],
      ["Client.java", "passport-list", "medium", "java"],
      ["a.js", "passport", "high", "javascript"],
      ["client.rb", "passport", "medium", "rb"],
      ["deploy.sh", "passport-credentials", "medium", "sh"],
      ["deploy.yml", "passport-credentials", "low", "yml"],
    ]);
    expect(uses.find(({ file }) => file === "client.rb")?.fields).toMatchObject([
      { path: "passport.human_checkmark", line: 1, confidence: "medium", why: "by the name human_checkmark" },
    ]);
  });

  test("The id of a struct without a name does not change when lines move", async () => {
    const source = (before: string) =>
      `package a\n${before}func load(id string) (float64, error) {\n\tresp, err := http.Get("https://x/api/v1/passports/" + id)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\tvar out struct {\n\t\tPassport struct {\n\t\t\tScore float64 \`json:"score"\`\n\t\t} \`json:"passport"\`\n\t}\n\terr = json.NewDecoder(resp.Body).Decode(&out)\n\treturn out.Passport.Score, err\n}\n`;
    const before = (await scan({ "a.go": source("") })).map(({ id }) => id);
    expect((await scan({ "a.go": source("// a comment\n\n") })).map(({ id }) => id)).toEqual(before);
    expect(before).toContain("a.go passport (module)");
  });

  const jsGet = 'const get = async (id) => (await fetch("https://x/api/v1/passports/" + id)).json();\n';
  const pyGet =
    'import requests\ndef get(id):\n    return requests.get("https://x/api/v1/passports/" + id).json()\n';
  test.each<[string, string, string]>([
    [
      "keys in other letters",
      "a.js",
      `${jsGet}export const f = async (id) => camelcaseKeys(await get(id)).passport.lastCalculatedAt;\n`,
    ],
    [
      "a DataLoader",
      "a.js",
      `${jsGet}const people = new DataLoader((ids) => Promise.all(ids.map(get)));\nexport const f = async (id) => (await people.load(id)).passport.last_calculated_at;\n`,
    ],
    ["glom", "a.py", `${pyGet}def f(id):\n    return glom(get(id), "passport.last_calculated_at")\n`],
    [
      "jmespath",
      "a.py",
      `${pyGet}def f(id):\n    return jmespath.search("passport.last_calculated_at", get(id))\n`,
    ],
    [
      "a stream",
      "a.py",
      'import httpx, json\nasync def f(id):\n    async with httpx.AsyncClient().stream("GET", "https://x/api/v1/passports/" + id) as r:\n        return json.loads(await r.aread())["passport"]["last_calculated_at"]\n',
    ],
  ])("scanConsumers follows %s", async (_, file, text) => {
    const fields = (await scan({ [file]: text })).flatMap((use) => use.fields);
    expect(fields.map(({ path }) => path)).toEqual(["passport.last_calculated_at"]);
  });

  test("scanConsumers reports reads by declared types only if the tree calls V1", async () => {
    const shape = "export interface Holder { passport_id: string; human_checkmark: boolean }\n";
    const view =
      'import type { Holder } from "./passports";\nexport const f = (h: Holder) => h.human_checkmark;\n';
    expect(await scan({ "passports.ts": shape, "view.ts": view })).toEqual([]);
    const uses = await scan({ "passports.ts": shape, "view.ts": view, "a.js": client });
    expect(uses.find(({ file }) => file === "view.ts")).toMatchObject({
      confidence: "medium",
      endpoint: "passport",
    });
  });

  test("scanConsumers reports a V1 path that is not passed to a call with low confidence", async () => {
    const [use] = await scan({ "urls.py": 'URLS = {"list": "https://api.example.com/api/v1/passports"}\n' });
    expect(use).toMatchObject({ endpoint: "passport-list", confidence: "low", calls: [1] });
  });

  test("scanConsumers follows an import of the index file of the scanned folder itself", async () => {
    const page =
      'import { score } from ".";\nexport const load = async (id) => (await score(id)).human_checkmark;\n';
    const one = client.replace(".score || 0", "");
    const uses = await scan({ "a.js": one, "index.js": 'export * from "./a";\n', "page.js": page });
    const read = uses.filter(({ file }) => file === "page.js").flatMap(({ fields }) => fields);
    expect(read).toMatchObject([{ path: "passport.human_checkmark", line: 2, confidence: "high" }]);
  });

  test.each([
    ["by the name in its manifest", "@team/rep", "libs/reputation/src/index.js", '{ "name": "@team/rep" }'],
    ["a file of it", "@team/rep/client", "libs/reputation/client.js", '{ "name": "@team/rep" }'],
    ["by its folder", "@team/rep", "packages/rep/src/index.js", "{}"],
    ["a file of the one at the root", "rep/client", "client.js", '{ "name": "rep" }'],
  ])(
    "scanConsumers follows an import of a package of the same repository: %s",
    async (_, specifier, file, manifest) => {
      const page = `import { score } from "${specifier}";\nexport const load = async (id) => (await score(id)).human_checkmark;\n`;
      const folder = file.split("/").slice(0, -1).slice(0, 2).join("/");
      const uses = await scan({
        [file]: client.replace(".score || 0", ""),
        [join(folder, "package.json")]: manifest,
        "apps/web/src/page.js": page,
        "apps/web/package.json": '{ "name": "web" }',
      });
      const read = uses.filter((use) => use.file.endsWith("page.js")).flatMap(({ fields }) => fields);
      expect(read).toMatchObject([{ path: "passport.human_checkmark", line: 2, confidence: "high" }]);
    },
  );

  test("scanConsumers follows a client that a function of a library wraps", async () => {
    const uses = await scan({
      "a.js":
        'import axios from "axios";\nimport { wrap } from "axios-cache";\nconst api = wrap(axios.create({ baseURL: "https://x/api/v1" }));\nexport const load = async () => (await api.get("passports/1")).data.passport.merged;\n',
    });
    expect(uses.flatMap(({ calls, fields }) => [...calls, ...fields.map(({ path }) => path)])).toEqual([
      4,
      "passport.merged",
    ]);
  });

  test("scanConsumers requires the fields of a Go type that a generic function decodes into and returns as a pointer", async () => {
    const uses = await scan({
      "a.go": `package a
type P struct {
	Score float64 \`json:"score"\`
}
type Envelope struct {
	Passport P \`json:"passport"\`
}
func get[T any](path string) (*T, error) {
	resp, err := http.Get("https://x" + path)
	if err != nil { return nil, err }
	out := new(T)
	return out, json.NewDecoder(resp.Body).Decode(out)
}
func one(id string) (*Envelope, error) {
	return get[Envelope]("/api/v1/passports/" + id)
}
`,
    });
    const required = uses.flatMap(({ fields }) => fields.filter(({ isRequired }) => isRequired));
    expect(required.map(({ path, line }) => `${line} ${path}`)).toEqual(["3 passport.score"]);
  });

  test("scanConsumers marks every field that the contract does not have as undocumented", async () => {
    const known = new Set(v1Fields.map(({ path }) => path));
    const corpus = join(import.meta.dirname, "corpus");
    const uses = (await scanConsumers([{ root: corpus, as: "" }]))!.uses;
    const paths = new Set(
      uses.flatMap(({ fields }) =>
        fields.flatMap(({ path, isUndocumented }) => (isUndocumented ? [] : path)),
      ),
    );
    expect(paths.size).toBeGreaterThan(30);
    // An object's path includes all fields in it.
    const isKnown = (path: string) =>
      known.has(path) ||
      [...known].some((leaf) => leaf.startsWith(`${path}.`) || leaf.startsWith(`${path}[]`));
    expect([...paths].filter((path) => !isKnown(path))).toEqual([]);
  });
});

describe("askedEndpoint", () => {
  const { askedEndpoint } = createAddressMatcher({});

  test.each([
    ["https://x/api/v1/passports", "passport-list"],
    ["/api/v1/passports?page=2", "passport-list"],
    ["\ue000/api/v1/passports/\ue000", "passport"],
    ["/api/v1/passports/0xAb12", "passport"],
    ["/api/v1/passports/42/", "passport"],
    ["/api/v1/passport_credentials?passport_id=1", "passport-credentials"],
  ])("askedEndpoint maps %j to %s", (text, endpoint) => {
    expect(askedEndpoint(text)).toMatchObject({ endpoint, isSure: true });
  });

  test.each([
    "/api/v2/passports",
    "/api/v10/passports",
    "/api/v1/passports/offices",
    "/api/v1/passports/1/stamps",
    "/api/v1/passportsx",
    "/api/v1/passport",
    "/api/v1/passport_credentials/1",
  ])("askedEndpoint ignores %j", (text) => {
    expect(askedEndpoint(text)).toBeUndefined();
  });

  test.each([
    ["/v1/passports", "passport-list"],
    ["\ue000/passports/\ue000", "passport"],
    ["\ue000passport_credentials", "passport-credentials"],
    ["https://x/api/v\ue000/passports", "passport-list"],
  ])("askedEndpoint is not sure about %j, whose base is unknown", (text, endpoint) => {
    expect(askedEndpoint(text)).toMatchObject({ endpoint, isSure: false });
  });

  test("askedEndpoint does not throw or hang for arbitrary text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."/\ue000\ue001apiv1passports?#{}"), maxLength: 400 }),
        (text) => {
          askedEndpoint(text);
        },
      ),
    );
  });
});
