// One helper that many modules use for requests makes nobody V1's but those who ask V1 with it.
import { expect, test } from "vitest";
import { scanFiles } from "./source-tree.ts";

const helper = `export async function getJson(url) {
  try {
    const response = await fetch(url);
    if (!response.ok) return null;
    return await response.json();
  } catch {
    return null;
  }
}
`;

const caller = (service: number) => `import { getJson } from "@team/http";

export async function load${service}(id) {
  const body = await getJson(\`https://service-${service}.example.com/items/\${id}\`);
  if (!body) return { score: 0, name: "" };
  return { score: body.item.score ?? 0, name: body.item.display_name };
}
`;

test("A monorepo with one call of V1 and twenty callers of a shared helper has one file that uses V1", async () => {
  const callers = Array.from({ length: 20 }, (_, at) => [`packages/p${at}/src/load.js`, caller(at)]);
  const { uses } = await scanFiles({
    "packages/http/package.json": '{ "name": "@team/http" }',
    "packages/http/src/index.js": helper,
    ...Object.fromEntries(callers),
    "packages/reputation/src/score.js": `import { getJson } from "@team/http";

export async function scoreOf(id) {
  const body = await getJson(\`https://api.example.com/api/v1/passports/\${id}\`);
  return body.passport.score ?? 0;
}
`,
  });
  expect([...new Set(uses.map(({ file }) => file))]).toEqual(["packages/reputation/src/score.js"]);
});

test("A helper that only asks V1 has its error handling counted", async () => {
  const { uses } = await scanFiles({
    "http.js": helper,
    "score.js":
      'import { getJson } from "./http.js";\nexport const one = (id) => getJson("https://api.example.com/api/v1/passports/" + id);\nexport const all = () => getJson("https://api.example.com/api/v1/passports");\n',
  });
  const hazards = uses.filter(({ file }) => file === "http.js").flatMap((use) => use.hazards);
  expect(hazards.map(({ rule, line }) => `${line} ${rule}`).sort()).toEqual([
    "4 status-default",
    "6 catch-default",
  ]);
});
