import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../lib/commands/index.ts";
import { configJsonSchema } from "../../lib/config/config.ts";

const key = "sentinel0123456789key3f2a";
const baseUrl = "https://api.example.com";
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "v1watch-config-command-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(file: unknown, args: string[] = [], env: Record<string, string> = {}) {
  const path = join(folder, "v1watch.config.json");
  await writeFile(path, typeof file === "string" ? file : JSON.stringify(file));
  let out = "";
  let err = "";
  const code = await runCommand(["config", "--config", path, ...args], {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stdin: async () => new Uint8Array(),
    env,
    isTerminal: false,
    signal: new AbortController().signal,
  });
  return { code, out, err };
}

describe("v1watch config", () => {
  test("prints every value with its origin, and only the last characters of the key", async () => {
    const { code, out, err } = await run(
      { baseUrl, retirement: { date: "2026-12-31" } },
      ["--cadence", "1h"],
      {
        V1WATCH_API_KEY: key,
        V1WATCH_BUDGET: "6000",
      },
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^V1 at https:\/\/api\.example\.com\n/);
    expect(out).toMatch(/baseUrl +https:\/\/api\.example\.com +file\n/);
    expect(out).toMatch(/key +…3f2a from V1WATCH_API_KEY +default\n/);
    expect(out).toMatch(/cadence\.calm +1h +flag\n/);
    expect(out).toMatch(/budget\.monthlyRequests +6,000 +environment\n/);
    expect(out).toMatch(/retirement\.date +2026-12-31 +file\n/);
    expect(out).not.toContain(key);
  });

  test("prints the requests per month by variant", async () => {
    const { out } = await run({ baseUrl });
    expect(out).toContain("Requests per month of 31 days, budget 5,000\n");
    expect(out).toMatch(/authenticated +every 36m +3 endpoints +3,720\n/);
    expect(out).toMatch(/unknown-id +every 1d +passport +31\n/);
    expect(out).toMatch(/confirmations +every 1m +reserved for confirming failures +1,000\n/);
    expect(out).toMatch(/total +4,968\n/);
    expect(out).toContain(
      "Within the budget, with 32 requests unused. A suspected failure is confirmed within a minute.\n",
    );
  });

  test("prints the source of a missing key, and warns that http sends the key unencrypted", async () => {
    const { out } = await run({ baseUrl: "http://api.example.com" });
    expect(out).toMatch(/key +V1WATCH_API_KEY, which is not set/);
    expect(out).toContain("http sends the key unencrypted. Use https.");
    expect((await run({ baseUrl, key: { secret: "v1watch/key" } })).out).toMatch(
      /key +in the secret v1watch\/key +file/,
    );
    expect((await run({ baseUrl, key: "none" })).out).toMatch(/key +none +file/);
  });

  test("abbreviates wallet addresses", async () => {
    const wallet = `0x${"0123456789".repeat(4)}`;
    const { out } = await run({ baseUrl, samples: { wallets: [wallet] } });
    expect(out).toMatch(/samples\.wallets +0x0123…6789 +file/);
  });

  test("--json prints JSON without the key", async () => {
    const { code, out } = await run({ baseUrl }, ["--json"], { V1WATCH_API_KEY: key });
    expect(code).toBe(0);
    expect(out).not.toContain(key);
    expect(JSON.parse(out)).toMatchObject({
      config: { baseUrl, cadence: { calm: "36m" } },
      key: "…3f2a from V1WATCH_API_KEY",
      origins: { baseUrl: "file" },
      requestsPerMonth: { total: 4_968, budget: 5_000 },
    });
  });

  test("--schema prints the JSON Schema even if the configuration file is invalid", async () => {
    const { code, out } = await run("{", ["--schema"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(configJsonSchema());
  });

  test("prints all configuration errors to standard error with exit code 2", async () => {
    const { code, out, err } = await run({ baseUrl, cadence: { calm: "5m" }, sample: {} }, [], {
      V1WATCH_BUDGET: "4000",
    });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(
      [
        "v1watch: the configuration has 2 mistakes",
        '  cadence.calm: "5m" needs 26,784 requests a month, the budget is 4,000. Use "1h" (2,232), or raise budget.monthlyRequests.',
        "  sample: there is no such setting. Did you mean samples?",
        "",
      ].join("\n"),
    );
  });
});
