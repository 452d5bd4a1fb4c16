import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parityState } from "../../../lib/records/parity.ts";
import { type Simulator, startSimulator } from "../../../lib/simulator/server.ts";
import { startV2Simulator, type V2Simulator } from "../../../lib/simulator/v2/server.ts";
import { decidedMapping, now } from "../../mapping/v2-mapping.ts";
import { changingV2 } from "../../simulator/changed-bodies.ts";
import { run } from "../terminal.ts";

const key = "sentinel0123456789key3f2a";
const clock = { now: () => now };
const perPair = 4;
let folder = "";
let v1: Simulator;
let v2: V2Simulator;
let differentV2: V2Simulator;
let ids: string[];
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "v1watch-parity-"));
  v1 = await startSimulator({ passports: 60, clock });
  v2 = await startV2Simulator({ passports: 60, clock, key });
  const mismatches = [{ endpoint: "profile", path: "profile.bio", rate: 0.5, kind: "value" } as const];
  differentV2 = await startV2Simulator({
    passports: 60,
    clock,
    key,
    changeBodies: changingV2({ mismatches }),
  });
  ids = Array.from({ length: 60 }, (_, index) => String(v1.population.idOf(index)));
  await writeFile(at("map.json"), JSON.stringify(decidedMapping(v2.url)));
  await writeFile(at("ids.txt"), ids.join("\n"));
});
afterAll(async () => {
  await Promise.all([v1.close(), v2.close(), differentV2.close(), rm(folder, { recursive: true })]);
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

/** A V2 in front of another one, whose bodies it changes. */
async function serveChanged(to: string, change: (path: string, body: string) => string) {
  const server = createServer(async ({ url = "/", headers }, response) => {
    const { host: _, connection: __, ...others } = headers;
    const answer = await fetch(to + url, { headers: others as Record<string, string> });
    const body = change(url, await answer.text());
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function withOddBio(text: string): string {
  const body = JSON.parse(text);
  body.profile.bio = "odd";
  return JSON.stringify(body);
}

describe("v1watch parity", () => {
  test("v1watch parity exits 0 if V1 and V2 agree", async () => {
    const { code, out, err } = await start("--sample", "40");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /PARITY: 26 fields have V1's values in 40 pairs, excluding V1's own variance; 1 compared by type only: passport\.score \(0 in 0 of 40 at V1 and in 0 at V2, 100 % of \d+ record pairs in V1's order; up to about 11 % random numbers would pass\); 1 compared by presence only: passport\.passport_id\./,
    );
    expect(out).toContain("40 pairs · 162 requests to V1 (2 to look up ids), 200 to V2");
    expect(out).not.toContain(key);
  });

  test("v1watch parity exits 1 and names the fields if V2 differs", async () => {
    const { code, out } = await start("--sample", "40", "--v2-base-url", differentV2.url);
    expect(code).toBe(1);
    expect(out).toContain("DIFFERENCES: 1 of 28 fields differ by more than V1's own variance;");
    expect(out).toMatch(
      /passport\.passport_profile\.bio {2}value differs +\d\d\.\d % {2}V1 variance +0 % {2}\d+ of 40/,
    );
    const json = await start("--sample", "40", "--v2-base-url", differentV2.url, "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      schema: "v1watch/parity-report/2",
      compared: { v1: v1.url, v2: differentV2.url },
      cohort: { ids: 40 },
      verdict: "differences",
      pairs: 40,
      differences: [{ path: "passport.passport_profile.bio", kind: "value", compared: 40, noise: 0 }],
    });
  });

  test("v1watch parity exits 2 with insufficient evidence if there are too few pairs", async () => {
    const { code, out } = await start("--sample", "10");
    expect(code).toBe(2);
    expect(out).toContain("INSUFFICIENT EVIDENCE: 10 pairs compared, 30 are needed.");
  });

  test("v1watch parity says in its result what the random sample of a cohort finds and may miss", async () => {
    const { code, out } = await start("--cohort", at("ids.txt"), "--sample", "40");
    expect(code).toBe(0);
    expect(out).toMatch(
      /40 pairs · .*\nA random sample of 40 of 60 passports finds what differs in at least 16 % of them \(10\) with 95 % probability, unless V1 varies there by itself\. It may miss what is rarer: where none of them differs, at most 5 of all do \(95 %, one-sided\)\.\n$/,
    );
    expect((await start("--cohort", at("ids.txt"))).out).not.toContain("random sample");
  });

  test("v1watch parity reads again what rarely differs, an hour later, by the same command; without that it is no parity", async () => {
    let isOdd = true;
    const oddWallet = v1.population.walletOf(7, 0).toLowerCase();
    const odd = await serveChanged(v2.url, (path, body) => {
      const isMeant = isOdd && path.startsWith("/profile") && path.toLowerCase().includes(oddWallet);
      return isMeant ? withOddBio(body) : body;
    });
    const file = at("again.json");
    const args = ["--cohort", at("ids.txt"), "--resume", file, "--v2-base-url", odd.url];
    const ids7 = at("differing.txt");
    const first = await start(...args, "--once", "--write-ids", ids7);
    expect(first.code).toBe(2);
    expect(first.out).toMatch(
      /\nToo rare to rule out chance, and not read again at least an hour later .*:\n {2}passport\.passport_profile\.bio .* 1 of 60\n/,
    );
    // The file of ids is for its owner only; the file of the progress has no ids.
    expect((await stat(ids7)).mode & 0o777).toBe(0o600);
    expect(await readFile(ids7, "utf8")).toMatch(
      new RegExp(
        `^# PERSONAL DATA: .*\n# Of each field, at most 200\\.\n${ids[7]}\tpassport\\.passport_profile\\.bio\n$`,
      ),
    );
    const text = await readFile(file, "utf8");
    for (const id of ids) expect(text).not.toMatch(new RegExp(`\\b${id}\\b`));
    // Two hours later.
    const state = JSON.parse(text);
    await writeFile(
      file,
      JSON.stringify({ ...state, at: new Date(Date.parse(state.at) - 7_200_000).toISOString() }),
    );
    isOdd = false;
    const requests = v1.requests();
    const second = await start(...args);
    expect(v1.requests() - requests).toBe(perPair);
    expect(second.code).toBe(0);
    expect(second.out).toMatch(
      /PARITY: 26 fields compared in 60 pairs; .*; seen once, and equal when read again: passport\.passport_profile\.bio \(1 of 60\)\./,
    );
    expect(second.out).toContain(
      "Seen once, and equal when the same passports were read again at least an hour later:",
    );
    await odd.close();
  });

  test("v1watch parity that is stopped while it waits says what was not read again", async () => {
    const oddWallet = v1.population.walletOf(7, 0).toLowerCase();
    const odd = await serveChanged(v2.url, (path, body) =>
      path.startsWith("/profile") && path.toLowerCase().includes(oddWallet) ? withOddBio(body) : body,
    );
    const stop = new AbortController();
    let waited = "";
    const { code, out } = await run(
      [
        "parity",
        "--mapping",
        at("map.json"),
        "--base-url",
        v1.url,
        "--allow-loopback",
        "--apart",
        "0s",
        "--cohort",
        at("ids.txt"),
        "--v2-base-url",
        odd.url,
      ],
      {
        env: { V1WATCH_V2_API_KEY: key },
        signal: stop.signal,
        onOut(text) {
          if (!text.includes("will be read again at")) return;
          waited = text;
          stop.abort();
        },
      },
    );
    expect(waited).toMatch(
      /^1 passport differs too rarely to rule out chance, and will be read again at \d\d:\d\d UTC/,
    );
    expect(code).toBe(2);
    expect(out).toContain("Too rare to rule out chance, and not read again");
    await odd.close();
  });

  test("v1watch parity stops at --requests and continues from the state file, which contains no ids", async () => {
    const cohort = ["--cohort", at("ids.txt"), "--resume", at("state.json")];
    const before = v1.requests();
    const first = await start(...cohort, "--requests", String(25 * perPair));
    expect(first.code).toBe(2);
    expect(first.out).toContain("Deferred: the maximum of requests to V1 is used up.");
    const text = await readFile(at("state.json"), "utf8");
    expect(parityState.parse(JSON.parse(text))).toMatchObject({ cohort: { ids: 60 }, done: [[0, 25]] });
    for (const id of ids) expect(text).not.toMatch(new RegExp(`\\b${id}\\b`));
    const second = await start(...cohort);
    expect(second).toMatchObject({ code: 0, err: "" });
    expect(second.out).toContain("60 pairs");
    expect(v1.requests() - before).toBe(60 * perPair);
    expect((await readdir(folder)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  test("v1watch parity rejects a state file of another cohort or of different mapping decisions", async () => {
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
    expect(decided.err).toContain("was made with other mapping decisions");
    await writeFile(at("own.json"), "{");
    expect((await start("--cohort", at("ids.txt"), "--resume", at("own.json"))).err).toContain(
      "is not a parity state file",
    );
  });

  test("v1watch parity rejects a run that exceeds --requests before the first request", async () => {
    const before = v1.requests() + v2.requests();
    expect((await start("--sample", "50", "--requests", "150")).err).toBe(
      "v1watch: 50 passports need 202 requests to V1, but only 150 are allowed. Use --sample 37, or raise --requests.\n",
    );
    expect((await start("--cohort", at("ids.txt"), "--requests", "200")).err).toContain(
      "--resume FILE to continue on another day",
    );
    expect(v1.requests() + v2.requests()).toBe(before);
  });

  test("v1watch parity names the version that rejects all requests, and a missing V2 key", async () => {
    const { code, out } = await run(
      ["parity", "--mapping", at("map.json"), "--base-url", v1.url, "--allow-loopback", "--apart", "0s"],
      { env: { V1WATCH_V2_API_KEY: "wrong-key-of-the-test" } },
    );
    expect(code).toBe(2);
    expect(out).toContain("Stopped: V2 returned 401 for every passport of a batch.");
    const without = await run([
      "parity",
      "--mapping",
      at("map.json"),
      "--base-url",
      v1.url,
      "--allow-loopback",
    ]);
    expect(without.err).toContain(
      "for V2, the environment variable V1WATCH_V2_API_KEY does not contain a valid key",
    );
  });

  test("v1watch parity sends no request to this machine without --allow-loopback", async () => {
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
    expect(out).toContain("Stopped: V1 returned no usable response (refused) for every passport of a batch.");
  });

  test("v1watch parity reports invalid lines of a cohort by number, without their content", async () => {
    await writeFile(at("people.txt"), "1001\nAda Lovelace\n");
    const { code, err } = await start("--cohort", at("people.txt"));
    expect(code).toBe(2);
    expect(err).toMatch(/has lines that are neither a passport id nor a wallet: 2\n$/);
    expect(err).not.toContain("Ada");
  });

  test("v1watch parity validates V2's responses against --v2-schema", async () => {
    const $defs = Object.fromEntries(
      ["score", "accounts", "socials", "credentials"].map((name) => [name, {}]),
    );
    const profile = { properties: { profile: { type: "object", required: ["slug"] } } };
    await writeFile(at("v2.json"), JSON.stringify({ $defs: { ...$defs, profile } }));
    const { code, out } = await start("--sample", "30", "--v2-schema", at("v2.json"));
    expect(code).toBe(1);
    expect(out).toContain("profile profile.slug missing  violates V2's schema in 30 responses");
  });

  test("v1watch parity draws a progress bar on a terminal, and rejects invalid option values", async () => {
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
    expect(watched.err).toContain("████████████████████ 30 of 30 passports");
    expect(watched.err.endsWith("\r\u001b[K")).toBe(true);
    expect((await start("--apart", "soon")).err).toContain("--apart must be a duration from 0s to 10m");
    expect((await start("--resume", at("x.json"))).err).toContain("--resume needs --cohort");
  });
});
