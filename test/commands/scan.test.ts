import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RunOptions, run as runTerminal } from "./terminal.ts";

const corpus = join(import.meta.dirname, "../scan/corpus");
const secret = "sentinel0123456789secret";
const home = process.cwd();
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "v1watch-scan-command-"));
  // Relative to the root of the repository the corpus is in a test folder, whose uses are not counted.
  process.chdir(corpus);
});
afterEach(() => {
  process.chdir(home);
  return rm(folder, { recursive: true });
});

const run = (args: readonly string[], options?: RunOptions) => runTerminal(["scan", ...args], options);

const secretClient = `const KEY = "${secret}";
export async function load(id) {
  try {
    const r = await fetch("https://user:${secret}@api.example.com/api/v1/passports/" + id + "?key=${secret}", { headers: { "X-API-KEY": KEY } });
    return (await r.json()).passport.score || 0; // ${secret}
  } catch { return 0; }
}
`;

const client =
  'export async function load(id) { return (await (await fetch("/api/v1/passports/" + id)).json()).passport.score; }\n';

async function write(files: readonly string[], text = client): Promise<void> {
  for (const file of files.map((name) => join(folder, name))) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

describe("file names in the output of scan", () => {
  const namesOf = async (...folders: string[]): Promise<string[]> =>
    JSON.parse((await run([...folders, "--json"])).out).uses.map(({ file }: { file: string }) => file);

  beforeEach(async () => {
    await write(["svcA/src/client.js", "svcB/src/client.js", "here/src/client.js"]);
    process.chdir(join(folder, "here"));
  });

  test("File names in the output of v1watch scan outside the current folder keep their relative path, however many folders are scanned", async () => {
    expect(await namesOf("../svcA/src")).toEqual(["../svcA/src/client.js"]);
    expect(await namesOf("../svcA")).toEqual(["../svcA/src/client.js"]);
    expect(await namesOf(join(folder, "svcA"))).toEqual(["../svcA/src/client.js"]);
    const both = ["../svcA/src/client.js", "../svcB/src/client.js"];
    expect(await namesOf("../svcA", "../svcB")).toEqual(both);
    expect(await namesOf("../svcA/src", "../svcB/src")).toEqual(both);
  });

  test("File names in the output of v1watch scan inside the current folder are relative to it", async () => {
    for (const folders of [["."], ["src"], ["src", "../svcA"], [".."]])
      expect(await namesOf(...folders)).toContain("src/client.js");
  });

  test.each([
    [["../svcA"], ["src/client.js"]],
    [
      ["../svcA", "../svcB"],
      ["svcA/src/client.js", "svcB/src/client.js"],
    ],
    [[".."], ["svcA/src/client.js", "svcB/src/client.js", "here/src/client.js"]],
    [
      ["src", "../svcA"],
      ["svcA/src/client.js", "src/client.js"],
    ],
  ])(
    "File names in the output of v1watch scan in the SARIF of %j never start with ../",
    async (folders, uris) => {
      const file = join(folder, "out.sarif");
      await run([...folders, "--sarif", file]);
      const [{ results }] = JSON.parse(await readFile(file, "utf8")).runs;
      const found = results.map(
        ({ locations: [{ physicalLocation }] }: { locations: [{ physicalLocation: object }] }) =>
          (physicalLocation as { artifactLocation: { uri: string } }).artifactLocation.uri,
      );
      expect([...new Set(found)]).toEqual(uris);
    },
  );
});

describe("scan --inventory with several folders", () => {
  const file = () => join(folder, "inventory.json");
  const update = async (...folders: string[]) => (await run([...folders, "--inventory", file()])).out;
  const rows = async () => JSON.parse(await readFile(file(), "utf8")).uses;
  const editUses = async (changes: object) => {
    const inventory = JSON.parse(await readFile(file(), "utf8"));
    for (const use of inventory.uses) Object.assign(use, changes);
    await writeFile(file(), JSON.stringify(inventory));
  };

  beforeEach(async () => {
    await write(["svcA/a.js", "svcB/b.js"]);
    process.chdir(folder);
  });

  test("v1watch scan --inventory with several folders does not change the uses of folders that are not scanned, and prints their number", async () => {
    await update("svcA");
    expect(await update("svcB")).toContain(
      "inventory.json: 2 uses, 1 new, 0 gone, 1 in another folder unchanged.\n",
    );
    expect((await rows()).map(({ gone }: { gone?: string }) => gone)).toEqual([undefined, undefined]);
    await rm("svcA/a.js");
    await write(["svcA/none.js"], "f();\n");
    expect(await update("svcA")).toContain("0 new, 1 gone, 1 in another folder unchanged.\n");
  });

  test("v1watch scan refuses a folder of which nothing was read, and leaves the inventory as it was", async () => {
    await update("svcA", "svcB");
    const before = await readFile(file(), "utf8");
    await rm("svcA/a.js");
    for (const content of [undefined, "", "\0binary"]) {
      if (content !== undefined) await write(["svcA/b.js"], content);
      for (const extra of [[], ["--json"], ["--inventory", file()], ["--inventory", file(), "--new"]])
        expect(await run(["svcB", "svcA", ...extra])).toMatchObject({
          code: 2,
          out: "",
          err: expect.stringContaining('nothing was read in "svcA": is this the right folder?'),
        });
    }
    expect(await readFile(file(), "utf8")).toBe(before);
    await write(["svcC/c.js", "svcD/d.js"]);
    await update("svcC", "svcD");
    expect(JSON.parse(await readFile(file(), "utf8")).folders).toMatchObject(
      ["svcA", "svcB", "svcC", "svcD"].map((name) => ({ name, files: 1 })),
    );
  });

  test("v1watch ready asks for a new scan once a file of the scanned folders has changed", async () => {
    await write(["svcA/a.js"], "f();\n");
    await write(["svcA/b.js"], "g();\n");
    await run(["svcA", "--inventory", "v1watch.inventory.json"]);
    const consumers = async () => {
      const { gates } = JSON.parse((await runTerminal(["ready", "--json"])).out);
      return gates.find(({ id }: { id: string }) => id === "consumers");
    };
    expect(await consumers()).toMatchObject({ state: "pass", evidence: ["no use of V1 in 2 files of svcA"] });
    await write(["svcA/b.js"], client);
    expect(await consumers()).toMatchObject({
      state: "unknown",
      evidence: ["at least 1 file of svcA changed since the scan"],
    });
    // Where the code is not there, the age alone counts.
    await rm("svcA", { recursive: true });
    expect(await consumers()).toMatchObject({ state: "pass" });
  });

  test("v1watch scan takes over the edits of an inventory that does not say what was read", async () => {
    await update("svcA");
    const { folders: _, ...old } = JSON.parse(await readFile(file(), "utf8"));
    const uses = [{ ...old.uses[0], owner: "team-a" }];
    await writeFile(file(), JSON.stringify({ ...old, schema: "v1watch/inventory/1", uses }));
    await update("svcA");
    expect(JSON.parse(await readFile(file(), "utf8"))).toMatchObject({
      schema: "v1watch/inventory/2",
      folders: [{ name: "svcA", files: 1 }],
      uses: [{ owner: "team-a" }],
    });
  });

  test("v1watch scan follows a link inside the folder, and lists one that leads out of it", async () => {
    await symlink("../svcB", "svcA/b");
    await symlink("nowhere", "svcA/gone");
    await mkdir("svcA/generated");
    await write(["svcA/.gitignore"], "generated\n");
    await write(["svcA/generated/c.js"], client.replace("load", "generated"));
    await symlink("generated", "svcA/current");
    for (const link of ["svcA/again", "svcA/current/loop"]) await symlink(folder, link);
    await symlink("a.js", "svcA/same.js");
    const { code, out } = await run(["svcA", "--json"]);
    expect(code).toBe(1);
    const { files, uses, links } = JSON.parse(out);
    expect(uses.map((use: { file: string }) => use.file)).toEqual(["svcA/a.js", "svcA/current/c.js"]);
    expect(files).toBe(3);
    expect(links.map((link: { file: string }) => link.file).sort()).toEqual(
      ["svcA/again", "svcA/b", "svcA/current/loop", "svcA/gone"].sort(),
    );
    // What is behind a link in a folder that is scanned, too, is read there.
    const both = JSON.parse((await run(["svcA", "svcB", "--json"])).out);
    expect(both.links).toHaveLength(3);
    expect(both.uses).toHaveLength(3);
    await write(["none/a.js"], "f();\n");
    await symlink("../svcA", "none/link");
    const text = await run(["none", "--inventory", file()]);
    expect(text).toMatchObject({ code: 1, out: expect.stringContaining("none/link to ../svcA") });
    expect(text.out).not.toContain("No uses of V1");
    expect(JSON.parse(await readFile(file(), "utf8")).unsure).toEqual([
      { file: "none/link", line: 1, reason: "link" },
    ]);
  });

  test("v1watch scan --inventory with several folders resets a reappeared use from v2 to v1, and keeps the owner of a use that moved to another file", async () => {
    await update(".");
    await editUses({ owner: "team-a", status: "v2" });
    await rename("svcA/a.js", "svcA/a.txt");
    await update(".");
    await rename("svcA/a.txt", "svcA/a.js");
    expect(await update(".")).toContain("0 new, 0 gone, 1 found again, 1 reset from v2 to v1.\n");
    await rename("svcA/a.js", "svcA/client.js");
    expect(await update(".")).toContain("2 uses, 0 new, 0 gone, 1 moved to another file.\n");
    expect(await rows()).toMatchObject([
      { file: "svcA/client.js", owner: "team-a", status: "v1" },
      { file: "svcB/b.js", owner: "team-a", status: "v2" },
    ]);
  });
});

describe("v1watch scan", () => {
  test("v1watch scan prints used fields, hazards and uses by file in this order, and exits 1", async () => {
    const programs = ["js-a-request-with-axios", "js-a-client-with-a-base-url", "js-a-chain-of-promises"];
    const { code, out } = await run(programs.map((program) => join(corpus, program)));
    expect(code).toBe(1);
    expect(out).toMatch(
      /^V1 is used in \d+ files of \d+: \d+ calls, \d+ uses in total\. \d+ locations would hide its retirement\.\n/,
    );
    expect(out).toContain("js-a-request-with-axios/score.js:11");
    expect(out).toContain("Error handling that hides");
    expect(out.indexOf("Error handling that hides")).toBeLessThan(out.indexOf("Migration hazards"));
    expect(out.indexOf("Migration hazards")).toBeLessThan(out.indexOf("\nUses by file\n"));
    expect(out).toMatch(/ {2}passport-credentials {2}\d+ uses\n/);
  });

  test("v1watch scan exits 0 if V1 is mentioned but not used", async () => {
    const { code, out } = await run([join(corpus, "none-travel-documents")]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No uses of V1 found in \d+ files/),
    });
  });

  test("v1watch scan --json prints one document with a schema version", async () => {
    const { code, out } = await run([join(corpus, "py-defaults-of-get"), "--json"]);
    expect(code).toBe(1);
    const json = JSON.parse(out);
    expect(json).toMatchObject({ schema: "v1watch/scan/1", summary: { uses: json.uses.length } });
    expect(json.uses[0]).toMatchObject({
      id: expect.any(String),
      file: expect.any(String),
      line: expect.any(Number),
    });
  });

  test("v1watch scan --sarif writes SARIF 2.1.0 with known rules, levels and relative paths", async () => {
    const file = join(folder, "out.sarif");
    await run([corpus, "--sarif", file]);
    const log = JSON.parse(await readFile(file, "utf8"));
    expect(log).toMatchObject({ version: "2.1.0", runs: [{ tool: { driver: { name: "v1watch" } } }] });
    const [{ tool, results }] = log.runs;
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(results.length).toBeGreaterThan(50);
    for (const result of results) {
      expect(ids[result.ruleIndex]).toBe(result.ruleId);
      expect(["error", "warning", "note"]).toContain(result.level);
      const { artifactLocation, region } = result.locations[0].physicalLocation;
      expect(artifactLocation.uri).toMatch(/^[^/][^:\\ ]*$/);
      expect(region.startLine).toBeGreaterThan(0);
      expect(result.message.text).not.toBe("");
    }
  });

  test("v1watch scan prints and writes no source text, only locations and field names", async () => {
    await writeFile(join(folder, "client.js"), secretClient);
    const [sarif, file] = [join(folder, "o.sarif"), join(folder, "v1watch.inventory.json")];
    const text = await run([folder, "--sarif", sarif, "--inventory", file]);
    const json = await run([folder, "--json"]);
    expect(text.out).toContain("client.js:6");
    const all = [
      text.out,
      text.err,
      json.out,
      await readFile(sarif, "utf8"),
      await readFile(file, "utf8"),
    ].join("");
    expect(all).not.toContain(secret);
  });

  test("v1watch scan escapes control characters in file names", async () => {
    await writeFile(join(folder, "a\u001b[31mred\u202e.js"), secretClient);
    const { out } = await run([folder]);
    expect(out).toContain("a\\u001b[31mred\\u202e.js");
  });

  test("v1watch scan --inventory keeps owner and exception over a second scan", async () => {
    await writeFile(join(folder, "client.js"), secretClient);
    const file = join(folder, "v1watch.inventory.json");
    const first = await run([folder, "--inventory", file]);
    expect(first.out).toContain("1 use, 1 new, 0 gone.");
    const inventory = JSON.parse(await readFile(file, "utf8"));
    inventory.uses[0].owner = "team-a";
    inventory.uses[0].exception = { reason: "frozen until spring", expires: "2027-03-31" };
    await writeFile(file, JSON.stringify(inventory));
    await writeFile(join(folder, "client.js"), `\n\n${secretClient}`);
    await run([folder, "--inventory", file]);
    const kept = JSON.parse(await readFile(file, "utf8"));
    expect(kept.uses).toMatchObject([{ owner: "team-a", line: 6, exception: { expires: "2027-03-31" } }]);
  });

  test("v1watch scan rejects an invalid inventory and does not change it", async () => {
    const file = join(folder, "i.json");
    for (const text of [
      "{",
      '{"schema":"v1watch/inventory/1","scannedOn":"2026-11-01","uses":[{"id":"x","status":"gone"}]}',
    ]) {
      await writeFile(file, text);
      expect(await run([folder, "--inventory", file])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/It was not changed/),
      });
      expect(await readFile(file, "utf8")).toBe(text);
    }
  });

  test("v1watch scan and migrate read none of the team's files that they do not need", async () => {
    process.chdir(folder);
    await writeFile("client.js", secretClient);
    for (const file of ["parity.state.json", "v1watch.rehearsal.json"]) await writeFile(file, "{");
    expect(await run([".", "--inventory", "v1watch.inventory.json"])).toMatchObject({ code: 1, err: "" });
    expect(await runTerminal(["migrate", "plan"])).toMatchObject({ code: 1, err: "" });
  });

  test("v1watch scan uses names relative to the inventory in a subfolder of it, and changes only the uses of that subfolder", async () => {
    const file = join(folder, "inventory.json");
    for (const name of ["a", "b", "c"]) await mkdir(join(folder, "pkgs", name), { recursive: true });
    const use = 'await fetch("https://api.example.com/api/v1/passports");\n';
    for (const name of ["a", "b"]) await writeFile(join(folder, "pkgs", name, "list.ts"), use);
    await writeFile(join(folder, "pkgs/c/other.ts"), "export const one = 1;\n");
    process.chdir(folder);
    await run(["pkgs", "--inventory", "inventory.json"]);
    process.chdir(join(folder, "pkgs/c"));
    const { out } = await run([".", "--inventory", "../../inventory.json"]);
    expect(out).toContain("2 uses, 0 new, 0 gone, 2 in other folders unchanged.");
    const { uses } = JSON.parse(await readFile(file, "utf8"));
    expect(uses.map((entry: { file: string }) => entry.file)).toEqual(["pkgs/a/list.ts", "pkgs/b/list.ts"]);
  });

  test("v1watch scan says why it takes something for a use", async () => {
    await write(["src/client.js"], client.replace(".passport.score", ".passport"));
    const page =
      'import { load } from "./client.js";\nexport const isHuman = async (id) => (await load(id)).human_checkmark;\n';
    await write(["src/page.js"], page);
    await write(["src/row.rb"], 'puts person["main_wallet"]\nputs person["human_checkmark"]\n');
    process.chdir(folder);
    const { out } = await run(["src"]);
    expect(out).toContain("isHuman  human_checkmark  followed from the call in src/client.js:1");
    expect(out).toContain("medium confidence, by the name main_wallet");
  });

  test("v1watch scan --new exits 1 only for a use that the inventory does not have, and tells what is gone", async () => {
    process.chdir(folder);
    await write(["src/old.js", "src/kept.js"]);
    expect((await run(["src", "--new"])).err).toContain("--new needs --inventory");
    expect((await run(["src", "--inventory", "uses.json", "--new"])).err).toContain("there is no inventory");
    await run(["src", "--inventory", "uses.json"]);
    const before = await readFile("uses.json", "utf8");
    expect(await run(["src", "--inventory", "uses.json", "--new"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("No new use of V1"),
    });
    await rm("src/old.js");
    await write(["src/fresh.js"], client.replace("load", "other"));
    const options = ["src", "--inventory", "uses.json", "--new", "--sarif", "new.sarif"];
    const { code, out } = await run(options);
    expect(code).toBe(1);
    expect(out).toContain("1 use of V1 is not in uses.json");
    expect(out).toContain("src/fresh.js");
    expect(out).not.toContain("src/kept.js");
    expect(out).toContain("1 use of the inventory is gone:\n  src/old.js passport load");
    const [log] = JSON.parse(await readFile("new.sarif", "utf8")).runs;
    const uris = log.results.map(
      (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        result.locations[0]?.physicalLocation.artifactLocation.uri,
    );
    expect(new Set(uris)).toEqual(new Set(["src/fresh.js"]));
    expect(await readFile("uses.json", "utf8")).toBe(before);
    const json = JSON.parse((await run([...options, "--json"])).out);
    expect(json).toMatchObject({ new: ["src/fresh.js passport other"], gone: ["src/old.js passport load"] });
  });

  test("v1watch scan lists a path of V1 that it does not count, and exits 1 until somebody has reviewed it", async () => {
    process.chdir(folder);
    const route = (path: string) => `app.get("${path}", (req, res) => res.json(one));\n`;
    await write(["src/mock.js"], route("/api/v1/passports/:id"));
    const first = await run(["src", "--sarif", "out.sarif"]);
    expect(first).toMatchObject({ code: 1, out: expect.stringContaining("V1 may be used.") });
    const listed = "src/mock.js:1  passport  not counted, because the code serves this path itself";
    expect(first.out.replaceAll(/\s+/g, " ")).toContain(listed.replaceAll(/\s+/g, " "));
    const [{ results }] = JSON.parse(await readFile("out.sarif", "utf8")).runs;
    expect(results).toMatchObject([
      {
        ruleId: "v1-mention",
        level: "note",
        locations: [{ physicalLocation: { region: { startLine: 1 } } }],
      },
    ]);
    const options = ["src", "--inventory", "uses.json"];
    expect((await run(options)).code).toBe(1);
    const inventory = JSON.parse(await readFile("uses.json", "utf8"));
    for (const row of inventory.unsure) row.reviewed = { reason: "our mock of V1" };
    await writeFile("uses.json", JSON.stringify(inventory));
    expect((await run(options)).code).toBe(0);
    expect(await run([...options, "--new"])).toMatchObject({ code: 0 });
    await write(["src/mock.js"], route("/api/v1/passports/:id") + route("/api/v1/passports"));
    expect(await run([...options, "--new"])).toMatchObject({
      code: 1,
      out: expect.stringContaining("src/mock.js:2"),
    });
    expect((await run(options)).code).toBe(1);
  });

  test("v1watch scan says which files it only reads as text, and keeps the fields that somebody has checked in them", async () => {
    process.chdir(folder);
    await write(["app/client.rb"], 'HTTP.get("#{base}/api/v1/passports/#{id}").parse["passport"]["score"]\n');
    const { out } = await run(["app"]);
    expect(out).toContain("Read as text, because the language is not parsed: 1 file, app/client.rb.");
    expect(out.replaceAll(/\s+/g, " ")).toContain("hazards were not looked for");
    expect(JSON.parse((await run(["app", "--json"])).out).summary.readAsText).toEqual(["app/client.rb"]);
    const options = ["app", "--inventory", "uses.json"];
    await run(options);
    const inventory = JSON.parse(await readFile("uses.json", "utf8"));
    inventory.uses[0].checkedFields = ["passport.score"];
    await writeFile("uses.json", JSON.stringify(inventory));
    await run(options);
    const { uses } = JSON.parse(await readFile("uses.json", "utf8"));
    expect(uses).toMatchObject([{ checkedFields: ["passport.score"] }]);
  });

  test("v1watch scan draws a progress bar only on a terminal, and clears it at the end", async () => {
    const piped = await run([join(corpus, "py-defaults-of-get")]);
    const onTerminal = await run([join(corpus, "py-defaults-of-get")], { isTerminal: true });
    expect(piped.err).toBe("");
    expect(onTerminal.err.endsWith("\r\u001b[K")).toBe(true);
  });

  test("v1watch scan exits 3 with a message if it is interrupted", async () => {
    const files = Array.from({ length: 400 }, (_, index) =>
      writeFile(join(folder, `${index}.ts`), `// passports\n${"f();\n".repeat(2000)}`),
    );
    await Promise.all(files);
    const { code, err, out } = await run([folder], { signal: AbortSignal.abort() });
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toContain("the scan was interrupted");
  });

  test("v1watch scan rejects missing arguments, a missing folder and a file", async () => {
    expect(await run([])).toMatchObject({ code: 2, err: expect.stringMatching(/scan needs a DIR/) });
    expect(await run([join(folder, "nowhere")])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/there is no folder/),
    });
    await writeFile(join(folder, "x"), "");
    expect(await run([join(folder, "x")])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is a file; scan takes folders/),
    });
  });
});
