import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  checkBudget,
  configJsonSchema,
  loadConfig,
  maskKey,
  mistakesText,
  readConfig,
  requestsPerMonth,
} from "../../lib/config/config.ts";

const baseUrl = "https://api.example.com";
const wallet = `0x${"ab".repeat(20)}`;
const key = "q8r7s6t5u4v3w2x1y0z9";

const load = (file: unknown, env: Record<string, string> = {}, flags: Record<string, unknown> = {}) =>
  loadConfig({ fileText: typeof file === "string" ? file : JSON.stringify(file), env, flags });

function sound(file: object = {}, env: Record<string, string> = {}, flags: Record<string, unknown> = {}) {
  const loaded = load({ baseUrl, ...file }, env, flags);
  if (!loaded.ok) throw new Error(mistakesText(loaded.mistakes));
  return loaded;
}

function lines(
  file: unknown,
  env: Record<string, string> = {},
  flags: Record<string, unknown> = {},
): string[] {
  const loaded = load(file, env, flags);
  if (loaded.ok) return [];
  return loaded.mistakes.map(({ path, problem, remedy }) => `${path}: ${problem} ${remedy}`);
}

describe("where a value comes from", () => {
  test("a base URL is all that has to be said", () => {
    const { config, origins } = sound();
    expect(config).toMatchObject({
      key: { env: "V1WATCH_API_KEY" },
      samples: { passports: "auto", wallets: "auto", keyword: "auto" },
      variants: { anonymous: true, "bad-key": false },
      cadence: { calm: "36m", confirm: "1m", rare: "1d" },
      budget: { monthlyRequests: 5_000 },
      limits: { maxBodyBytes: 2 * 1_024 * 1_024 },
    });
    expect(origins).toMatchObject({ baseUrl: "file", key: "default", "cadence.calm": "default" });
  });

  test("flags win over the environment, the environment over the file, the file over defaults", () => {
    const file = { baseUrl, timeouts: { deadlineMs: 1_000 }, budget: { monthlyRequests: 6_000 }, store: "a" };
    const { config, origins } = sound(
      file,
      { V1WATCH_BUDGET: "7000", V1WATCH_STORE: "b", V1WATCH_BASE_URL: "" },
      { store: "c" },
    );
    expect(config).toMatchObject({
      baseUrl,
      timeouts: { deadlineMs: 1_000 },
      budget: { monthlyRequests: 7_000 },
      store: "c",
    });
    expect(origins).toMatchObject({
      baseUrl: "file",
      "timeouts.deadlineMs": "file",
      "budget.monthlyRequests": "environment",
      store: "flag",
      "limits.maxBodyBytes": "default",
    });
  });

  test("samples from the command line are lists", () => {
    const { config } = sound({}, { V1WATCH_PASSPORTS: "1, 2" }, { wallet: [wallet, wallet] });
    expect(config.samples).toMatchObject({ passports: [1, 2], wallets: [wallet, wallet] });
    expect(sound({ samples: { passports: [1] } }, {}, { passport: "auto" }).config.samples.passports).toBe(
      "auto",
    );
  });

  test("slashes at the end of the base URL are dropped, a path is kept", () => {
    expect(sound({ baseUrl: "https://API.example.com/gateway//" }).config.baseUrl).toBe(
      "https://api.example.com/gateway",
    );
  });
});

