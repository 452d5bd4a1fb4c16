// What every command prints for people fits a terminal of 80 columns.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { bodyOf } from "../probe/validate/bodies.ts";
import { run } from "./terminal.ts";

const folder = makeFolder();
const at = (name: string) => join(folder, name);
const store = ["--store", at("watch.db")];
const team = ["--mapping", at("map.json"), "--inventory", at("uses.json")];
let simulator: Simulator;
let loopback: string[];

beforeAll(async () => {
  simulator = await startSimulator({ passports: 40, scenario: "realistic" });
  simulator.inject([
    { kind: "drop-field", path: "passports[].passport_profile" },
    { kind: "unauthorized", who: "all", endpoint: "passport-credentials" },
  ]);
  loopback = ["--base-url", simulator.url, "--allow-loopback"];
  for (let round = 0; round < 3; round++) await run(["probe", ...loopback, ...store]);
  await run(["up", "--once", ...loopback, ...store]);
  mkdirSync(at("src"));
  writeFileSync(
    at("src/client.js"),
    'export async function loadTheScoreOfOnePassport(id) {\n  try {\n    const r = await fetch("/api/v1/passports/" + id);\n    return (await r.json()).passport.score || 0;\n  } catch { return 0; }\n}\n',
  );
  writeFileSync(
    at("config.json"),
    JSON.stringify({
      baseUrl: "https://api.example.com",
      channels: [{ type: "slack", name: "the-team-that-is-on-call", url: { env: "SLACK" } }],
    }),
  );
  await run(["scan", at("src"), "--inventory", at("uses.json")]);
  await run(["migrate", "init", "--mapping", at("map.json")]);
});
afterAll(() => simulator.close());

const commandLines = (): string[][] => [
  ["status", ...store],
  ["status", "risk", ...store],
  ["status", "drift", ...store],
  ["status", "undocumented", ...store],
  ["incidents", "--all", ...store],
  ["probe", ...loopback],
  ["probe", "--file", "-", "--endpoint", "passport"],
  ["notify", "--config", at("config.json"), ...store],
  ["notify", "--drill", ...store],
  ["scan", at("src")],
  ["scan", at("src"), "--mapping", at("map.json")],
  ["migrate", "coverage", ...team],
  ["migrate", "plan", "--by", "owner", ...team],
  ["parity", ...loopback, "--mapping", at("map.json"), "--sample", "5", "--apart", "0s", ...v2()],
  ["ready", ...team, ...store],
  ["report", ...team, ...store, "--out", at("reports")],
  ["config", "--config", at("config.json")],
  ["store", "export", at("a.jsonl"), ...store],
  ["up", "--once", ...loopback, ...store],
];
const v2 = () => ["--v2-base-url", simulator.url];

const body = structuredClone(bodyOf("passport"));
body.passport.score = "7";
const stdin = JSON.stringify(body);

test("Every command prints lines of at most 80 columns, but for a word or a command that is longer", async () => {
  for (const args of commandLines()) {
    const env = { NO_COLOR: "1", SLACK: "https://hooks.example.com/x", V1WATCH_V2_API_KEY: "any" };
    const { code, out } = await run(args, { columns: 80, env, stdin });
    // V1 is not served whole in this store, which `ready` says with 3; from others that would be an internal error.
    expect.soft(code, `${args.join(" ")}: ${out}`).toBeLessThan(args[0] === "ready" ? 4 : 3);
    expect.soft(out.length, args.join(" ")).toBeGreaterThan(20);
    for (const line of out.split("\n")) {
      const isOneWord = /^\s*(?:\S+ {2,})?\S+$/.test(line);
      const isCommand = /\b(?:curl|for) /.test(line);
      if (!isOneWord && !isCommand) expect.soft(line.length, `${args[0]}: ${line}`).toBeLessThanOrEqual(80);
    }
  }
});
