// The configuration file: YAML, JSON with comments, settings that are given twice, and the generated reference.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listStarterChannels } from "../../lib/config/channels.ts";
import { loadConfig, mistakesText } from "../../lib/config/config.ts";
import { run } from "../commands/terminal.ts";
import { configExample, renderConfigDocs } from "../docs/render-config.ts";
import { makeFolder } from "../local/temporary-folder.ts";

const load = (fileText: string, filePath: string) => loadConfig({ fileText, filePath, env: {}, flags: {} });
const mistakesOf = (fileText: string, filePath: string) => {
  const loaded = load(fileText, filePath);
  return loaded.ok ? "" : mistakesText(loaded.mistakes);
};

describe("the configuration file", () => {
  test("The configuration file may be YAML, and gives the same configuration as JSON with comments", () => {
    const yaml =
      "# V1\nbaseUrl: https://a.example\nretirement: { date: 2026-12-31 }\nbudget:\n  monthlyRequests: 6000\n";
    const json =
      '{ // V1\n "baseUrl": "https://a.example", /* a\n comment */ "retirement": { "date": "2026-12-31" },\n "budget": { "monthlyRequests": 6000 } }';
    expect(load(yaml, "a.yaml")).toEqual(load(json, "a.json"));
    expect(load(yaml, "a.yml")).toMatchObject({ ok: true });
    const quoted = load('{ "baseUrl": "https://a.example", "store": "a//b/*c*/" }', "a.json");
    expect(quoted).toMatchObject({ ok: true, config: { store: "a//b/*c*/" } });
  });

  test("The configuration file with a setting twice is refused, with its place and without its value", () => {
    expect(mistakesOf("baseUrl: https://a.example\nkey: none\nkey: s3cret-key\n", "a.yaml")).toBe(
      "the configuration has 1 mistake\n  a.yaml: has a name twice. Look at line 3, column 1.",
    );
    const nested =
      '{ "baseUrl": "https://a.example",\n "budget": { "monthlyRequests": 1, "monthlyRequests": 2 } }';
    expect(mistakesOf(nested, "a.json")).toContain("a.json: has a name twice. Look at line 2,");
  });

  test("The configuration file that is no YAML, no JSON or no mapping is refused in one line without its content", () => {
    for (const [text, path] of [
      ["baseUrl: [s3cret", "a.yaml"],
      ["a: *s3cret", "a.yaml"],
      ["- s3cret", "a.yaml"],
      ["s3cret", "a.yml"],
      ['{ "s3cret": /* never closed', "a.json"],
      ['["s3cret"]', "a.json"],
    ] as const) {
      const said = mistakesOf(text, path);
      expect(said.split("\n")[1], text).toMatch(/^ {2}a\.(?:ya?ml|json): [^\n]+\.$/);
      expect(said).not.toContain("s3cret");
    }
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi"
      .split("")
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(",")}]`)
      .join("\n")}\n`;
    expect(mistakesOf(bomb, "a.yaml")).toContain("is not a configuration.");
  });

  test("The configuration file is found under its YAML name too, and two of them are refused", async () => {
    const folder = makeFolder();
    const before = process.cwd();
    process.chdir(folder);
    try {
      writeFileSync("v1watch.config.yaml", "baseUrl: https://yaml.example\n");
      expect((await run(["config"])).out).toContain("V1 at https://yaml.example");
      writeFileSync("v1watch.config.json", '{ "baseUrl": "https://json.example" }');
      expect(await run(["config"])).toMatchObject({
        code: 2,
        err: expect.stringContaining("v1watch.config.json: there is also v1watch.config.yaml."),
      });
    } finally {
      process.chdir(before);
    }
  });
});

describe("docs/use/config.md", () => {
  test("docs/use/config.md has an example that is a valid configuration", () => {
    expect(mistakesOf(configExample, "v1watch.config.yaml")).toBe("");
    expect(renderConfigDocs()).toContain(configExample.trimEnd());
  });
});

test("v1watch init writes a configuration from answers or options, and overwrites nothing", async () => {
  const file = join(makeFolder(), "v1watch.config.yaml");
  const first = await run(["init", file, "--base-url", "https://a.example", "--channel", "discord"]);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(load(readFileSync(file, "utf8"), file)).toMatchObject({
    ok: true,
    config: {
      baseUrl: "https://a.example",
      channels: [{ type: "discord", url: { env: "DISCORD_WEBHOOK_URL" } }],
    },
  });
  expect((await run(["init", file, "--base-url", "https://b.example"])).code).toBe(2);
  const other = join(makeFolder(), "other.yaml");
  // What has a mistake is asked again, and the answers before it are kept.
  const answers = ["nonsense", "https://c.example", "none", "soon", "2026-12-31", "icq", ""];
  const asked = await run(["init", other], { ask: async () => answers.shift()! });
  expect(asked.code).toBe(0);
  expect(asked.err).toMatch(
    /^This is not a web address\..*\nThis .*date.*\n"icq" is none of the channels .*\n$/,
  );
  expect(answers).toEqual([]);
  expect(load(readFileSync(other, "utf8"), other)).toMatchObject({
    ok: true,
    config: { baseUrl: "https://c.example", key: "none", retirement: { date: "2026-12-31" } },
  });
  // Every channel that it offers is one that a watch accepts.
  for (const { type } of listStarterChannels()) {
    const path = join(makeFolder(), `${type}.yaml`);
    expect((await run(["init", path, "--base-url", "https://a.example", "--channel", type])).code).toBe(0);
  }
  const unknown = [
    "init",
    join(makeFolder(), "x.yaml"),
    "--base-url",
    "https://a.example",
    "--channel",
    "icq",
  ];
  expect(await run(unknown)).toMatchObject({
    code: 2,
    err: expect.stringContaining('"icq" is none of the channels webhook, slack, teams, pagerduty, discord'),
  });
  expect(await run(["init", join(makeFolder(), "x.yaml"), "--base-url", "nonsense"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("baseUrl: is not a web address."),
  });
});