describe("a mistake says where, what, and what instead", () => {
  const table: [name: string, file: unknown, line: string][] = [
    [
      "a cadence beyond the budget",
      { baseUrl, cadence: { calm: "5m" } },
      'cadence.calm: "5m" needs 26,784 requests a month, the budget is 5,000. Use "36m" (3,720), or raise budget.monthlyRequests.',
    ],
    [
      "a cadence that leaves no room for the rest",
      { baseUrl, cadence: { calm: "30m" } },
      'cadence.calm: "30m" needs 4,464 requests a month, 5,712 with the rare variants and the reserve for confirmation, the budget is 5,000. Use "36m" (3,720), or raise budget.monthlyRequests.',
    ],
    [
      "a budget that no cadence fits",
      { baseUrl, budget: { monthlyRequests: 10 } },
      'cadence.calm: "36m" needs 3,720 requests a month, the budget is 10. No cadence fits: use fewer variants, or raise budget.monthlyRequests to 4,960.',
    ],
    [
      "a wallet",
      { baseUrl, samples: { wallets: [wallet, "0x12"] } },
      'samples.wallets[1]: "0x12" is not a wallet address (0x and 40 hex digits).',
    ],
    [
      "no wallets",
      { baseUrl, samples: { wallets: [] } },
      'samples.wallets: a list of 0 is not a list of wallet addresses (1 to 100, or "auto").',
    ],
    [
      "a passport id",
      { baseUrl, samples: { passports: [1.5] } },
      "samples.passports[0]: 1.5 is not a whole number (from 1 to 9,007,199,254,740,991).",
    ],
    [
      "a duration",
      { baseUrl, cadence: { rare: "often" } },
      'cadence.rare: "often" is not a duration (a whole number and s, m, h or d, from "1h" to "30d").',
    ],
    [
      "cadences out of order",
      { baseUrl, cadence: { calm: "12h", rare: "6h" } },
      'cadence.calm: "12h" is longer than cadence.rare, "6h". Use "6h" or less.',
    ],
    ["a typo", { baseUrl, cadance: {} }, "cadance: there is no such setting. Did you mean cadence?"],
    [
      "a typo in a section",
      { baseUrl, cadence: { clam: "1h" } },
      "cadence.clam: there is no such setting. Did you mean cadence.calm?",
    ],
    [
      "a setting outside of its section",
      { baseUrl, monthlyRequests: 1 },
      "monthlyRequests: there is no such setting. Did you mean budget.monthlyRequests?",
    ],
    [
      "a setting like no other",
      { baseUrl, limits: { colour: 1 } },
      "limits.colour: there is no such setting. Known here: maxBodyBytes, maxWireBytes.",
    ],
    [
      "a section that is none",
      { baseUrl, timeouts: 3 },
      "timeouts: 3 is not a section (settings in braces).",
    ],
    [
      "no base URL",
      {},
      'baseUrl: is missing. Give a web address (such as "https://api.example.com"). Set it in v1watch.config.json, V1WATCH_BASE_URL or --base-url.',
    ],
    [
      "a base URL without a scheme",
      { baseUrl: "api.example.com" },
      'baseUrl: is not a web address. Write it in full, such as "https://api.example.com".',
    ],
    [
      "another scheme",
      { baseUrl: "ftp://example.com" },
      'baseUrl: has the scheme "ftp:", which V1 does not speak. Use https.',
    ],
    [
      "credentials in the base URL",
      { baseUrl: "https://me:pw@example.com" },
      "baseUrl: holds a user name or a password. Remove it; V1 knows only its key, which has its own place.",
    ],
    [
      "a query in the base URL",
      { baseUrl: `${baseUrl}?a=1` },
      "baseUrl: holds a query or a fragment. Stop before the ? or #; v1watch adds its own.",
    ],
    [
      "V1's own path in the base URL",
      { baseUrl: `${baseUrl}/api/v1/` },
      "baseUrl: ends with a part of V1's own paths. Stop before /api/v1; v1watch adds it.",
    ],
    [
      "an unknown key source",
      { baseUrl, key: { vault: "x" } },
      'key: an object is not a key source ({ "env": … }, { "file": … }, { "ssm": … }, { "secret": … } or "none").',
    ],
    [
      "a date",
      { baseUrl, retirement: { date: "2026-02-30" } },
      'retirement.date: "2026-02-30" is not a date (such as "2026-12-31").',
    ],
    [
      "a list in place of a file",
      [],
      'v1watch.config.json: is not a configuration. Write settings in braces: { "baseUrl": … }.',
    ],
  ];
  test.each(table)("%s", (_name, file, line) => {
    expect(lines(file)).toEqual([line]);
  });

  test("all of them at once, also those between settings", () => {
    const loaded = load({ baseUrl, cadence: { calm: "5m" }, samples: { wallets: [wallet, "0x12"] } });
    expect(loaded.ok ? "" : mistakesText(loaded.mistakes)).toBe(
      [
        "v1watch: the configuration has 2 mistakes",
        '  cadence.calm: "5m" needs 26,784 requests a month, the budget is 5,000. Use "36m" (3,720), or raise budget.monthlyRequests.',
        '  samples.wallets[1]: "0x12" is not a wallet address (0x and 40 hex digits).',
        "",
      ].join("\n"),
    );
  });

  test("a mistake from the environment or a flag is named by where it is repaired", () => {
    expect(lines({ baseUrl }, { V1WATCH_BUDGET: "many" }, { cadence: "1x" })).toEqual([
      '--cadence: "1x" is not a duration (a whole number and s, m, h or d, from "1m" to "1d").',
      'V1WATCH_BUDGET: "many" is not a whole number (from 1 to 100,000,000).',
    ]);
    expect(lines({ baseUrl }, {}, { cadence: "5m" })[0]).toMatch(/^--cadence: "5m" needs 26,784/);
  });

  test.each([
    ['{\n  "baseUrl": "x",\n}', "a comma before } is one too many", 3, 1],
    ['{ "a": 1\n  "b": 2 }', "a comma is missing", 2, 3],
    ["{ // why\n}", "JSON has no comments", 1, 3],
    ["{ 'a': 1 }", "JSON has double quotes only", 1, 3],
    ['{ "a": yes }', "this is not JSON", 1, 8],
    ['{ "a": 01 }', "this is not JSON", 1, 8],
    ['{ "a": "b }', "a text is not closed, or holds a line break or a wrong escape", 1, 8],
    ['{ "a": [1, 2', "the text ends before its [ is closed", 1, 13],
    ["{} {}", "there is more after the end", 1, 4],
    ["{ a: 1 }", "this is not JSON", 1, 3],
    ['{ "a" 1 }', "a colon is missing", 1, 7],
    ['{ "a": }', "} is out of place", 1, 8],
    ["[1}", "} is out of place", 1, 3],
    ["", "the text ends too early", 1, 1],
  ])("unreadable JSON has a line and a column: %j", (text, problem, line, column) => {
    expect(lines(text)).toEqual([
      `v1watch.config.json: cannot be read as JSON: ${problem}. Look at line ${line}, column ${column}.`,
    ]);
  });

  test("a text is called unreadable exactly when it is not JSON", () => {
    const scraps = fc.array(
      fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', "1", "-", "true", " ", "\n", "\\", "0.5e1"),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          scraps.map((parts) => parts.join("")),
          fc.string(),
        ),
        (text) => {
          let readable = true;
          try {
            JSON.parse(text);
          } catch {
            readable = false;
          }
          expect(lines(text).some((line) => line.includes("cannot be read as JSON"))).toBe(!readable);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("no file of any shape makes it throw, and a refusal always has a reason", () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const file = fc.record(
      {
        baseUrl: value,
        key: value,
        samples: value,
        cadence: value,
        budget: value,
        variants: value,
        ["__proto__"]: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, (given) => {
        const loaded = load(given);
        if (!loaded.ok) {
          expect(loaded.mistakes.length).toBeGreaterThan(0);
          for (const { path, problem, remedy } of loaded.mistakes) {
            expect(path && problem && remedy).toBeTruthy();
            expect(`${path}${problem}${remedy}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
            // The words of the schema library are not ours.
            expect(`${problem} ${remedy}`).not.toMatch(/Too (big|small)|Invalid|\(\)/);
          }
        }
        expect(({} as Record<string, unknown>).baseUrl).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });
});

describe("the key stays out", () => {
  test.each([
    ["as the source", { baseUrl, key }],
    ["under a name of its own", { baseUrl, apiKey: key }],
    ["under any name", { baseUrl, extra: key }],
    ["as the name of a variable", { baseUrl, key: { env: key } }],
    ["as the name of a file", { baseUrl, key: { file: key } }],
    ["as the name of a parameter", { baseUrl, key: { ssm: key } }],
    ["as the name of a secret", { baseUrl, key: { secret: key } }],
    ["as a keyword", { baseUrl, samples: { keyword: key } }],
    ["as a wallet", { baseUrl, samples: { wallets: [key] } }],
    ["in the base URL", { baseUrl: `https://${key}@example.com/?key=${key}` }],
    ["in a broken file", `{ "key": "${key}" "x" }`],
  ])("a key in the file is a mistake and is not repeated: %s", (_where, file) => {
    const found = lines(file);
    expect(found.length).toBeGreaterThan(0);
    expect(found.join("\n")).not.toContain(key);
  });

  test("a short secret in the place of the source is not repeated either", () => {
    expect(lines({ baseUrl, key: "hunter2" })).toEqual([
      'key: a key does not belong in the configuration. Keep it in the environment as V1WATCH_API_KEY and name its source: "key": { "env": "V1WATCH_API_KEY" }.',
    ]);
  });

  test("names that only resemble a key are names", () => {
    for (const source of [
      { secret: "v1watch-prod-key-2024" },
      { ssm: "/v1watch/prod/key" },
      { file: "/run/secrets/v1" },
      "none",
    ]) {
      expect(sound({ key: source }).config.key).toEqual(source);
    }
  });

  test("a mask shows four characters of a long key and nothing of a short one", () => {
    expect(maskKey("abcdefgh3f2a")).toBe("…3f2a");
    expect(maskKey("abcdefg3f2a")).toBe("…");
    expect(maskKey("")).toBe("…");
    expect(maskKey("abcdefghijkl\n3f")).toBe("…");
  });
});

describe("what it costs", () => {
  test("the default fits the default budget in a month of 31 days, with a reserve for confirmation", () => {
    const month = requestsPerMonth(sound().config);
    expect(month.rows[0]).toMatchObject({ variant: "authenticated", requests: 3_720 });
    const rare = month.rows.slice(1).reduce((sum, { requests }) => sum + requests, 0);
    expect(rare).toBeLessThanOrEqual(250);
    expect(month.confirmations).toBe(1_000);
    expect(month.total).toBeLessThanOrEqual(5_000);
    expect(checkBudget(sound().config)).toBeUndefined();
  });

  test("a large budget keeps no more in reserve than a small one", () => {
    const { config } = sound({ budget: { monthlyRequests: 30_000 }, cadence: { calm: "5m" } });
    expect(requestsPerMonth(config).confirmations).toBe(1_000);
  });

  test("without a key there is no anonymous case to pay for", () => {
    const { rows } = requestsPerMonth(sound({ key: "none" }).config);
    expect(rows.map((row) => row.variant)).not.toContain("anonymous");
  });

  test("the cadence that is offered is accepted", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_440 }),
        fc.integer({ min: 1, max: 60_000 }),
        (minutes, monthlyRequests) => {
          const file = { baseUrl, budget: { monthlyRequests }, cadence: { calm: `${minutes}m` } };
          const attempt = (given: object) =>
            loadConfig({ fileText: JSON.stringify(given), env: {}, flags: {} });
          const loaded = attempt(file);
          if (loaded.ok) return;
          const remedy = loaded.mistakes[0]?.remedy ?? "";
          const calm = /^Use "(\w+)"/.exec(remedy)?.[1];
          const enough = /monthlyRequests to ([\d,]+)/.exec(remedy)?.[1]?.replaceAll(",", "");
          const repaired = calm
            ? { ...file, cadence: { calm } }
            : { ...file, budget: { monthlyRequests: Number(enough) } };
          expect(attempt(repaired)).toMatchObject({ ok: true });
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("the file", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "v1watch-config-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("the schema beside the code is current", async () => {
    const committed = await readFile(
      new URL("../../schemas/configuration.schema.json", import.meta.url),
      "utf8",
    );
    expect(JSON.parse(committed)).toEqual(configJsonSchema());
  });

  test("editors get a description of every setting", () => {
    type Node = { properties?: Record<string, Node>; description?: string };
    const bare = (node: Node, path: string): string[] =>
      Object.entries(node.properties ?? {}).flatMap(([name, inner]) => [
        ...(inner.description ? [] : [path + name]),
        ...bare(inner, `${path}${name}.`),
      ]);
    expect(bare(configJsonSchema() as Node, "")).toEqual([]);
  });

  test("the file that is named is read, by flag before environment", async () => {
    const path = join(folder, "a.json");
    await writeFile(
      path,
      `\uFEFF${JSON.stringify({ $schema: "./schemas/configuration.schema.json", baseUrl })}`,
    );
    const loaded = await readConfig({ V1WATCH_CONFIG: join(folder, "none.json") }, { config: path });
    expect(loaded).toMatchObject({ ok: true, config: { baseUrl } });
  });

  test("a named file that is not there is a mistake, an unnamed one is not", async () => {
    const path = join(folder, "none.json");
    expect(await readConfig({ V1WATCH_CONFIG: path }, {})).toMatchObject({
      ok: false,
      mistakes: [{ path, problem: "there is no such file." }],
    });
    expect(await readConfig({ V1WATCH_CONFIG: folder }, {})).toMatchObject({
      ok: false,
      mistakes: [{ problem: "cannot be read (EISDIR)." }],
    });
    expect(await readConfig({ V1WATCH_BASE_URL: baseUrl }, {})).toMatchObject({ ok: true });
  });
});
