// Whatever a command writes: a place that cannot be written is one clear line with a remedy, and costs no work.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
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
  "ready --junit": (file) => ["ready", "--store", store, "--junit", file],
  "ready --sarif": (file) => ["ready", "--store", store, "--sarif", file],
  "scan --sarif": (file) => ["scan", source, "--sarif", file],
  "migrate init --mapping": (file) => ["migrate", "init", "--force", "--mapping", file],
  "probe --junit": (file) => ["probe", "--base-url", "https://v1.invalid", "--junit", file],
};
/** These read the file first, refuse one that is there, or make its folder. */
const ways: Record<string, (file: string) => string[]> = {
  ...commands,
  "scan --inventory": (file) => ["scan", source, "--inventory", file],
  backup: (file) => ["backup", file, "--store", store],
  export: (file) => ["export", file, "--store", store],
};

describe.each(Object.entries(ways))("%s", (_name, argumentsFor) => {
  test.each([
    ["nowhere/out", "its folder is not there. Make it first"],
    ["a-file/out", "a part of its path is no folder. Name another place"],
  ])("to %s", async (place, remedy) => {
    const file = join(folder, place);
    const printed = await run(argumentsFor(file));
    expect(printed.err).toBe(`v1watch: cannot write "${file}": ${remedy}\n`);
    expect(printed).toSatisfy(isSingleErrorLine);
    expect(printed.code).toBe(2);
  });
});

test.each(Object.entries(commands))("%s to a folder", async (_name, argumentsFor) => {
  const file = join(folder, "a-folder");
  const { code, err } = await run(argumentsFor(file));
  expect({ code, err }).toEqual({
    code: 2,
    err: `v1watch: cannot write "${file}": it is a folder. Name a file in it\n`,
  });
});

test("report --out makes its folder, where it can", async () => {
  const to = (file: string) => run(["report", "--store", store, "--out", file]);
  expect((await to(join(folder, "made/for/it.html"))).code).toBe(0);
  expect(existsSync(join(folder, "made/for/it.html"))).toBe(true);
  const file = join(folder, "a-file/it.html");
  expect(await to(file)).toEqual({
    code: 2,
    out: "",
    err: `v1watch: cannot write "${file}": a part of its path is no folder. Name another place\n`,
  });
  expect(readFileSync(join(folder, "a-file"), "utf8")).toBe("kept");
});

test("a scan's SARIF goes through a link; its inventory leaves nothing beside it", async () => {
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
