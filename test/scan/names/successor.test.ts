// Code that was migrated by the plan has some of V1's names, and is no use of V1.
import { expect, test } from "vitest";
import { listSuccessorNames } from "../../../lib/mapping/fields.ts";
import { createStarter } from "../../../lib/mapping/starter.ts";
import { type Files, scanFiles } from "../source-tree.ts";

const successor = listSuccessorNames(createStarter(0));
const found = async (files: Files, names?: typeof successor) => {
  const { uses, questions } = await scanFiles(files, {}, names);
  return { uses: uses.map(({ file }) => file), questions: questions.map(({ file }) => file) };
};
const clean = { uses: [], questions: [] };

const migrated: Record<string, string> = {
  "a.ts": `const headers = { "X-API-KEY": key };
export async function load(id: string) {
  const profile = await (await fetch(\`\${base}/profile?id=\${id}&account_source=wallet\`, { headers })).json();
  const score = await (await fetch(\`\${base}/score?id=\${id}\`, { headers })).json();
  return [profile.profile.human_checkmark, score.score.points, score.score.last_calculated_at];
}
`,
  "b.py": `import requests
profile = requests.get("https://v2.example.com/profile", params={"id": 1}, headers={"X-API-KEY": "k"}).json()["profile"]
print(profile["human_checkmark"], profile["display_name"])
`,
  "c.rb": `profile = JSON.parse(Net::HTTP.get(URI("https://v2.example.com/profile?id=1")), "X-API-KEY" => key)
puts profile["profile"]["human_checkmark"]
`,
  "d.js": `const api = axios.create({ baseURL: base, headers: { "X-API-KEY": key } });
export const human = (id) => api.get("/profile", { params: { id } }).then((r) => r.data.profile.human_checkmark);
`,
};

test.each(Object.entries(migrated))(
  "%s asks V2 by the mapping's paths and fields, which is no use of V1 and no question",
  async (file, text) => {
    expect(await found({ [file]: text }, successor)).toEqual(clean);
  },
);

test("Without a mapping nobody knows whose code it is", async () => {
  expect(await found({ "a.ts": migrated["a.ts"]! })).toEqual({ uses: ["a.ts"], questions: [] });
});

test.each<[string, Files]>([
  [
    "a page that links to a page of its own",
    {
      "a.tsx":
        'export const load = () => fetch(process.env.URL, { headers: { "X-API-KEY": key } });\nexport const A = ({ person }) => <a href="/profile">{person.human_checkmark}</a>;\n',
    },
  ],
  [
    "a field of V1 that V2 has not",
    { "a.ts": `${migrated["a.ts"]}export const merged = (p) => p.activity_score;\n` },
  ],
])("%s stays a question, whatever the mapping says", async (_, files) => {
  const { questions, uses } = await found(files, successor);
  expect([...questions, ...uses]).toEqual(expect.arrayContaining(Object.keys(files)));
});

test("Code that asks both versions uses V1", async () => {
  const v1 =
    'import { load } from "./a";\nexport const old = (id) => fetch("https://x/api/v1/passports/" + id).then((r) => r.json()).then((b) => b.passport.score);\nload(1);\n';
  expect((await found({ "a.ts": migrated["a.ts"]!, "v1.ts": v1 }, successor)).uses).toContain("v1.ts");
  const one = migrated["a.ts"]!.replace(
    "return [",
    'const v1 = await (await fetch("https://x/api/v1/passports/" + id)).json();\n  return [v1.passport.score, ',
  );
  expect((await found({ "a.ts": one }, successor)).uses).toContain("a.ts");
});
