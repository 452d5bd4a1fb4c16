import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run as runTerminal } from "./terminal.ts";

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
  return runTerminal(["config", "--config", path, ...args], { env });
}

describe("v1watch config", () => {
  test("v1watch config prints every value with its origin, and only the last characters of the key", async () => {
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
    expect(out).toMatch(/baseUrl +file +https:\/\/api\.example\.com\n/);
    expect(out).toMatch(/key +default +…3f2a from V1WATCH_API_KEY\n/);
    expect(out).toMatch(/cadence\.calm +flag +1h\n/);
    expect(out).toMatch(/budget\.monthlyRequests +environment +6,000\n/);
    expect(out).toMatch(/retirement\.date +file +2026-12-31\n/);
    expect(out).not.toContain(key);
  });

  test("v1watch config prints the requests per month by variant", async () => {
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

  test("v1watch config prints the source of a missing key, and warns that http sends the key unencrypted", async () => {
    const { out } = await run({ baseUrl: "http://api.example.com" });
    expect(out).toMatch(/key +default +V1WATCH_API_KEY, which is not set/);
    expect(out).toContain("http sends the key unencrypted. Use https.");
    expect((await run({ baseUrl, key: { secret: "v1watch/key" } })).out).toMatch(
      /key +file +in the secret v1watch\/key/,
    );
    expect((await run({ baseUrl, key: "none" })).out).toMatch(/key +file +none/);
  });

  test("v1watch config prints what each channel and each maintenance window says, at 80 columns too", async () => {
    const file = {
      baseUrl,
      channels: [
        { type: "slack", name: "team", url: { env: "SLACK_WEBHOOK_URL" }, severities: ["page"] },
        { type: "webhook", name: "archive", url: { env: "ARCHIVE_URL" } },
      ],
      maintenance: [{ days: ["sat"], from: "02:00", to: "04:00" }],
    };
    const { out, err } = await run(file);
    expect(err).toBe("");
    expect(out).toMatch(
      /channels +file +type slack, name team, .*url env SLACK_WEBHOOK_URL.*; type webhook, name archive/,
    );
    expect(out).toMatch(/severities page/);
    expect(out).toMatch(/maintenance +file +days sat, from 02:00, to 04:00/);
    const narrow = await run(file, [], { COLUMNS: "80" });
    for (const line of narrow.out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  test("v1watch config abbreviates wallet addresses", async () => {
    const wallet = `0x${"0123456789".repeat(4)}`;
    const { out } = await run({ baseUrl, samples: { otherIds: [wallet] } });
    expect(out).toMatch(/samples\.otherIds +file +0x0123…6789/);
  });

  test("v1watch config --json prints JSON without the key", async () => {
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

  test("v1watch config prints all configuration errors to standard error with exit code 2", async () => {
    const { code, out, err } = await run({ baseUrl, cadence: { calm: "5m" }, sample: {} }, [], {
      V1WATCH_BUDGET: "4000",
    });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(
      [
        "v1watch: the configuration has 2 mistakes",
        '  cadence.calm: "5m" needs 26,784 requests a month, the budget is 4,000. Use "46m" (2,913), or raise budget.monthlyRequests.',
        "  sample: there is no such setting. Did you mean samples?",
        "",
      ].join("\n"),
    );
  });
});
