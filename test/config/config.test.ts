import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  checkBudget,
  configJsonSchema,
  loadConfig,
  maskKey,
  mistakesText,
  printable,
  readConfig,
  readOfflineConfig,
  requestsPerMonth,
} from "../../lib/config/config.ts";
import { fc } from "../random.ts";

const baseUrl = "https://api.example.com";
const wallet = `0x${"ab".repeat(20)}`;
const key = "q8r7s6t5u4v3w2x1y0z9";

const load = (file: unknown, env: Record<string, string> = {}, flags: Record<string, unknown> = {}) =>
  loadConfig({ fileText: typeof file === "string" ? file : JSON.stringify(file), env, flags });

function loadValid(file: object = {}, env: Record<string, string> = {}, flags: Record<string, unknown> = {}) {
  const loaded = load({ baseUrl, ...file }, env, flags);
  if (!loaded.ok) throw new Error(mistakesText(loaded.mistakes));
  return loaded;
}

function mistakeLines(
  file: unknown,
  env: Record<string, string> = {},
  flags: Record<string, unknown> = {},
): string[] {
  const loaded = load(file, env, flags);
  if (loaded.ok) return [];
  return loaded.mistakes.map(({ path, problem, remedy }) => `${path}: ${problem} ${remedy}`);
}

