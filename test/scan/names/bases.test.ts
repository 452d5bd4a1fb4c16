// V1's base address where no request is written: in configuration, and where requests are forwarded.
import { expect, test } from "vitest";
import { mergeInventory } from "../../../lib/scan/index.ts";
import { type Files, scanFiles } from "../source-tree.ts";

const url = "https://v1.example.com/api/v1";
const settings: Record<string, string> = {
  "config/prod.env": `# V1\nexport SCORE_URL=${url}\n`,
  "config/prod.toml": `[score]\nSCORE_URL = "${url}"\n`,
  "settings/score.json": `{\n  "SCORE_URL": "${url}"\n}\n`,
  "deploy/app.yaml": `env:\n  - name: SCORE_URL\n    value: "${url}"\n`,
  "app.properties": `# x\nSCORE_URL=${url}/\n`,
};
const lineOf: Record<string, number> = {
  "config/prod.env": 2,
  "config/prod.toml": 2,
  "settings/score.json": 2,
  "deploy/app.yaml": 3,
  "app.properties": 2,
};
const reader = {
  "src/a.py":
    "import os, requests\nr = requests.get(os.environ['SCORE_URL'] + '/passports/1').json()['passport']['score']\n",
};
const found = async (files: Files, addresses = {}) => {
  const scan = await scanFiles(files, addresses);
  const places = (list: readonly { file: string; line: number }[]) =>
    list.map(({ file, line }) => `${file}:${line}`);
  return { addresses: places(scan.addresses), questions: places(scan.questions), uses: scan.uses.length };
};

test.each(Object.entries(settings))(
  "%s has V1's base address: a line to change beside a use, a question without one",
  async (file, text) => {
    const place = `${file}:${lineOf[file]}`;
    expect(await found({ ...reader, [file]: text })).toEqual({ addresses: [place], questions: [], uses: 1 });
    const written = { "src/b.ts": `export const get = () => fetch("${url}/passports/1");\n` };
    expect((await found({ ...written, [file]: text.replaceAll("SCORE_URL", "other") })).addresses).toEqual([
      place,
    ]);
    expect(await found({ [file]: text }, { hosts: ["v1.example.com"] })).toEqual({
      addresses: [],
      questions: [place],
      uses: 0,
    });
  },
);

test("An address of another API with the same base path is neither, and so is a comment", async () => {
  const other = {
    "config/a.json": '{"OTHER": "https://other.example.com/api/v1"}\n',
    "b.env": `#SCORE_URL=${url}\n`,
  };
  expect(await found({ ...reader, ...other })).toEqual({ addresses: [], questions: [], uses: 0 });
});

test("A scan of another folder keeps the lines of this one, and a new scan of this one replaces them", async () => {
  const scanOf = (files: Files) => scanFiles({ ...reader, ...files });
  const first = mergeInventory(
    undefined,
    await scanOf({ "a.env": settings["config/prod.env"]! }),
    "2026-11-15",
  ).inventory;
  expect(first.addresses).toEqual([{ file: "a.env", line: 2 }]);
  const elsewhere = { ...(await scanOf({})), folders: [{ name: "web", files: 1, digest: "", skipped: [] }] };
  expect(mergeInventory(first, elsewhere, "2026-11-15").inventory.addresses).toEqual(first.addresses);
  expect(mergeInventory(first, await scanOf({}), "2026-11-15").inventory.addresses).toBeUndefined();
});

test.each<[string, string, boolean]>([
  [
    "next.config.js",
    `module.exports = { async rewrites() { return [\n{ source: "/v1/:path*", destination: "${url}/:path*" }]; } };\n`,
    true,
  ],
  [
    "vite.config.ts",
    'export default { server: { proxy: {\n"/api/v1": "https://v1.example.com" } } };\n',
    true,
  ],
  ["nginx/default.conf", "server {\nlocation /api/v1/ { proxy_pass https://v1.example.com; }\n}\n", true],
  [
    "api/[...path].ts",
    `export const GET = (req, { path }) =>\nfetch(\`${url}/\${path.join("/")}\`);\n`,
    true,
  ],
  ["proxy.py", `def forward(request):\n    return requests.get(f"${url}/{request.path}")\n`, true],
  [
    "vite.config.ts",
    'export default { server: { proxy: {\n"/api/v1": "http://localhost:3000" } } };\n',
    false,
  ],
  ["nginx.conf", "server {\nlocation /api/v1/ { proxy_pass http://backend; }\n}\n", false],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code
  ["a.ts", "export const get = (id) =>\nfetch(`https://other.example.com/api/v1/${id}`);\n", false],
])(
  "%s that forwards V1's base path is a question where it leads to another host: %s",
  async (file, text, isAsked) => {
    expect(await found({ [file]: text })).toEqual({
      addresses: [],
      questions: isAsked ? [`${file}:2`] : [],
      uses: 0,
    });
  },
);
