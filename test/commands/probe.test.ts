import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { layOut } from "../../lib/commands/layout.ts";
import { isHealthyCycle, renderCycle } from "../../lib/commands/probe/text.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { observation } from "../../lib/records/observation.ts";
import { type ScenarioName, scenarioNamed } from "../../lib/simulator/scenarios.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { observationOf } from "../assess/observation-builder.ts";
import { observeBytes } from "../probe/validate/bodies.ts";
import { type CommandOutput, isSingleErrorLine, type RunOptions, run } from "./terminal.ts";

const sentinelKey = "sentinel-key-0123456789-3f2a";
const firstScreen = 24;
let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  simulator = await startSimulator();
  folder = await mkdtemp(join(tmpdir(), "v1watch-probe-"));
});
beforeEach(() => {
  simulator.clear();
  simulator.use("healthy");
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

const withKey = { env: { V1WATCH_API_KEY: sentinelKey } };

function probe(args: string[] = [], options: RunOptions = withKey): Promise<CommandOutput> {
  return run(
    ["probe", "--base-url", simulator.url, "--allow-loopback", "--timeout", "2000", ...args],
    options,
  );
}

const start = (name: ScenarioName) => simulator.use(name, scenarioNamed(name).startAtMs);
const nonEmptyLines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

test.each([
  ["with a key", withKey, "key …3f2a · 4 requests"],
  ["without a key", {}, "no key · 3 requests"],
])("v1watch probe of a healthy V1 %s prints five lines and exits 0", async (_, options, head) => {
  const { code, out, err } = await probe([], options);
  expect([code, err]).toEqual([0, ""]);
  const lines = nonEmptyLines(out);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe(`V1 at ${simulator.url} · ${head}`);
  endpointIds.forEach((endpoint, index) => {
    expect(lines[index + 1]).toMatch(
      new RegExp(`^  ${endpoint} +ok +\\d+ ms +\\d+ records? · (newest .+ old|age unknown)$`),
    );
  });
  expect(lines[4]).toBe("As documented. No findings.");
});

/** Of a flaky network two of three requests succeed; its test below probes until one fails. */
type Shown = Exclude<ScenarioName, "healthy" | "flaky-network">;

/** The expected text on the first screen of one cycle for each scenario, and the exit code. */
const screens: Record<Shown, { expected: RegExp[]; code?: number }> = {
  realistic: {
    expected: [
      /connections_count +missing +25 of 25/,
      /additive +passports\[\] +8 keys not in the document/,
      /null, where the document does not state whether null is allowed/,
    ],
  },
  "silent-retype": {
    expected: [
      /passports\[\]\.score +number → string +25 of 25/,
      /sums become concatenations/,
      /\d breaking changes/,
    ],
  },
  frozen: { expected: [/The data may be frozen: the newest record is 6 d( \d+ h)? old \(limit .+\)/] },
  "key-mandatory": { expected: [/anonymous requests get 401: the key is mandatory/] },
  "key-revoked": {
    expected: [/anonymous requests are served: the key is revoked or wrong, V1 itself is up/],
  },
  "quota-exhausted": {
    expected: [/the key's quota is exhausted, V1 itself is up/, /5,000 of 5,000 requests used/],
  },
  "endpoint-withdrawn": { expected: [/passport-credentials fails: 401/, /this part of V1 may be withdrawn/] },
  "retired-by-401": {
    expected: [
      /401 for authenticated and anonymous requests: V1 may be retired/,
      /All 3 endpoints fail: 401/,
    ],
  },
  // A single cycle has no history to compare with, so it only shows the number of records.
  "data-shrinking": { expected: [/passport-list +ok +\d+ ms +3 records/], code: 0 },
  "sunset-moved-earlier": {
    expected: [
      /Sunset \d{4}-\d\d-\d\d: V1 is to end in 35 days \(all endpoints\)/,
      /a link to the successor version/,
    ],
  },
  "date-passed-still-alive": { expected: [/Sunset \d{4}-\d\d-\d\d passed 1 day ago, and V1 still answers/] },
  "serves-v2": { expected: [/it answers 200 in the shape of V2: the old version is quietly gone/] },
  "stub-data": { expected: [/every score is 0: probably placeholders, not data/] },
  gone: {
    expected: [
      /All 3 endpoints fail: 410 gone/,
      /a documented path is withdrawn: a sign of retirement \(all endpoints\)/,
    ],
  },
  retirement: { expected: [/passports\[\]\.score +number → string +25 of 25/] },
  "unsafe-response": {
    expected: [/passport-list fails: the body is larger than the limit/, /2 endpoints could not be checked/],
  },
};

test.each(Object.keys(screens) as Shown[])(
  "v1watch probe describes the fault of the scenario %s on the first screen",
  async (name) => {
    start(name);
    const { code, out, err } = await probe();
    const screen = out.split("\n").slice(0, firstScreen).join("\n");
    for (const text of screens[name].expected) expect(screen).toMatch(text);
    expect(code).toBe(screens[name].code ?? 1);
    expect(err).toBe("");
    expect(out + err).not.toContain(sentinelKey);
  },
);

test("v1watch probe reports no age and no frozen data if the clocks differ", async () => {
  const late = await startSimulator({ passports: 60, clock: { now: () => Date.now() - 10 * 86_400_000 } });
  const { code, out } = await run(["probe", "--base-url", late.url, "--allow-loopback"]);
  await late.close();
  expect(out).toMatch(/25 records · age unknown: the clocks differ by 10 d/);
  expect(out).not.toMatch(/frozen|newest/);
  expect(code).toBe(0);
});

test("v1watch probe reports an unreliable network after a failed attempt", async () => {
  start("flaky-network");
  let text = "";
  const failure =
    /needed a second attempt: the network is unreliable|the body was cut off|no complete response before the deadline/;
  for (let cycle = 0; cycle < 6 && !failure.test(text); cycle++) text = (await probe()).out;
  expect(text).toMatch(failure);
});

test("v1watch probe does not report an unreliable network if the second attempt fails as well", async () => {
  const closed = await startSimulator();
  await closed.close();
  const { code, out } = await run(["probe", "--base-url", closed.url, "--allow-loopback"]);
  expect(code).toBe(1);
  expect(out).toContain("no response: the connection was refused · two attempts");
  expect(out).toMatch(/All 3 endpoints fail: no response: the connection was refused\.\n$/);
});

describe("probe --json", () => {
  test.each<ScenarioName>(["healthy", "realistic", "quota-exhausted", "gone", "unsafe-response"])(
    "v1watch probe --json prints only an array of observations for %s",
    async (name) => {
      start(name);
      const { out, err } = await probe(["--json"]);
      expect(err).toBe("");
      const records = JSON.parse(out);
      expect(records).toHaveLength(4);
      for (const record of records) expect(observation.safeParse(record).error).toBeUndefined();
    },
  );
});

test("A request that could not be made for lack of a sample is no success", () => {
  const outcome = { kind: "refused", detail: "no-sample" } as const;
  const observations = [observationOf({ endpoint: "passport", outcome }), observationOf()];
  const cycle = { observations, nowMs: Date.parse("2026-11-15T00:00:00Z"), frozenAfterSeconds: 1e9 };
  expect(isHealthyCycle(cycle)).toBe(false);
  const text = renderCycle({ ...cycle, baseUrl: "https://v1.example.com", sentKey: true });
  expect(text).toContain("No findings, but passport could not be checked.");
  expect(text).not.toContain("As documented");
  // A cycle without any check is none either.
  expect(isHealthyCycle({ ...cycle, observations: [] })).toBe(false);
});

describe("the requests of probe", () => {
  test("The requests of v1watch probe are limited by --endpoint, --variant, --id and --other-id", async () => {
    const { population } = simulator;
    const id = String(population.idOf(30));
    const rows = async (args: string[]) =>
      (
        JSON.parse((await probe(["--json", ...args])).out) as {
          endpoint: string;
          variant: string;
          outcome: { kind: string };
        }[]
      ).map(({ endpoint, variant, outcome }) => `${endpoint} ${variant} ${outcome.kind}`);
    expect(await rows(["--endpoint", "passport"])).toEqual([
      "passport authenticated ok",
      "passport anonymous ok",
    ]);
    expect(await rows(["--variant", "second-page"])).toEqual(["passport-list second-page ok"]);
    expect(await rows(["--variant", "unknown-id"])).toContainEqual("passport unknown-id status");
    expect(await rows(["--variant", "keyword"])).toEqual(["passport-list keyword ok"]);
    expect(await rows(["--id", id, "--endpoint", "passport", "--variant", "authenticated"])).toEqual([
      "passport authenticated ok",
    ]);
    expect(await rows(["--other-id", population.walletOf(30, 0), "--variant", "by-other-id"])).toEqual([
      "passport by-other-id ok",
      "passport-credentials by-other-id ok",
    ]);
  });

  test.each([
    ["unknown-id", 0],
    ["second-page", 0],
    ["keyword", 0],
    ["by-other-id", 0],
    ["anonymous", 0],
  ])(
    "The requests of v1watch probe with --variant %s to a healthy V1 lead to exit code %i",
    async (name, code) => {
      expect((await probe(["--variant", name])).code).toBe(code);
    },
  );

  test("The requests of v1watch probe with an unknown id are ok if V1 returns 404, and fail if it returns 410", async () => {
    const args = ["--variant", "unknown-id"];
    const { out } = await probe(args);
    expect(out).toMatch(/passport unknown-id +ok +\d+ ms {2}404, as expected for an unknown id\n/);
    start("gone");
    const gone = await probe(args);
    expect(gone.code).toBe(1);
    expect(gone.out).toMatch(/passport unknown-id +FAIL +\d+ ms {2}410 gone\n/);
  });

  test("The requests of v1watch probe with an unknown id are inconclusive if the request with a known id is rejected as well", () => {
    const row = (name: "authenticated" | "unknown-id", status: number) => ({
      ...observeBytes("passport", Buffer.from("{}")),
      variant: name,
      isPrimary: name === "authenticated",
      outcome: { kind: "status" as const, status },
      findings: [],
    });
    const ofStatus = (status: number) =>
      layOut(
        renderCycle({
          observations: [row("authenticated", status), row("unknown-id", status)],
          baseUrl: "https://api.example.com",
          nowMs: 0,
          frozenAfterSeconds: 1,
          sentKey: true,
        }),
        undefined,
      );
    expect(ofStatus(404)).toMatch(/passport unknown-id +\? +\d+ ms {2}404 not found/);
    expect(ofStatus(410)).toMatch(/passport unknown-id +\? +\d+ ms {2}410 gone/);
  });

  test("The requests of v1watch probe with a wrong key are ok if V1 returns 401", async () => {
    await using strict = await startSimulator({ passports: 30, key: "right" }).then((server) =>
      Object.assign(server, { [Symbol.asyncDispose]: () => server.close() }),
    );
    const { code, out } = await run([
      "probe",
      "--base-url",
      strict.url,
      "--allow-loopback",
      "--variant",
      "bad-key",
    ]);
    expect(out).toMatch(/bad-key +ok +\d+ ms {2}401, as expected for a wrong key\n/);
    expect(code).toBe(0);
  });

  test("The requests of v1watch probe with a wallet that is not in the first list entry lead to no findings", async () => {
    const { code, out } = await probe([
      "--other-id",
      simulator.population.walletOf(simulator.population.ranked()[300]!, 0),
    ]);
    expect(out).toContain("As documented. No findings.");
    expect(code).toBe(0);
  });
});

describe("probe reports a usage error with exit code 2 for", () => {
  test.each<[string, string[], RegExp]>([
    ["an unknown option", ["--nonsense"], /unknown option '--nonsense'.*v1watch probe --help/],
    ["an option without a value", ["--endpoint"], /--endpoint/],
    [
      "an unknown endpoint",
      ["--endpoint", "passports"],
      /'passports' is invalid\. Allowed choices are passport-list, passport, passport-credentials\./,
    ],
    [
      "an unknown variant",
      ["--variant", "anonymos"],
      /'anonymos' is invalid\. Allowed choices are authenticated, anonymous, /,
    ],
    [
      "a variant that the endpoint does not have",
      ["--endpoint", "passport", "--variant", "keyword"],
      /the variant keyword exists for passport-list, not for passport/,
    ],
    ["an unexpected argument", ["passport"], /too many arguments for 'probe'/],
  ])("v1watch probe reports a usage error with exit code 2 for %s", async (_, args, message) => {
    const output = await probe(args);
    expect(output.code).toBe(2);
    expect(output).toSatisfy(isSingleErrorLine);
    expect(output.err).toMatch(message);
  });

  test.each<[string, string[], RegExp]>([
    ["no base URL", [], /baseUrl: is missing\. .*V1WATCH_BASE_URL or --base-url/],
    ["an invalid base URL", ["--base-url", "api.example.com"], /--base-url: .*not a web address/],
    [
      "an invalid wallet",
      ["--base-url", "https://api.example.com", "--other-id", "0x12"],
      /--other-id.*not a wallet address/,
    ],
    [
      "an invalid timeout",
      ["--base-url", "https://api.example.com", "--timeout", "soon"],
      /--timeout: a text of 4 characters is not a whole number/,
    ],
    ["a missing configuration file", ["--config", "no-such.json"], /no-such\.json: there is no such file/],
  ])("v1watch probe reports a usage error with exit code 2 for %s", async (_, args, message) => {
    const { code, out, err } = await run(["probe", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err.trim().split("\n")).toHaveLength(2);
    expect(err).not.toMatch(/\bat .*\.ts:\d/);
  });

  test("v1watch probe reports a usage error with exit code 2 for a V1 on this machine without --allow-loopback, and sends no request", async () => {
    const before = simulator.requests();
    const { code, out } = await run(["probe", "--base-url", simulator.url], withKey);
    expect(code).toBe(2);
    expect(out).toMatch(/not requested: its address is private, link-local or loopback\n/);
    expect(out).toMatch(/\n\nNo requests were sent\. If V1 is on this machine, add --allow-loopback\.\n$/);
    expect(out.match(/--allow-loopback/g)).toHaveLength(1);
    expect(simulator.requests()).toBe(before);
  });

  test("v1watch probe reports a usage error with exit code 2 for a private address, without suggesting --allow-loopback", async () => {
    const { code, out } = await run(["probe", "--base-url", "http://169.254.169.254"]);
    expect(code).toBe(2);
    expect(out).toMatch(
      /No requests were sent: only public addresses are allowed, and private networks that allowPrivateNetworks names\.\n$/,
    );
    expect(out).not.toContain("--allow-loopback");
  });
});

describe("the key of probe", () => {
  test.each([
    ["visible ASCII characters", sentinelKey],
    ["a line break", "sentinel-key-01234\n56789-3f2a"],
    ["a NUL character", "sentinel-key-01234\u000056789-3f2a"],
    ["non-Latin characters", "sentinel-key-01234-ключ-3f2a"],
  ])("The key of v1watch probe is never printed if it contains %s, whatever V1 returns", async (_, key) => {
    const parts = key.split(/[^\x21-\x7e]+/).filter((part) => part.length > 6);
    for (const name of [
      "healthy",
      "key-revoked",
      "quota-exhausted",
      "unsafe-response",
      "serves-v2",
    ] as const) {
      start(name);
      const options = { env: { V1WATCH_API_KEY: key, V1WATCH_DEBUG: "1" }, isTerminal: true };
      const outputs = [await probe([], options), await probe(["--json"], options)];
      const all = outputs.map(({ out, err }) => out + err).join("");
      for (const part of parts) expect(all).not.toContain(part);
    }
  });

  test("The key of v1watch probe is reported as a usage error, not as a 401, if it is not valid in a header", async () => {
    const { code, out } = await probe([], { env: { V1WATCH_API_KEY: "sentinel\nkey-0123456789" } });
    expect(code).toBe(2);
    expect(out).toContain("not requested: the key's source has no key that can be sent");
    expect(out).not.toMatch(/401|sentinel/);
  });

  test("The key of v1watch probe is reported as missing, not as a 401, if its file does not exist", async () => {
    const { code, out } = await run(
      ["probe", "--base-url", simulator.url, "--allow-loopback", "--config", await emptyKeyConfig()],
      {},
    );
    expect(code).toBe(2);
    expect(out).toContain("not requested: the key's source has no key that can be sent");
  });
});

async function emptyKeyConfig(): Promise<string> {
  const file = join(folder, "config.json");
  await writeFile(
    file,
    JSON.stringify({ baseUrl: "https://api.example.com", key: { file: join(folder, "no-key") } }),
  );
  return file;
}

test("v1watch probe draws its progress on standard error of a terminal and clears it at the end", async () => {
  const { out, err } = await probe([], { ...withKey, isTerminal: true });
  expect(err).toMatch(/requests to V1: 3 of 4 \(passport[a-z-]*\)/);
  expect(err.endsWith("\r\u001b[K")).toBe(true);
  expect(out).not.toContain("\u001b");
});