describe("loadConfig", () => {
  test("loadConfig needs only a base URL and fills in all defaults", () => {
    const { config, origins } = loadValid();
    expect(config).toMatchObject({
      key: { env: "V1WATCH_API_KEY" },
      samples: { ids: "auto", otherIds: "auto" },
      variants: { anonymous: true, "bad-key": false },
      cadence: { calm: "36m", confirm: "1m", rare: "1d" },
      budget: { monthlyRequests: 5_000 },
      limits: { maxBodyBytes: 2 * 1_024 * 1_024 },
    });
    expect(origins).toMatchObject({ baseUrl: "file", key: "default", "cadence.calm": "default" });
  });

  test("loadConfig lets flags override the environment, the environment the file, and the file the defaults", () => {
    const file = { baseUrl, timeouts: { deadlineMs: 1_000 }, budget: { monthlyRequests: 6_000 }, store: "a" };
    const { config, origins } = loadValid(
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

  test.each(["V1WATCH_WEBHOOK", "V1WATCH_RETIREMENT_DATE", "V1WATCH_CADENCE", "V1WATCH_TIMEOUT_MS"])(
    "loadConfig refuses the variable %s, which only the first release read, unless the file names it",
    (name) => {
      const env = { [name]: "https://hooks.example.com/x" };
      const loaded = load({ baseUrl }, env);
      expect(loaded.ok ? [] : loaded.mistakes.map(({ path }) => path)).toEqual([name]);
      expect(JSON.stringify(loaded)).not.toContain("hooks.example.com");
      expect(load({ baseUrl }, { [name]: "" }).ok).toBe(true);
      const channel = { type: "webhook", name: "on-call", format: "text", url: { env: name } };
      expect(load({ baseUrl, channels: [channel] }, env).ok).toBe(true);
    },
  );

  test("loadConfig takes one sample from a flag", () => {
    const { config } = loadValid({}, {}, { id: "2", "other-id": wallet });
    expect(config.samples).toMatchObject({ ids: [2], otherIds: [wallet] });
    expect(loadValid({ samples: { ids: [1] } }, {}, { id: "auto" }).config.samples.ids).toBe("auto");
  });

  test("loadConfig removes trailing slashes of the base URL and keeps its path", () => {
    expect(loadValid({ baseUrl: "https://API.example.com/gateway//" }).config.baseUrl).toBe(
      "https://api.example.com/gateway",
    );
  });
});

describe("a configuration mistake", () => {
  const notPrivate =
    "is not within a private network. Allowed are 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7 and parts of them. A public address needs no permission.";
  const table: [name: string, file: unknown, line: string][] = [
    [
      "a cadence that exceeds the budget",
      { baseUrl, cadence: { calm: "5m" } },
      'cadence.calm: "5m" needs 26,784 requests a month, the budget is 5,000. Use "36m" (3,720), or raise budget.monthlyRequests.',
    ],
    [
      "a cadence that exceeds the budget together with rare requests and confirmations",
      { baseUrl, cadence: { calm: "30m" } },
      'cadence.calm: "30m" needs 4,464 requests a month, 5,712 with the rare variants and the reserve for confirmation, the budget is 5,000. Use "36m" (3,720), or raise budget.monthlyRequests.',
    ],
    [
      "a budget that no cadence fits",
      { baseUrl, budget: { monthlyRequests: 10 } },
      'cadence.calm: "36m" needs 3,720 requests a month, the budget is 10. No cadence fits: use fewer variants, or raise budget.monthlyRequests to 4,960.',
    ],
    ...(
      [
        ["one address", "10.1.2.3", 'is one address, not a network. Write "10.1.2.3/32".'],
        [
          "no network",
          "10.0.0.0/33",
          'is not a network. Write an address and the length of its prefix: "10.20.0.0/16".',
        ],
        [
          "loopback",
          "127.0.0.0/8",
          "is this machine, not a private network. Remove it, and use --allow-loopback.",
        ],
        ["link-local addresses", "169.254.0.0/16", notPrivate],
        ["every address", "0.0.0.0/0", notPrivate],
        ["more than a private range", "10.0.0.0/7", notPrivate],
        ["every IPv6 address", "::/0", notPrivate],
      ] as const
    ).map(([what, network, says]): [string, unknown, string] => [
      `a private network that is ${what}`,
      { baseUrl, allowPrivateNetworks: ["10.0.0.0/8", network] },
      `allowPrivateNetworks[1]: ${says}`,
    ]),
    [
      "a text in place of private networks",
      { baseUrl, allowPrivateNetworks: "10.0.0.0/8" },
      'allowPrivateNetworks: a text of 10 characters is not a list of private networks (up to 20, such as "10.20.0.0/16").',
    ],
    [
      "an invalid wallet address",
      { baseUrl, samples: { otherIds: [wallet, "0x12"] } },
      "samples.otherIds[1]: a text of 4 characters is not a wallet address (0x and 40 hex digits).",
    ],
    [
      "an empty list of wallet addresses",
      { baseUrl, samples: { otherIds: [] } },
      'samples.otherIds: a list of 0 is not a list of wallet addresses (1 to 100, or "auto").',
    ],
    [
      "a passport id that is not an integer",
      { baseUrl, samples: { ids: [1.5] } },
      "samples.ids[0]: 1.5 is not a whole number (from 1 to 9,007,199,254,740,991).",
    ],
    [
      "an invalid duration",
      { baseUrl, cadence: { rare: "often" } },
      'cadence.rare: a text of 5 characters is not a duration (a whole number and s, m, h or d, from "1h" to "30d").',
    ],
    [
      "cadences out of order",
      { baseUrl, cadence: { calm: "12h", rare: "6h" } },
      'cadence.calm: "12h" is longer than cadence.rare, "6h". Use "6h" or less.',
    ],
    [
      "a misspelled section",
      { baseUrl, cadance: {} },
      "cadance: there is no such setting. Did you mean cadence?",
    ],
    [
      "a misspelled setting in a section",
      { baseUrl, cadence: { clam: "1h" } },
      "cadence.clam: there is no such setting. Did you mean cadence.calm?",
    ],
    [
      "a setting outside of its section",
      { baseUrl, monthlyRequests: 1 },
      "monthlyRequests: there is no such setting. Did you mean budget.monthlyRequests?",
    ],
    [
      "an unknown setting without a similar one",
      { baseUrl, limits: { colour: 1 } },
      "limits.colour: there is no such setting. Known here: maxBodyBytes.",
    ],
    [
      "a number in place of a section",
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
      "a base URL with a scheme other than http and https",
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
      "a base URL that contains V1's own path",
      { baseUrl: `${baseUrl}/api/v1/` },
      "baseUrl: ends with a part of V1's own paths. Stop before /api/v1; v1watch adds it.",
    ],
    [
      "an unknown key source",
      { baseUrl, key: { vault: "x" } },
      'key: an object is not a key source ({ "env": … }, { "file": … }, { "ssm": … }, { "secret": … } or "none").',
    ],
    [
      "a date that does not exist",
      { baseUrl, retirement: { date: "2026-02-30" } },
      'retirement.date: a text of 10 characters is not a date (such as "2026-12-31").',
    ],
    [
      "a list in place of the configuration object",
      [],
      'v1watch.config.json: is not a configuration. Write settings in braces: { "baseUrl": … }.',
    ],
  ];
  test.each(table)(
    "A configuration mistake names the path, the problem and the remedy: %s",
    (_name, file, line) => {
      expect(mistakeLines(file)).toEqual([line]);
    },
  );

  test("A configuration mistake is reported together with all others, including those between settings", () => {
    const loaded = load({ baseUrl, cadence: { calm: "5m" }, samples: { otherIds: [wallet, "0x12"] } });
    expect(loaded.ok ? "" : mistakesText(loaded.mistakes)).toBe(
      [
        "the configuration has 2 mistakes",
        '  cadence.calm: "5m" needs 26,784 requests a month, the budget is 5,000. Use "36m" (3,720), or raise budget.monthlyRequests.',
        "  samples.otherIds[1]: a text of 4 characters is not a wallet address (0x and 40 hex digits).",
      ].join("\n"),
    );
  });

  test("A configuration mistake of an environment variable or a flag is reported under the name of that variable or flag", () => {
    expect(mistakeLines({ baseUrl }, { V1WATCH_BUDGET: "many" }, { cadence: "1x" })).toEqual([
      '--cadence: a text of 2 characters is not a duration (a whole number and s, m, h or d, from "10s" to "1d").',
      "V1WATCH_BUDGET: a text of 4 characters is not a whole number (from 1 to 100,000,000).",
    ]);
    expect(mistakeLines({ baseUrl }, {}, { cadence: "5m" })[0]).toMatch(/^--cadence: "5m" needs 26,784/);
  });

  test.each([
    ['{ "a": "b }', "MISSING_CHAR", 1, 12],
    ['{\n  "a" 1 }', "MISSING_CHAR", 2, 7],
    ["{} {}", "UNEXPECTED_TOKEN", 1, 4],
    ["[1}", "MISSING_CHAR", 1, 3],
  ])(
    "A configuration mistake in the syntax is reported with its line and column: %j",
    (text, code, line, column) => {
      expect(mistakeLines(text)).toEqual([
        `v1watch.config.json: cannot be read as JSON (${code}). Look at line ${line}, column ${column}.`,
      ]);
    },
  );

  test("A configuration mistake is reported for any invalid file without throwing, always with a path, a problem and a remedy", () => {
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
            // No message contains the wording of the schema library; a quoted value may contain anything.
            const own = `${problem} ${remedy}`.replace(/"(?:[^"\\]|\\.)*"/g, "");
            expect(own).not.toMatch(/Too (big|small)|Invalid|\(\)/);
          }
        }
        expect(({} as Record<string, unknown>).baseUrl).toBeUndefined();
      }),
      { numRuns: 150 },
    );
  });
});

