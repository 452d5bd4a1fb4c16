// From source code to the verdict: a scan, its inventory and the gates of `ready`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { v1Fields } from "../../lib/mapping/fields.ts";
import type { DriftFact, Facts } from "../../lib/readiness/facts.ts";
import { findUsedFields, readTeamFacts } from "../../lib/readiness/gates/usage.ts";
import { judgeReadiness } from "../../lib/readiness/readiness.ts";
import type { Report } from "../../lib/records/report.ts";
import { buildConsumerRows } from "../../lib/report/model/migration.ts";
import { composeConsumers } from "../../lib/report/sections/migration.ts";
import { mergeInventory, scanConsumers } from "../../lib/scan/index.ts";
import { factsOf, judgedOf, mappingWith, nowMs, undecidedRow } from "./ready-facts.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

async function inventoryOfCode(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "v1watch-scanned-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const scan = (await scanConsumers([{ root, as: "" }]))!;
  return mergeInventory(undefined, scan, "2026-11-15");
}

async function factsOfCode(files: Record<string, string>, drift: DriftFact[] = []) {
  const { inventory } = await inventoryOfCode(files);
  const team = readTeamFacts({ inventory }, nowMs);
  return factsOf({
    consumers: team.consumers,
    scanned: team.scanned,
    unsure: team.unsure,
    drift: { rows: drift, judged: judgedOf("passport", "passport-list", "passport-credentials") },
  });
}

const gateOf = (facts: Parameters<typeof judgeReadiness>[0], id: string) =>
  judgeReadiness(facts).gates.find((gate) => gate.id === id)!;

const retyped: DriftFact = {
  id: "drift-1",
  endpoint: "passport",
  path: "passport.passport_socials[].follower_count",
  level: "breaking",
  isCurrent: true,
  isReviewed: true,
};

const go = `package main

import (
	"encoding/json"
	"net/http"
)

type social struct {
	Source    string \`json:"source"\`
	Followers string \`json:"follower_count"\`
}

type answer struct {
	Passport struct {
		Socials []social \`json:"passport_socials"\`
	} \`json:"passport"\`
}

func load(id string) (answer, error) {
	resp, err := http.Get("https://api.example.com/api/v1/passports/" + id)
	if err != nil {
		return answer{}, err
	}
	var a answer
	return a, json.NewDecoder(resp.Body).Decode(&a)
}
`;

const pydantic = `import requests
from pydantic import BaseModel


class Social(BaseModel):
    source: str
    follower_count: str


class Passport(BaseModel):
    score: float
    passport_socials: list[Social]


def load(wallet):
    body = requests.get("https://api.example.com/api/v1/passports/" + wallet).json()
    return Passport.model_validate(body["passport"])
`;

const zod = `import { z } from "zod";

const social = z.object({
  source: z.string(),
  follower_count: z.string(),
});
const answer = z.object({ passport: z.object({ score: z.number(), passport_socials: z.array(social) }) });

export async function load(id: string) {
  const response = await fetch(\`https://api.example.com/api/v1/passports/\${id}\`);
  return answer.parse(await response.json());
}
`;

describe("a field that V1 has retyped fails the drift gate, although it was reviewed and nobody reads it, if it is in", () => {
  test.each([
    ["a Go struct", "client.go", go, 10],
    ["a pydantic model", "client.py", pydantic, 7],
    ["a zod schema", "client.ts", zod, 5],
  ])(
    "A field that V1 has retyped fails the drift gate, although it was reviewed and nobody reads it, if it is in %s",
    async (_, file, text, line) => {
      const facts = await factsOfCode({ [file]: text }, [retyped]);
      const gate = gateOf(facts, "drift");
      expect(gate).toMatchObject({ state: "fail", places: [{ file, line }] });
      expect(gate.next).toContain(`${file}:${line}`);
      expect(judgeReadiness(facts).verdict).toBe("not ready");
    },
  );
});

