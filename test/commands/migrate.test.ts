import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { behaviours, v1Fields } from "../../lib/mapping/fields.ts";
import { createStarter } from "../../lib/mapping/starter.ts";
import { run } from "./terminal.ts";

let folder = "";
let file = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "v1watch-migrate-"));
  file = join(folder, "v1watch.mapping.json");
});
afterAll(() => rm(folder, { recursive: true }));

const start = (...args: string[]) => run(["migrate", ...args, "--mapping", file]);

async function write(change: (mapping: ReturnType<typeof createStarter>) => void): Promise<void> {
  const mapping = createStarter(Date.now());
  change(mapping);
  await writeFile(file, JSON.stringify(mapping));
}

describe("v1watch migrate", () => {
  test("v1watch migrate init writes a starter mapping, and overwrites an existing one only with --force", async () => {
    const first = await start("init");
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("60 rows, all unverified, from the vendor's public documents and clients.");
    await writeFile(file, "mine");
    expect(await start("init")).toMatchObject({ code: 2, out: "" });
    expect((await start("init")).err).toContain("already exists. Use --force to overwrite it.");
    expect(await readFile(file, "utf8")).toBe("mine");
    expect(await start("init", "--force")).toMatchObject({ code: 0 });
    expect(await start("check")).toMatchObject({ code: 0, err: "" });
  });

  test("v1watch migrate coverage lists undecided rows first and exits 1 while there are any", async () => {
    await write(() => {});
    const { code, out } = await start("coverage");
    expect(code).toBe(1);
    expect(out).toMatch(/^35 of 60 fields and behaviours are decided\. 35 of them are unverified\.\n/);
    expect(out).toContain("Remaining: 14 undecided, 11 dropped without an owner.");
    expect(out).toMatch(/UNDECIDED +passport\.calculating_score +undecided/);
    expect(out).toMatch(/unverified +passport\.score +renamed +score score\.points/);
    expect(out.indexOf("unverified  ")).toBeGreaterThan(out.lastIndexOf("UNDECIDED"));
  });

  test("v1watch migrate coverage exits 0 if every row is decided", async () => {
    await write((mapping) => {
      const drop = { decision: "dropped", owner: "ana", reason: "unused", expires: "2099-12-31" } as const;
      mapping.fields = Object.fromEntries(v1Fields.map(({ path }) => [path, drop]));
      mapping.behaviours = Object.fromEntries(behaviours.map(({ id }) => [id, { decision: "same" }]));
    });
    const { code, out } = await start("coverage");
    expect(code).toBe(0);
    expect(out).toMatch(/^60 of 60 fields and behaviours are decided\.\n\n/);
    expect(JSON.parse((await start("coverage", "--json")).out)).toMatchObject({
      schema: "v1watch/coverage/1",
      isDecided: true,
      counts: { decided: 60, undecided: 0 },
    });
  });

  test("v1watch migrate coverage exits 2 for an unknown V1 path and suggests a similar one", async () => {
    await write(({ fields }) => {
      fields["passport.skill_score"] = { decision: "undecided" };
    });
    expect(await start("coverage")).toEqual({
      code: 2,
      out: "",
      err: 'v1watch: the mapping has 1 mistake\n  fields["passport.skill_score"]: there is no such V1 field. Did you mean passport.skills_score?\n',
    });
  });

  test("v1watch migrate check validates the paths against V2's schema from --v2-schema or from the mapping", async () => {
    const shape = join(folder, "v2.json");
    const operation = (schema: object) => ({
      get: { responses: { 200: { content: { "application/json": { schema } } } } },
    });
    const paths = { "/score": operation({ properties: { score: { properties: { point: {} } } } }) };
    const others = Object.fromEntries(
      ["profile", "accounts", "socials", "credentials"].map((name) => [`/${name}`, operation({})]),
    );
    await writeFile(shape, JSON.stringify({ openapi: "3.1.0", paths: { ...paths, ...others } }));
    await write(() => {});
    const flagged = await start("check", "--v2-schema", shape);
    expect(flagged.code).toBe(2);
    expect(flagged.err).toContain('V2\'s shape has no "points" at this path. Did you mean point?');
    await write(({ v2 }) => {
      v2.shape = "v2.json";
    });
    expect(await start("check")).toEqual(flagged);
    await rm(shape);
    expect((await start("check")).err).toContain("there is no such file. Name V2's OpenAPI 3 document");
  });

  test("v1watch migrate reports a missing file and a missing action with exit code 2", async () => {
    const missing = await run(["migrate", "check", "--mapping", join(folder, "missing.json")]);
    expect(missing.code).toBe(2);
    expect(missing.err).toContain("there is no such file. Write one with `v1watch migrate init`");
    expect(await run(["migrate"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Usage: v1watch migrate .*init .*coverage .*plan .*check /s),
    });
  });
});