describe("an API key", () => {
  test.each([
    ["in place of the key source", { baseUrl, key }],
    ["as the setting apiKey", { baseUrl, apiKey: key }],
    ["as an unknown setting", { baseUrl, extra: key }],
    ["as the name of an environment variable", { baseUrl, key: { env: key } }],
    ["as the name of a file", { baseUrl, key: { file: key } }],
    ["as the name of a parameter", { baseUrl, key: { ssm: key } }],
    ["as the name of a secret", { baseUrl, key: { secret: key } }],
    ["as a keyword", { baseUrl, samples: { keyword: key } }],
    ["as a wallet", { baseUrl, samples: { otherIds: [key] } }],
    ["in the base URL", { baseUrl: `https://${key}@example.com/?key=${key}` }],
    ["in a broken file", `{ "key": "${key}" "x" }`],
  ])("An API key in the file is a mistake, and no message repeats the key: %s", (_where, file) => {
    const found = mistakeLines(file);
    expect(found.length).toBeGreaterThan(0);
    expect(found.join("\n")).not.toContain(key);
  });

  test("An API key that is short is not repeated either when it stands in place of the key source", () => {
    expect(mistakeLines({ baseUrl, key: "hunter2" })).toEqual([
      'key: a key does not belong in the configuration. Keep it in the environment as V1WATCH_API_KEY and name its source: "key": { "env": "V1WATCH_API_KEY" }.',
    ]);
  });

  test("An API key is not confused with names of key sources that only resemble a key", () => {
    for (const source of [
      { secret: "v1watch-prod-key-2024" },
      { ssm: "/v1watch/prod/key" },
      { file: "/run/secrets/v1" },
      "none",
    ]) {
      expect(loadValid({ key: source }).config.key).toEqual(source);
    }
  });

  test("An API key is masked to its last four characters, and a short key is masked completely", () => {
    expect(maskKey("abcdefgh3f2a")).toBe("…3f2a");
    expect(maskKey("abcdefg3f2a")).toBe("…");
    expect(maskKey("")).toBe("…");
    expect(maskKey("abcdefghijkl\n3f")).toBe("…");
  });
});