test("A reviewed difference on a field that is only read passes the drift gate", async () => {
  const text =
    'import requests\n\ndef load(w):\n    p = requests.get("https://x/api/v1/passports/" + w).json()["passport"]\n    return [s["follower_count"] for s in p["passport_socials"]]\n';
  expect(gateOf(await factsOfCode({ "a.py": text }, [retyped]), "drift").state).toBe("pass");
});

test("A scan that could not be sure makes the gates that trust it unknown, and they say what would help", async () => {
  const facts = await factsOfCode({
    "a.rb": 'p = fetch(ENV["URL"])\nputs p["human_checkmark"]\nputs p["main_wallet"]\n',
  });
  const migrated = { ...facts, consumers: [] };
  for (const id of ["fields", "parity", "consumers", "drift", "time"]) {
    const gate = gateOf(migrated, id);
    expect(gate, id).toMatchObject({ state: "unknown", places: [{ file: "a.rb", line: 2 }] });
    expect(gate.next, id).toContain("--host");
  }
  expect(judgeReadiness(migrated).verdict).toBe("unknown");
  expect(gateOf({ ...migrated, unsure: [] }, "consumers").state).toBe("pass");
});

test("A path of V1 that is not counted makes the gates unknown until somebody has reviewed it", async () => {
  const files = { "mock.js": 'app.get("/api/v1/passports/:id", (req, res) => res.json(one));\n' };
  const facts = await factsOfCode(files);
  for (const id of ["fields", "parity", "consumers", "drift", "time"]) {
    const gate = gateOf(facts, id);
    expect(gate, id).toMatchObject({ state: "unknown", places: [{ file: "mock.js", line: 1 }] });
    expect(gate.evidence[0], id).toContain("not counted, because the code serves this path itself");
    expect(gate.next, id).toContain("`reviewed`");
  }
  const unsure = facts.unsure!.map((row) => ({ ...row, reason: "not-counted" as const }));
  const reviewed = unsure.map((row) => ({ ...row, reviewed: { reason: "our mock of V1" } }));
  const inventory = {
    schema: "v1watch/inventory/2" as const,
    scannedOn: "2026-11-15",
    folders: [{ name: "", files: 3, scannedOn: "2026-11-15", digest: "" }],
    uses: [],
  };
  const stateWith = (rows: typeof unsure) =>
    gateOf(factsOf(readTeamFacts({ inventory: { ...inventory, unsure: rows } }, nowMs)), "consumers").state;
  expect(stateWith(unsure)).toBe("unknown");
  expect(stateWith(reviewed)).toBe("pass");
});

/** Gates whose evidence is not the team's code. */
const otherGates: ReadonlySet<string> = new Set(["alerts"]);

test.each<[string, Facts["scanned"]]>([
  ["an inventory that does not say what was read", []],
  ["a folder without a file that was read", [{ name: "", files: 0, scannedOn: "2026-11-15" }]],
  [
    "one folder without a file that was read beside another one",
    [
      { name: "api", files: 412, scannedOn: "2026-11-15" },
      { name: "jobs", files: 0, scannedOn: "2026-11-15" },
    ],
  ],
])("No gate about the team's code passes on %s", (_, scanned) => {
  const nothing = { consumers: [], unsure: [], parity: undefined, rehearsal: undefined };
  const passed = (facts: Facts) =>
    judgeReadiness(facts).gates.flatMap(({ id, state }) =>
      state === "pass" && !otherGates.has(id) ? [id] : [],
    );
  expect(passed(factsOf({ ...nothing, scanned }))).toEqual([]);
  expect(passed(factsOf({ scanned, parity: undefined, rehearsal: undefined }))).toEqual([]);
  // The same inventory over files that were read.
  const read = [{ name: "", files: 412, scannedOn: "2026-11-15" }];
  expect(judgeReadiness(factsOf({ ...nothing, scanned: read })).verdict).toBe("ready");
  const next = gateOf(factsOf({ ...nothing, scanned }), "consumers").next;
  expect(next).toContain("v1watch scan");
});

