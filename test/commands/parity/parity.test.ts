import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parityState } from "../../../lib/records/parity.ts";
import { type Simulator, startSimulator } from "../../../lib/simulator/server.ts";
import { startV2Simulator, type V2Simulator } from "../../../lib/simulator/v2/server.ts";
import { decidedMapping, now } from "../../mapping/v2-mapping.ts";
import { run } from "../terminal.ts";

const key = "sentinel0123456789key3f2a";
const clock = { now: () => now };
const perPair = 4;
let folder = "";
let v1: Simulator;
let v2: V2Simulator;
let broken: V2Simulator;
let ids: string[];
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "v1watch-parity-"));
  v1 = await startSimulator({ passports: 60, clock });
  v2 = await startV2Simulator({ passports: 60, clock, key });
  const mismatches = [{ endpoint: "profile", path: "profile.bio", rate: 0.5, kind: "value" } as const];
  broken = await startV2Simulator({ passports: 60, clock, key, mismatches });
  ids = Array.from({ length: 60 }, (_, index) => String(v1.population.idOf(index)));
  await writeFile(at("map.json"), JSON.stringify(decidedMapping(v2.url)));
  await writeFile(at("ids.txt"), ids.join("\n"));
});
afterAll(async () => {
  await Promise.all([v1.close(), v2.close(), broken.close(), rm(folder, { recursive: true })]);
});

const start = (...args: string[]) =>
  run(
    [
      "parity",
      "--mapping",
      at("map.json"),
      "--base-url",
      v1.url,
      "--allow-loopback",
      "--apart",
      "0s",
      ...args,
    ],
    { env: { V1WATCH_V2_API_KEY: key } },
  );

