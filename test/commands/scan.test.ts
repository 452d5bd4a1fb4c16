import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Io, parseArguments } from "../../lib/commands/command.ts";
import { scan } from "../../lib/commands/scan.ts";

const corpus = join(import.meta.dirname, "../migration/corpus");
const secret = "sentinel0123456789secret";
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "v1watch-scan-command-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function run(args: readonly string[], changes: Partial<Io> = {}) {
  let out = "";
  let err = "";
  const { values, positionals } = parseArguments(scan, args);
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stdin: async () => new Uint8Array(),
    env: {},
    isTerminal: false,
    signal: new AbortController().signal,
    ...changes,
  };
  const code = await scan.run(values, positionals, io);
  return { code, out, err };
}

const secretClient = `const KEY = "${secret}";
export async function load(id) {
  try {
    const r = await fetch("https://user:${secret}@api.example.com/api/v1/passports/" + id + "?key=${secret}", { headers: { "X-API-KEY": KEY } });
    return (await r.json()).passport.score || 0; // ${secret}
  } catch { return 0; }
}
`;

describe("v1watch scan", () => {
  test("says what is used and where, the dangerous spots before the rest, and exits 1", async () => {
    const { code, out } = await run([join(corpus, "javascript")]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^V1 is used in \d+ files of \d+: \d+ calls, \d+ places in all\. \d+ spots would hide its end\.\n/,
    );
    expect(out).toContain("01-axios-get/score.js:11");
    expect(out.indexOf("Dangerous")).toBeLessThan(out.indexOf("Traps"));
    expect(out.indexOf("Traps")).toBeLessThan(out.indexOf("\nWhere\n"));
    expect(out).toMatch(/ {2}passport-credentials {2}\d+ places\n/);
  });

  test("exits 0 where V1 is only mentioned", async () => {
    const { code, out } = await run([join(corpus, "negatives")]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No use of V1 found in \d+ files/),
    });
  });

  test("--json is one versioned document", async () => {
    const { code, out } = await run([join(corpus, "python"), "--json"]);
    expect(code).toBe(1);
    const json = JSON.parse(out);
    expect(json).toMatchObject({ schema: "v1watch/scan/1", summary: { uses: json.uses.length } });
    expect(json.uses[0]).toMatchObject({
      id: expect.any(String),
      file: expect.any(String),
      line: expect.any(Number),
    });
  });

  test("--sarif writes 2.1.0 with known rules, levels and relative addresses", async () => {
    const file = join(folder, "out.sarif");
    await run([join(corpus, "go"), "--sarif", file]);
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

  test("nothing of the source gets out but places and field names", async () => {
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

  test("a file name with control codes reaches the terminal without them", async () => {
    await writeFile(join(folder, "a\u001b[31mred\u202e.js"), secretClient);
    const { out } = await run([folder]);
    expect(out).toContain("a?[31mred?.js");
  });

  test("--inventory keeps a team's words over a second scan", async () => {
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

  test("--schema prints the inventory's schema for editors, and needs no folder", async () => {
    const { code, out } = await run(["--schema"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ title: "v1watch.inventory.json", type: "object" });
  });

  test("a broken inventory is a mistake of the caller and is left as it is", async () => {
    const file = join(folder, "i.json");
    for (const text of [
      "{",
      '{"schema":"v1watch/inventory/1","scannedOn":"2026-11-01","uses":[{"id":"x","status":"gone"}]}',
    ]) {
      await writeFile(file, text);
      await expect(run([folder, "--inventory", file])).rejects.toThrow(/left as it is/);
      expect(await readFile(file, "utf8")).toBe(text);
    }
  });

  test("a bar moves only where a person watches, and is gone at the end", async () => {
    const quiet = await run([corpus]);
    const watched = await run([corpus], { isTerminal: true });
    expect(quiet.err).toBe("");
    expect(watched.err.endsWith("\r\u001b[K")).toBe(true);
  });

  test("a scan that is stopped says so and is not mistaken for a clean one", async () => {
    const files = Array.from({ length: 400 }, (_, index) =>
      writeFile(join(folder, `${index}.ts`), `// passports\n${"f();\n".repeat(2000)}`),
    );
    await Promise.all(files);
    const { code, err, out } = await run([folder], { signal: AbortSignal.abort() });
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err).toContain("stopped before the end");
  });

  test("no folder, a missing one or a file are mistakes with a remedy", async () => {
    await expect(run([])).rejects.toThrow(/scan needs a DIR/);
    await expect(run([join(folder, "nowhere")])).rejects.toThrow(/there is no folder/);
    await writeFile(join(folder, "x"), "");
    await expect(run([join(folder, "x")])).rejects.toThrow(/is a file; scan takes folders/);
    expect(scan.help).toMatch(/Example:\n {2}v1watch scan /);
  });
});