const scannedOf = (scannedOn: string, changed?: number) => [
  { name: "api", files: 412, scannedOn: "2026-11-15", changed: 0 },
  { name: "jobs", files: 12, scannedOn, changed },
];
test.each<[string, Partial<Facts>, string | undefined]>([
  ["of today", { scanned: scannedOf("2026-11-15") }, undefined],
  ["of 14 days ago", { scanned: scannedOf("2026-11-01") }, undefined],
  ["of 15 days ago", { scanned: scannedOf("2026-10-31") }, "the scan of jobs is 15 days old"],
  ["of as many days as the inventory allows", { scanned: scannedOf("2026-10-16"), scanDays: 30 }, undefined],
  ["of more days than it allows", { scanned: scannedOf("2026-11-13"), scanDays: 1 }, "2 days old"],
  ["of a day that has begun elsewhere", { scanned: scannedOf("2026-11-16") }, undefined],
  ["of the future", { scanned: scannedOf("2026-11-17") }, "in the future"],
  [
    "of files that have changed since",
    { scanned: scannedOf("2026-11-15", 3) },
    "at least 3 files of jobs changed since the scan",
  ],
])("A scan %s is judged by its age and its files", (_, change, problem) => {
  const left = { consumers: [], unsure: [], parity: undefined, rehearsal: undefined };
  for (const facts of [factsOf({ ...left, ...change }), factsOf(change)]) {
    const gate = gateOf(facts, "consumers");
    expect(gate.state).toBe(problem === undefined ? "pass" : "unknown");
    if (problem !== undefined) expect(gate.evidence[0]).toContain(problem);
  }
  const { verdict } = judgeReadiness(factsOf({ ...left, ...change }));
  expect(verdict).toBe(problem === undefined ? "ready" : "unknown");
});

test("A gate that passes without a use of V1 says how many files of which folders were read", () => {
  const scanned = [
    { name: "api", files: 400, scannedOn: "2026-11-15" },
    { name: "api/old", files: 9, scannedOn: "2026-11-14" },
    { name: "jobs", files: 12, scannedOn: "2026-11-15" },
  ];
  const facts = factsOf({ consumers: [], scanned, parity: undefined, rehearsal: undefined });
  const { gates } = judgeReadiness(facts);
  for (const { id, evidence } of gates.filter((gate) => !otherGates.has(gate.id)))
    expect(evidence.join(), id).toContain("412 files of api, jobs");
});

const ruby = {
  "client.rb":
    'body = JSON.parse(HTTP.get("#{BASE}/api/v1/passports/#{id}"))\nputs body["passport"]["human_checkmark"]\n',
};
const pathsOfPassport = v1Fields.filter(({ endpoint }) => endpoint === "passport").map(({ path }) => path);

const pathsUsed = async (files: Record<string, string>) =>
  findUsedFields((await factsOfCode(files)).consumers!).map(({ path }) => path);

const clientModule = {
  "client.ts":
    'export async function load(id: string) {\n  const r = await fetch("https://x/api/v1/passports/" + id);\n  return (await r.json()).passport;\n}\n',
};
const view = {
  "view.tsx":
    'import { load } from "./client";\nexport async function View({ id }) {\n  const p = await load(id);\n  return <b>{p.score}</b>;\n}\n',
};

test("A client module and a view of it are one flow: only what the view reads is used", async () => {
  expect(await pathsUsed({ ...clientModule, ...view })).toEqual(["passport.score"]);
  expect(await pathsUsed(clientModule)).toEqual(pathsOfPassport);
});

