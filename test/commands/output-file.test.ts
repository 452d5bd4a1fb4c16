// Every option that writes a file reports an unwritable path in one line with a remedy.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { refuseLinkOutside, schemaAddress } from "../../lib/commands/output-file.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { isSingleErrorLine, run } from "./terminal.ts";

const folder = makeFolder();
const store = join(folder, "watch.db");
const source = join(folder, "src");

beforeAll(() => {
  const opened = openStore(store, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  opened.store.close();
  mkdirSync(join(folder, "a-folder"));
  mkdirSync(source);
  writeFileSync(join(source, "list.ts"), 'await fetch("https://api.example.com/api/v1/passports");\n');
  writeFileSync(join(folder, "a-file"), "kept");
});

const commands: Record<string, (file: string) => string[]> = {
  "openapi --out": (file) => ["openapi", "--out", file],
  "ready --sarif": (file) => ["ready", "--store", store, "--sarif", file],
  "scan --sarif": (file) => ["scan", source, "--sarif", file],
  "migrate init --mapping": (file) => ["migrate", "init", "--force", "--mapping", file],
};
/** Also the options that read an existing file first or refuse to overwrite it. */
const allCommands: Record<string, (file: string) => string[]> = {
  ...commands,
  "scan --inventory": (file) => ["scan", source, "--inventory", file],
  "store backup": (file) => ["store", "backup", file, "--store", store],
  "store export": (file) => ["store", "export", file, "--store", store],
};

describe.each(Object.entries(allCommands))("%s", (_name, argumentsFor) => {
  test.each([
    ["nowhere/out", "its folder does not exist. Create the folder first"],
    ["a-file/out", "a part of its path is not a folder. Choose another path"],
  ])("Every option that writes a file prints a remedy for the path %s", async (path, remedy) => {
    const file = join(folder, path);
    const printed = await run(argumentsFor(file));
    expect(printed.err).toBe(`v1watch: cannot write "${file}": ${remedy}\n`);
    expect(printed).toSatisfy(isSingleErrorLine);
    expect(printed.code).toBe(2);
  });
});

test.each(Object.entries(commands))(
  "v1watch %s prints a remedy for a folder",
  async (_name, argumentsFor) => {
    const file = join(folder, "a-folder");
    const { code, err } = await run(argumentsFor(file));
    expect({ code, err }).toEqual({
      code: 2,
      err: `v1watch: cannot write "${file}": it is a folder. Choose a file in it\n`,
    });
  },
);

test("v1watch report --out creates the folder, or prints a remedy if it cannot", async () => {
  const writeReport = (file: string) => run(["report", "--store", store, "--out", file]);
  expect((await writeReport(join(folder, "new/folder/report.html"))).code).toBe(0);
  expect(existsSync(join(folder, "new/folder/report.html"))).toBe(true);
  const file = join(folder, "a-file/report.html");
  expect(await writeReport(file)).toEqual({
    code: 2,
    out: "",
    err: `v1watch: cannot write "${file}": a part of its path is not a folder. Choose another path\n`,
  });
  expect(readFileSync(join(folder, "a-file"), "utf8")).toBe("kept");
});

test("v1watch scan writes SARIF and inventory through symbolic links and leaves no temporary file", async () => {
  const [target, link] = [join(folder, "target.sarif"), join(folder, "link.sarif")];
  writeFileSync(target, "");
  symlinkSync(target, link);
  const [kept, inventory] = [join(folder, "kept.json"), join(folder, "inventory.json")];
  symlinkSync(kept, inventory);
  writeFileSync(kept, '{"schema":"v1watch/inventory/1","scannedOn":"2026-01-01","uses":[]}');
  const { code } = await run(["scan", source, "--sarif", link, "--inventory", inventory]);
  expect(code).toBe(1);
  expect(JSON.parse(readFileSync(target, "utf8")).version).toBe("2.1.0");
  expect(JSON.parse(readFileSync(kept, "utf8")).uses.length).toBeGreaterThan(0);
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test.each(["mapping", "inventory"] as const)(
  "The %s names its schema only where the file can reach it",
  (name) => {
    const root = join(import.meta.dirname, "..", "..");
    expect(schemaAddress(name, join(root, "v1watch.json"))).toBe(`./schemas/${name}.schema.json`);
    expect(existsSync(join(root, "schemas", `${name}.schema.json`))).toBe(true);
    expect(schemaAddress(name, join(folder, "v1watch.json"))).toBeUndefined();
  },
);

test("A link that leads out of the folder of a report is not followed, and one within it is", async () => {
  const [folder, elsewhere] = [makeFolder(), makeFolder()];
  const target = join(elsewhere, "precious.txt");
  writeFileSync(target, "precious");
  symlinkSync(target, join(folder, "report.html"));
  await expect(refuseLinkOutside(join(folder, "report.html"))).rejects.toThrow("leads out of its folder");
  symlinkSync(join(elsewhere, "absent.txt"), join(folder, "dangling.html"));
  await expect(refuseLinkOutside(join(folder, "dangling.html"))).rejects.toThrow("leads out of its folder");
  writeFileSync(join(folder, "latest.html"), "");
  symlinkSync("latest.html", join(folder, "inner.html"));
  await refuseLinkOutside(join(folder, "inner.html"));
  await refuseLinkOutside(join(folder, "absent.html"));
});

test("A file that is - goes to standard output, and what is said to people to standard error", async () => {
  const team = ["--mapping", join(folder, "dash-map.json"), "--inventory", join(folder, "dash-uses.json")];
  await run(["migrate", "init", ...team.slice(0, 2)]);
  await run(["scan", source, ...team.slice(2)]);
  const json: Record<string, string[]> = {
    "openapi --out": ["openapi", "--out", "-"],
    "scan --sarif": ["scan", source, "--sarif", "-"],
    "scan --inventory": ["scan", source, "--inventory", "-"],
    "migrate init --mapping": ["migrate", "init", "--mapping", "-"],
    "ready --sarif": ["ready", "--sarif", "-", "--store", store, ...team],
    "report --out": ["report", "--format", "json", "--out", "-", "--store", store, ...team],
  };
  for (const [name, args] of Object.entries(json))
    expect(JSON.parse((await run(args)).out), name).toBeTypeOf("object");
  expect((await run(["init", "-", "--base-url", "https://api.example.com"])).out).toMatch(/^# v1watch: /);
  expect((await run(["store", "export", "-", "--store", store])).out).toBe(
    (await run(["store", "export", "--store", store])).out,
  );
  for (const args of [
    ["store", "backup", "-", "--store", store],
    ["scan", source, "--sarif", "-", "--inventory", "-"],
  ])
    expect(await run(args)).toMatchObject({ code: 2, out: "" });
  expect(existsSync("-")).toBe(false);
});