describe("v1watch parity", () => {
  test("of two that agree is parity and exit 0", async () => {
    const { code, out, err } = await start("--sample", "40");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(
      "PARITY: 28 fields agree in 40 pairs, excluding V1's own variance; type-only check: passport.score; presence-only check: passport.passport_id.",
    );
    expect(out).toContain("40 pairs · 162 requests to V1 (2 to find ids), 200 to V2");
    expect(out).not.toContain(key);
  });

  test("of two that differ names the fields and is exit 1", async () => {
    const { code, out } = await start("--sample", "40", "--v2-base-url", broken.url);
    expect(code).toBe(1);
    expect(out).toContain("DIFFERENCES: 1 of 28 fields differ beyond V1's own noise.");
    expect(out).toMatch(
      /passport\.passport_profile\.bio {2}another value +\d\d\.\d % {2}noise +0 % {2}\d+ of 40/,
    );
    const json = await start("--sample", "40", "--v2-base-url", broken.url, "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      schema: "v1watch/parity-report/1",
      verdict: "differences",
      pairs: 40,
      differences: [{ path: "passport.passport_profile.bio", kind: "value", compared: 40, noise: 0 }],
    });
  });

  test("of two that differ too seldom to be sure says that more pairs are needed, and is exit 2", async () => {
    const flags = ["--sample", "40", "--v2-base-url", broken.url, "--min-differences", "41"];
    const { code, out } = await start(...flags);
    expect(code).toBe(2);
    expect(out).toContain(
      "INSUFFICIENT EVIDENCE: 1 field differs so seldom that it could be noise; more pairs are needed.",
    );
    expect(out).toMatch(
      /could be chance; more pairs tell:\n {2}passport\.passport_profile\.bio {2}another value/,
    );
    expect((await start("--min-differences", "0")).err).toContain("--min-differences takes a whole number");
  });

  test("of too few is insufficient evidence, said so, and exit 2", async () => {
    const { code, out } = await start("--sample", "10");
    expect(code).toBe(2);
    expect(out).toContain("INSUFFICIENT EVIDENCE: 10 pairs compared, 30 are needed.");
  });

  test("holds at its budget and goes on from the state file, which holds no id", async () => {
    const cohort = ["--cohort", at("ids.txt"), "--resume", at("state.json")];
    const before = v1.requests();
    const first = await start(...cohort, "--requests", String(25 * perPair));
    expect(first.code).toBe(2);
    expect(first.out).toContain("Held: the requests to V1 that were allowed are used up.");
    const text = await readFile(at("state.json"), "utf8");
    expect(parityState.parse(JSON.parse(text))).toMatchObject({ cohort: { ids: 60 }, done: [[0, 25]] });
    for (const id of ids) expect(text).not.toMatch(new RegExp(`\\b${id}\\b`));
    const second = await start(...cohort);
    expect(second).toMatchObject({ code: 0, err: "" });
    expect(second.out).toContain("60 pairs");
    expect(v1.requests() - before).toBe(60 * perPair);
    expect((await readdir(folder)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  test("refuses a state of another cohort or of other decisions", async () => {
    await start("--cohort", at("ids.txt"), "--sample", "30", "--resume", at("own.json"));
    const other = await start("--cohort", at("ids.txt"), "--sample", "31", "--resume", at("own.json"));
    expect(other).toMatchObject({ code: 2, out: "" });
    expect(other.err).toContain("belongs to another cohort");
    await writeFile(at("shifted.txt"), ids.slice(1, 31).join("\n"));
    const shifted = await start("--cohort", at("shifted.txt"), "--resume", at("own.json"));
    expect(shifted.err).toContain("belongs to another cohort");
    const bio = { decision: "undecided" } as const;
    await writeFile(
      at("other.json"),
      JSON.stringify(decidedMapping(v2.url, { "passport.passport_profile.bio": bio })),
    );
    const decided = await start(
      "--cohort",
      at("ids.txt"),
      "--sample",
      "30",
      "--resume",
      at("own.json"),
      "--mapping",
      at("other.json"),
    );
    expect(decided.err).toContain("was made with other decisions");
    await writeFile(at("own.json"), "{");
    expect((await start("--cohort", at("ids.txt"), "--resume", at("own.json"))).err).toContain(
      "is no state of a comparison",
    );
  });

  test("refuses what its budget cannot bear before it asks anything", async () => {
    const before = v1.requests() + v2.requests();
    expect((await start("--sample", "50", "--requests", "150")).err).toBe(
      "v1watch: 50 passports need 202 requests to V1, 150 are allowed. Use --sample 37, or raise --requests.\n",
    );
    expect((await start("--cohort", at("ids.txt"), "--requests", "200")).err).toContain(
      "--resume FILE to go on another day",
    );
    expect(v1.requests() + v2.requests()).toBe(before);
  });

  test("says which version does not answer", async () => {
    const { code, out } = await run(
      ["parity", "--mapping", at("map.json"), "--base-url", v1.url, "--allow-loopback", "--apart", "0s"],
      { env: { V1WATCH_V2_API_KEY: "wrong-key-of-the-test" } },
    );
    expect(code).toBe(2);
    expect(out).toContain("Held: V2 answers 401, for every passport of a batch.");
    const without = await run([
      "parity",
      "--mapping",
      at("map.json"),
      "--base-url",
      v1.url,
      "--allow-loopback",
    ]);
    expect(without.err).toContain("for V2, the environment variable V1WATCH_V2_API_KEY holds no key");
  });

  test("this machine is asked only where it is allowed", async () => {
    const { code, out } = await run(
      [
        "parity",
        "--mapping",
        at("map.json"),
        "--base-url",
        v1.url,
        "--cohort",
        at("ids.txt"),
        "--apart",
        "0s",
      ],
      { env: { V1WATCH_V2_API_KEY: key } },
    );
    expect(code).toBe(2);
    expect(out).toContain("Held: V1 gives no usable answer (refused), for every passport of a batch.");
  });

  test("a cohort's wrong lines are told by number, never by what they hold", async () => {
    await writeFile(at("people.txt"), "1001\nAda Lovelace\n");
    const { code, err } = await start("--cohort", at("people.txt"));
    expect(code).toBe(2);
    expect(err).toMatch(/has lines that are neither a passport id nor a wallet: 2\n$/);
    expect(err).not.toContain("Ada");
  });

  test("V2's answers are validated against its shape", async () => {
    const $defs = Object.fromEntries(
      ["score", "accounts", "socials", "credentials"].map((name) => [name, {}]),
    );
    const profile = { properties: { profile: { type: "object", required: ["slug"] } } };
    await writeFile(at("v2.json"), JSON.stringify({ $defs: { ...$defs, profile } }));
    const { code, out } = await start("--sample", "30", "--v2-schema", at("v2.json"));
    expect(code).toBe(1);
    expect(out).toContain("profile profile.slug missing  breaks V2's own shape in 30 answers");
  });

  test("draws a bar only where somebody watches, and says what it takes", async () => {
    const args = [
      "--mapping",
      at("map.json"),
      "--base-url",
      v1.url,
      "--allow-loopback",
      "--apart",
      "0s",
      "--sample",
      "30",
    ];
    const watched = await run(["parity", ...args], { env: { V1WATCH_V2_API_KEY: key }, isTerminal: true });
    expect(watched.err).toContain("▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇ 30 of 30 passports");
    expect(watched.err.endsWith("\r\u001b[K")).toBe(true);
    expect((await start("--apart", "soon")).err).toContain("--apart takes a time from 0s to 10m");
    expect((await start("--relative", "x")).err).toContain("--relative takes a percentage");
    expect((await start("--resume", at("x.json"))).err).toContain("--resume needs a --cohort");
  });
});