test("An object on the way to its field is a line of the inventory, and only the field is used", async () => {
  const read = (work: string) => ({
    "a.py": `import requests\ndef bio(i):\n    p = requests.get("https://x/api/v1/passports/" + i).json()["passport"]\n    profile = p["passport_profile"]\n    ${work}\n`,
  });
  const { inventory } = await inventoryOfCode(read('return profile["bio"]'));
  expect(inventory.uses.flatMap(({ fields }) => fields.map(({ line }) => line))).toEqual([4, 5]);
  expect(await pathsUsed(read('return profile["bio"]'))).toEqual(["passport.passport_profile.bio"]);
  expect((await pathsUsed(read("keep(profile)"))).length).toBeGreaterThan(1);
});

test("Another team's code does not narrow what a call without a field may read", async () => {
  const other = {
    "jobs/score.py":
      'import requests\nprint(requests.get("https://x/api/v1/passports/1").json()["passport"]["score"])\n',
  };
  expect(await pathsUsed(other)).toEqual(["passport.score"]);
  const mapping = mappingWith(({ fields }) => {
    fields["passport.merged"] = undecidedRow;
  });
  const stateOf = async (files: Record<string, string>) =>
    gateOf({ ...(await factsOfCode(files)), mapping }, "fields").state;
  expect(await stateOf(clientModule)).toBe("fail");
  expect(await stateOf({ ...clientModule, ...other })).toBe("fail");
});

const fetched = 'const { passport } = await (await fetch("/api/v1/passports/" + id)).json();';
const readScore = "show(passport.score);";
test.each<[string, string, boolean]>([
  ["reads a field", readScore, false],
  ["returns it from an exported function", `${readScore} return passport;`, true],
  ["answers a request with it", `${readScore} res.json({ ok: true, passport });`, true],
  ["stores it as a text", `${readScore} db.put(id, JSON.stringify(passport));`, true],
  ["shows it to a developer", `${readScore} console.log(passport);`, false],
  ["keeps it in a map of its own", `${readScore} cache.set(id, passport);`, false],
  ["hands on a field", `${readScore} db.put(id, passport.score);`, false],
  ["hands on an object of its own", `${readScore} db.put(id, { score: passport.score });`, false],
])("A call of V1 that %s: %s", async (_, work, isWhole) => {
  const files = {
    "a.ts": `const cache = new Map();\nexport async function one(id: string, res, db) {\n  ${fetched}\n  ${work}\n}\n`,
  };
  expect(await pathsUsed(files)).toEqual(isWhole ? pathsOfPassport : ["passport.score"]);
  const { evidence } = gateOf(await factsOfCode(files), "fields");
  expect(evidence.some((clause) => clause.includes("does not see (a.ts:4)"))).toBe(isWhole);
  // Somebody has looked at what is read there.
  const { inventory } = await inventoryOfCode(files);
  const uses = inventory.uses.map((use) => ({ ...use, checkedFields: ["passport.merged" as const] }));
  const { consumers = [] } = readTeamFacts({ inventory: { ...inventory, uses } }, nowMs);
  expect(findUsedFields(consumers).map(({ path }) => path)).toEqual(["passport.merged"]);
});

test("A consumer in a language that is read as text uses every field of its endpoint, and the gate says so", async () => {
  const facts = await factsOfCode(ruby);
  expect(findUsedFields(facts.consumers!).map(({ path }) => path)).toEqual(pathsOfPassport);
  const { evidence } = gateOf(facts, "fields");
  expect(evidence).toContainEqual(expect.stringMatching(/client\.rb.*read as text|read as text.*client\.rb/));
  expect(evidence.join()).toContain("hazards were not looked for");
  // A field that somebody reads in parsed code does not narrow it.
  const both = await factsOfCode({ ...ruby, "client.py": pydantic });
  expect(findUsedFields(both.consumers!).map(({ path }) => path)).toEqual(pathsOfPassport);
  expect(gateOf(await factsOfCode({ "client.py": pydantic }), "fields").evidence.join()).not.toContain(
    "as text",
  );
});