describe("requestsPerMonth", () => {
  test.each([
    [
      "a webhook's address in place of its source",
      { type: "slack", name: "chat", url: "https://hooks.example.com/T0/hunter2" },
    ],
    [
      "a webhook's address as the name of a variable",
      { type: "slack", name: "chat", url: { env: "https://h.example/hunter2" } },
    ],
    [
      "a password in place of its source",
      {
        type: "email",
        name: "mail",
        host: "smtp.example.com",
        user: "me",
        password: "hunter2",
        from: "a@example.com",
        to: ["b@example.com"],
      },
    ],
    [
      "a password as the name of a variable",
      {
        type: "email",
        name: "mail",
        host: "smtp.example.com",
        user: "me",
        password: { env: "hunter2 !" },
        from: "a@example.com",
        to: ["b@example.com"],
      },
    ],
    [
      "a password as the name of a file",
      {
        type: "email",
        name: "mail",
        host: "smtp.example.com",
        user: "me",
        password: { file: "hunter2\n" },
        from: "a@example.com",
        to: ["b@example.com"],
      },
    ],
    ["an integration key in place of its source", { type: "pagerduty", name: "duty", routingKey: "hunter2" }],
  ])("A mistake does not echo %s", (_, channel) => {
    const lines = mistakeLines({ baseUrl, channels: [channel] });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain("hunter2");
  });

  test.each(["hunter2", { env: "hunter2 !" }, { file: "hunter2\n" }])("A key %j is not echoed", (source) => {
    const lines = mistakeLines({ baseUrl, key: source });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain("hunter2");
  });

  test("A pipe or a device as the configuration is refused, and not waited for", async () => {
    const folder = await mkdtemp(join(tmpdir(), "v1watch-config-"));
    const pipe = join(folder, "v1watch.config.json");
    execFileSync("mkfifo", [pipe]);
    for (const config of [pipe, "/dev/zero", folder]) {
      const loaded = await readConfig({}, { config });
      expect(!loaded.ok && loaded.mistakes[0]?.problem).toBe("cannot be read (not a file).");
    }
    await rm(folder, { recursive: true });
  });

  test("A file name that a CI system would read as a command is escaped", () => {
    expect(printable("::error file=x::y.ts")).toBe("\\u003a:error file=x::y.ts");
    expect(printable("  ::stop")).toBe("  \\u003a:stop");
    expect(printable("a::b")).toBe("a::b");
  });

  test("A cadence of 10 s is accepted where the budget has room, and a change is then confirmed after 10 s", () => {
    const budget = { monthlyRequests: 900_000 };
    const loaded = load({ baseUrl, budget, cadence: { calm: "10s" } });
    expect(loaded.ok && loaded.config.cadence).toEqual({ calm: "10s", confirm: "10s", rare: "1d" });
    const given = load({ baseUrl, budget, cadence: { calm: "10s", confirm: "1m" } });
    expect(!given.ok && mistakesText(given.mistakes)).toContain('"1m" is longer than cadence.calm, "10s"');
    expect(load({ baseUrl, cadence: { calm: "10s" } }).ok).toBe(false);
  });

  test("requestsPerMonth fits the default budget in a month of 31 days, with a reserve for confirmation", () => {
    const month = requestsPerMonth(loadValid().config);
    expect(month.rows[0]).toMatchObject({ variant: "authenticated", requests: 3_720 });
    const rare = month.rows.slice(1).reduce((sum, { requests }) => sum + requests, 0);
    expect(rare).toBeLessThanOrEqual(250);
    expect(month.confirmations).toBe(1_000);
    expect(month.total).toBeLessThanOrEqual(5_000);
    expect(checkBudget(loadValid().config)).toBeUndefined();
  });

  test("requestsPerMonth keeps no more in reserve for a large budget than for a small one", () => {
    const { config } = loadValid({ budget: { monthlyRequests: 30_000 }, cadence: { calm: "5m" } });
    expect(requestsPerMonth(config).confirmations).toBe(1_000);
  });

  test("requestsPerMonth does not count the anonymous variant when no key is configured", () => {
    const { rows } = requestsPerMonth(loadValid({ key: "none" }).config);
    expect(rows.map((row) => row.variant)).not.toContain("anonymous");
  });

  test("requestsPerMonth suggests only a cadence or a budget that is accepted", () => {
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

describe("the configuration file", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "v1watch-config-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("The configuration file has a description for every setting in its JSON Schema", () => {
    type Node = { properties?: Record<string, Node>; description?: string };
    const bare = (node: Node, path: string): string[] =>
      Object.entries(node.properties ?? {}).flatMap(([name, inner]) => [
        ...(inner.description ? [] : [path + name]),
        ...bare(inner, `${path}${name}.`),
      ]);
    expect(bare(configJsonSchema() as Node, "")).toEqual([]);
  });

  test("The configuration file is read from the path of the flag in preference to the environment variable", async () => {
    const path = join(folder, "a.json");
    await writeFile(
      path,
      `\uFEFF${JSON.stringify({ $schema: "./schemas/configuration.schema.json", baseUrl })}`,
    );
    const loaded = await readConfig({ V1WATCH_CONFIG: join(folder, "none.json") }, { config: path });
    expect(loaded).toMatchObject({ ok: true, config: { baseUrl } });
  });

  test("The configuration file is a mistake when it is named and missing, and optional when it is not named", async () => {
    const path = join(folder, "none.json");
    expect(await readConfig({ V1WATCH_CONFIG: path }, {})).toMatchObject({
      ok: false,
      mistakes: [{ path, problem: "there is no such file." }],
    });
    expect(await readConfig({ V1WATCH_CONFIG: folder }, {})).toMatchObject({
      ok: false,
      mistakes: [{ problem: "cannot be read (not a file)." }],
    });
    expect(await readConfig({ V1WATCH_BASE_URL: baseUrl }, {})).toMatchObject({ ok: true });
  });

  test("The configuration file is refused by its size before it is read, when nobody can have written it by hand", async () => {
    const path = join(folder, "large.json");
    await writeFile(path, JSON.stringify({ baseUrl, padding: "x".repeat(20 * 2 ** 20) }));
    expect(await readConfig({ V1WATCH_CONFIG: path }, {})).toMatchObject({
      ok: false,
      mistakes: [{ path, problem: "cannot be read (larger than 1 MiB)." }],
    });
  });

  test("A secret that stands in whatever setting is not echoed by the mistake that it is", () => {
    const secret = "correct horse battery";
    /** Every setting in turn, also those in sections and lists. */
    const replaced = (value: unknown): unknown[] => {
      if (Array.isArray(value)) return value.flatMap((one) => replaced(one).map((given) => [given]));
      if (typeof value !== "object" || value === null) return [secret];
      return Object.entries(value).flatMap(([name, inner]) => [
        { ...value, [name]: secret },
        ...replaced(inner).map((given) => ({ ...value, [name]: given })),
      ]);
    };
    const channel = { type: "email", name: "mail", host: "h", port: 25, from: "a@b.c", to: ["d@e.f"] };
    const shipped = { ...loadValid().config, channels: [channel] };
    const texts = replaced(shipped).map((settings) => {
      const loaded = loadConfig({ fileText: JSON.stringify(settings), env: {}, flags: {} });
      return loaded.ok ? "" : mistakesText(loaded.mistakes);
    });
    expect(texts.filter((text) => text !== "").length).toBeGreaterThan(40);
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    const asName = loadConfig({ fileText: `{"sk_live_0123456789abcdef0123": 1}`, env: {}, flags: {} });
    expect(JSON.stringify(asName)).not.toContain("0123456789");
  });
});

test("A command that sends no request to V1 needs no address, invents none, and refuses one that is wrong", async () => {
  expect(await readOfflineConfig({}, {})).toMatchObject({ ok: true, config: { store: ".v1watch/watch.db" } });
  const loaded = await readOfflineConfig({}, {});
  expect(loaded.ok && loaded.config.baseUrl).toBeUndefined();
  expect(await readConfig({}, {})).toMatchObject({ ok: false, mistakes: [{ path: "baseUrl" }] });
  expect(await readOfflineConfig({ V1WATCH_BASE_URL: "https://a.example/" }, {})).toMatchObject({
    ok: true,
    config: { baseUrl: "https://a.example" },
  });
  expect(await readOfflineConfig({ V1WATCH_BASE_URL: "nowhere" }, {})).toMatchObject({ ok: false });
});
