import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { behaviours, v1Fields } from "../../lib/mapping/fields.ts";
import { mappingJsonSchema } from "../../lib/mapping/mapping.ts";
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
  test("init writes a first mapping and never replaces one unless it is forced", async () => {
    const first = await start("init");
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("60 rows, all unverified, from the vendor's public documents and clients.");
    await writeFile(file, "mine");
    expect(await start("init")).toMatchObject({ code: 2, out: "" });
    expect((await start("init")).err).toContain("is there already. Use --force to replace it.");
    expect(await readFile(file, "utf8")).toBe("mine");
    expect(await start("init", "--force")).toMatchObject({ code: 0 });
    expect(await start("check")).toMatchObject({ code: 0, err: "" });
  });

  test("coverage shows what is open first, and fails while anything is", async () => {
    await write(() => {});
    const { code, out } = await start("coverage");
    expect(code).toBe(1);
    expect(out).toMatch(/^35 of 60 fields and behaviours are decided\. 35 of them are unverified\.\n/);
    expect(out).toContain("Still open: 14 undecided, 11 dropped without an owner.");
    expect(out).toMatch(/UNDECIDED +passport\.calculating_score +undecided/);
    expect(out).toMatch(/unverified +passport\.score +renamed +score score\.points/);
    expect(out.indexOf("unverified  ")).toBeGreaterThan(out.lastIndexOf("UNDECIDED"));
  });

  test("coverage is fine when all is decided", async () => {
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

  test("a typo of a V1 path is exit 2, with what was meant", async () => {
    await write(({ fields }) => {
      fields["passport.skill_score"] = { decision: "undecided" };
    });
    expect(await start("coverage")).toEqual({
      code: 2,
      out: "",
      err: 'v1watch: the mapping has 1 mistake\n  fields["passport.skill_score"]: there is no such V1 field. Did you mean passport.skills_score?\n',
    });
  });

  test("check holds the paths against V2's shape, given as a flag or in the file", async () => {
    const shape = join(folder, "v2.json");
    const answer = (schema: object) => ({
      get: { responses: { 200: { content: { "application/json": { schema } } } } },
    });
    const paths = { "/score": answer({ properties: { score: { properties: { point: {} } } } }) };
    const others = Object.fromEntries(
      ["profile", "accounts", "socials", "credentials"].map((name) => [`/${name}`, answer({})]),
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

  test("a missing file, a missing action and the schema for editors", async () => {
    const lost = await run(["migrate", "check", "--mapping", join(folder, "lost.json")]);
    expect(lost.code).toBe(2);
    expect(lost.err).toContain("there is no such file. Write one with `v1watch migrate init`");
    expect(await run(["migrate"])).toMatchObject({
      code: 2,
      err: "v1watch: migrate takes one of init, coverage, check\n",
    });
    expect(JSON.parse((await run(["migrate", "--schema"])).out)).toEqual(
      JSON.parse(JSON.stringify(mappingJsonSchema())),
    );
  });
});