test("The fields that somebody has checked in a file that is read as text replace what the scan found", async () => {
  const { inventory } = await inventoryOfCode(ruby);
  const uses = inventory.uses.map((use) => ({
    ...use,
    checkedFields: ["passport.score", "passport.merged"],
  }));
  const { consumers = [] } = readTeamFacts({ inventory: { ...inventory, uses } }, nowMs);
  expect(
    findUsedFields(consumers)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(["passport.merged", "passport.score"]);
  expect(gateOf(factsOf({ consumers }), "fields").evidence.join()).not.toContain("as text");
});

test("The report does not show a hazard count of zero for a file in which none was looked for", async () => {
  const { consumers = [] } = await factsOfCode(ruby);
  const rows = buildConsumerRows(consumers, findUsedFields(consumers));
  expect(rows).toMatchObject([{ fields: pathsOfPassport.length, hazards: 0, filesReadAsText: 1 }]);
  expect(JSON.stringify(composeConsumers({ consumers: rows } as Report))).toContain(
    "0, not looked for in 1 file",
  );
});

test("A use that was found by text alone is a question and no blocker", async () => {
  const facts = await factsOfCode({ "deploy.yml": "run: curl -s $HOST/api/v1/passports/$ID\n" });
  expect(facts.consumers).toEqual([]);
  const gate = gateOf(facts, "consumers");
  expect(gate).toMatchObject({ state: "unknown", places: [{ file: "deploy.yml", line: 1 }] });
  expect(gate.next).toContain("Look at these lines");
});

test("A consumer is a package, with the owners of CODEOWNERS", async () => {
  const client = (id: string) =>
    `export const f = async (id: string) => (await (await fetch("https://x/api/v1/passports/" + id)).json()).passport.${id};\n`;
  const { consumers = [] } = await factsOfCode({
    "apps/web/package.json": '{ "name": "@acme/web" }',
    "apps/web/src/a.ts": client("score"),
    "apps/web/src/b.ts": client("merged"),
    "services/api/go.mod": "module example.com/api\n",
    "services/api/main.go": go,
    ".github/CODEOWNERS":
      "* @acme/all\n/services/ @acme/backend # the team\napps/web/src/*.ts @acme/frontend\n",
  });
  expect(
    consumers.map(({ name, owners, uses }) => [name, owners, new Set(uses.map(({ file }) => file)).size]),
  ).toEqual([
    ["@acme/web", ["@acme/frontend"], 2],
    ["example.com/api", ["@acme/backend"], 1],
  ]);
});

test("The commit of what was read is shown with it, whether its branch is packed or in a worktree, and decides nothing", async () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const evidenceOf = async (git: Record<string, string>) => {
    const facts = await factsOfCode({ "a.ts": "export const a = 1;\n", ...git });
    const gate = gateOf(facts, "consumers");
    return [gate.state, gate.evidence[0]];
  };
  const shown = ["pass", "no use of V1 in 1 file of the inventory's folder at 01234567"];
  const head = "ref: refs/heads/main\n";
  expect(await evidenceOf({ ".git/HEAD": head, ".git/refs/heads/main": `${commit}\n` })).toEqual(shown);
  expect(
    await evidenceOf({ ".git/HEAD": head, ".git/packed-refs": `# pack\n${commit} refs/heads/main\n` }),
  ).toEqual(shown);
  expect(await evidenceOf({ ".git/HEAD": `${commit}\n` })).toEqual(shown);
  const worktree = {
    ".git": "gitdir: .hg/trees/w\n",
    ".hg/trees/w/HEAD": head,
    ".hg/trees/w/commondir": "../..\n",
  };
  expect(await evidenceOf({ ...worktree, ".hg/refs/heads/main": `${commit}\n` })).toEqual(shown);
  for (const odd of [{ ".git/HEAD": "../../secret\n" }, { ".git/HEAD": head }])
    expect(await evidenceOf(odd)).toEqual(["pass", "no use of V1 in 1 file of the inventory's folder"]);
});
