import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { escapeXml, renderGithub } from "../../lib/commands/probe/formats.ts";
import { renderCycle } from "../../lib/commands/probe/text.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { observation } from "../../lib/records/observation.ts";
import { type ScenarioName, scenarioNamed, scenarioNames } from "../../lib/simulator/scenarios.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
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

function probe(args: string[] = [], world: RunOptions = withKey): Promise<CommandOutput> {
  return run(["probe", "--base-url", simulator.url, "--allow-loopback", "--timeout", "2000", ...args], world);
}

const start = (name: ScenarioName) => simulator.use(name, scenarioNamed(name).startAtMs);
const filled = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

test.each([
  ["with a key", withKey, "key …3f2a · 4 requests"],
  ["without one", {}, "no key · 3 requests"],
])("a healthy V1, asked %s, is said in five lines and ends with 0", async (_, world, head) => {
  const { code, out, err } = await probe([], world);
  expect([code, err]).toEqual([0, ""]);
  const lines = filled(out);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe(`V1 at ${simulator.url} · ${head}`);
  endpointIds.forEach((endpoint, index) => {
    expect(lines[index + 1]).toMatch(
      new RegExp(`^  ${endpoint} +ok +\\d+ ms +\\d+ records? · (newest .+ old|age unknown)$`),
    );
  });
  expect(lines[4]).toBe("As documented. Nothing new.");
});

/** What the first screen of one cycle must say of each scenario, and its exit code. */
const screens: Record<Exclude<ScenarioName, "healthy">, { says: RegExp[]; code?: number }> = {
  realistic: {
    says: [
      /connections_count +missing +25 of 25/,
      /additive +passports\[\] +8 keys not in the document/,
      /null, where the document does not say/,
    ],
  },
  "silent-retype": {
    says: [
      /passports\[\]\.score +number → string +25 of 25/,
      /sums become concatenations/,
      /\d breaking changes/,
    ],
  },
  "field-removed": {
    says: [/passports\[\]\.connections_count +missing/, /code that reads it gets undefined/],
  },
  frozen: { says: [/The data looks frozen: nothing is newer than 6 d( \d+ h)? \(limit .+\)/] },
  "key-mandatory": { says: [/requests without a key get 401: the key is mandatory/] },
  "key-revoked": {
    says: [/requests without a key are served: the key is revoked or wrong, and V1 itself is alive/],
  },
  "quota-exhausted": {
    says: [/the key's quota is used up, and V1 itself is alive/, /5,000 of 5,000 requests used/],
  },
  "endpoint-withdrawn": { says: [/passport-credentials fails: 401/, /this part of V1 may be withdrawn/] },
  "retired-by-401": {
    says: [/401 with a key and without one: V1 may be retired/, /All 3 endpoints fail: 401/],
  },
  // One cycle has nothing to compare with: it can only show how few there are.
  "data-shrinking": { says: [/passport-list +ok +\d+ ms +3 records/], code: 0 },
  "github-brownouts": { says: [/All 3 endpoints fail: 503 unavailable/] },
  "sourcify-brownouts": { says: [/All 3 endpoints fail: 503 unavailable, retry after 1 h/] },
  "last-day-odd-hours": { says: [/All 3 endpoints fail: 503 unavailable/] },
  "sunset-announced": {
    says: [
      /Sunset \d{4}-\d\d-\d\d: V1 announces its end in 60 days \(all endpoints\)/,
      /a link to the successor version/,
    ],
  },
  "sunset-moved-earlier": { says: [/Sunset \d{4}-\d\d-\d\d: V1 announces its end in 35 days/] },
  "date-passed-still-alive": { says: [/Sunset \d{4}-\d\d-\d\d passed 1 day ago, and V1 still answers/] },
  "serves-v2": { says: [/it answers 200 in the shape of V2: the old version is quietly gone/] },
  "stub-data": { says: [/every score is 0: a stub in place of data/] },
  gone: {
    says: [
      /All 3 endpoints fail: 410 gone/,
      /a documented path is withdrawn: a sign of retirement \(all endpoints\)/,
    ],
  },
  // Two requests in three go well; the test below asks until one does not.
  "flaky-network": { says: [/V1 at/], code: Number.NaN },
  "unsafe-response": {
    says: [/passport-list fails: the body is larger than the limit/, /2 endpoints could not be judged/],
  },
};

test.each(scenarioNames.filter((name) => name !== "healthy"))(
  "the first screen of %s names the fault in words",
  async (name) => {
    start(name);
    const { code, out, err } = await probe();
    const screen = out.split("\n").slice(0, firstScreen).join("\n");
    for (const words of screens[name].says) expect(screen).toMatch(words);
    const expected = screens[name].code ?? 1;
    if (!Number.isNaN(expected)) expect(code).toBe(expected);
    expect(err).toBe("");
    expect(out + err).not.toContain(sentinelKey);
  },
);

test("where the clocks differ, no age is told and nothing is called frozen", async () => {
  const late = await startSimulator({ passports: 60, clock: { now: () => Date.now() - 10 * 86_400_000 } });
  const { code, out } = await run(["probe", "--base-url", late.url, "--allow-loopback"]);
  await late.close();
  expect(out).toMatch(/25 records · age unknown: the clocks differ by 10 d/);
  expect(out).not.toMatch(/frozen|newest/);
  expect(code).toBe(0);
});

test("a flaky network is named as soon as a request meets it", async () => {
  start("flaky-network");
  let text = "";
  const named =
    /needed a second attempt: the network is flaky|the body is cut off|no whole answer before the deadline/;
  for (let cycle = 0; cycle < 6 && !named.test(text); cycle++) text = (await probe()).out;
  expect(text).toMatch(named);
});

test("a second attempt that fails too is no sign of a flaky network", async () => {
  const closed = await startSimulator();
  await closed.close();
  const { code, out } = await run(["probe", "--base-url", closed.url, "--allow-loopback"]);
  expect(code).toBe(1);
  expect(out).toContain("no answer: the connection is refused · two attempts");
  expect(out).toMatch(/All 3 endpoints fail: no answer: the connection is refused\.\n$/);
});

describe("--json", () => {
  test.each<ScenarioName>(["healthy", "realistic", "quota-exhausted", "gone", "unsafe-response"])(
    "of %s is an array of observations and nothing else",
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

/** Enough of XML to refuse what a reader would: one root, every tag closed, every character escaped. */
function expectWellFormed(xml: string): void {
  const open: string[] = [];
  const rest = xml
    .replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "")
    .replace(/<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g, (_, closing, name, _attributes, empty) => {
      if (closing) expect(open.pop()).toBe(name);
      else if (!empty) open.push(name);
      return "";
    });
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]|&(?!#\d+;)/);
}

describe("--junit", () => {
  test.each<ScenarioName>([
    "healthy",
    "realistic",
    "quota-exhausted",
    "serves-v2",
    "frozen",
    "unsafe-response",
  ])("of %s is well-formed, a test each request", async (name) => {
    start(name);
    const file = join(folder, `${name}.xml`);
    const { code } = await probe(["--junit", file]);
    const xml = await readFile(file, "utf8");
    expectWellFormed(xml);
    expect(xml.match(/<testcase /g)).toHaveLength(4);
    expect(xml.includes("<failure")).toBe(code !== 0);
    expect(xml).not.toContain(sentinelKey);
  });

  test("that cannot be written is said before anything is asked", async () => {
    const before = simulator.requests();
    const answer = await probe(["--junit", join(folder, "no", "such", "folder.xml")]);
    expect(answer.code).toBe(2);
    expect(answer).toSatisfy(isSingleErrorLine);
    expect(answer.err).toMatch(/cannot write ".*folder\.xml": its folder is not there\. Make it first/);
    expect(simulator.requests()).toBe(before);
  });
});

test("--github annotates each problem on one line", async () => {
  start("realistic");
  const { out } = await probe(["--github"]);
  const annotations = out.split("\n").filter((line) => line.startsWith("::"));
  expect(annotations.length).toBeGreaterThan(10);
  for (const line of annotations)
    expect(line).toMatch(/^::(error|notice) title=v1watch passport[a-z -]*::[^\r\n]+$/);
  expect(annotations).toContainEqual(
    expect.stringMatching(
      /^::error title=v1watch passport-list::breaking: passports\[\]\.connections_count missing \(25 of 25\)/,
    ),
  );
});

test("data that looks frozen is a failure for machines too, of the list and with the same words", async () => {
  start("frozen");
  const file = join(folder, "stale.xml");
  const { out } = await probe(["--junit", file, "--github"]);
  const [said] = /The data looks frozen: .+\./.exec(out) ?? [];
  expect(out).toContain(`::error title=v1watch passport-list::${said}\n`);
  const xml = await readFile(file, "utf8");
  expect(xml).toContain(' failures="1"');
  expect(xml).toMatch(/name="passport-list" time="[\d.]+">\n +<failure message="The data looks frozen: /);
});

test("an annotation cannot be broken out of, whatever a finding holds", () => {
  const record = observeBytes("passport", Buffer.from("{}"));
  const [finding] = record.findings;
  const odd = { ...record, findings: [{ ...finding!, path: "100%\r\n::error::x" }] };
  const text = renderGithub({ observations: [odd], nowMs: Date.now(), frozenAfterSeconds: 1 });
  expect(text.trim().split("\n")).toHaveLength(1);
  expect(text).toContain("100%25%0D%0A::error::x");
  expect(escapeXml(`<a b="c">&'\u0000`)).toBe("&#60;a b=&#34;c&#34;&#62;&#38;&#39;");
});

describe("what is asked", () => {
  test("is one endpoint, one case, one passport or one wallet when told so", async () => {
    const { population } = simulator;
    const id = String(population.idOf(30));
    const rows = async (args: string[]) =>
      (
        JSON.parse((await probe(["--json", ...args])).out) as {
          endpoint: string;
          variant: string;
          outcome: { kind: string };
        }[]
      ).map(({ endpoint, variant: name, outcome }) => `${endpoint} ${name} ${outcome.kind}`);
    expect(await rows(["--endpoint", "passport"])).toEqual([
      "passport authenticated ok",
      "passport anonymous ok",
    ]);
    expect(await rows(["--variant", "second-page"])).toEqual(["passport-list second-page ok"]);
    expect(await rows(["--variant", "unknown-id"])).toContainEqual("passport unknown-id status");
    expect(await rows(["--variant", "keyword"])).toEqual(["passport-list keyword ok"]);
    expect(await rows(["--passport", id, "--endpoint", "passport", "--variant", "authenticated"])).toEqual([
      "passport authenticated ok",
    ]);
    expect(await rows(["--wallet", population.walletOf(30, 0), "--variant", "by-wallet"])).toEqual([
      "passport by-wallet ok",
      "passport-credentials by-wallet ok",
    ]);
  });

  test.each([
    ["unknown-id", 0],
    ["second-page", 0],
    ["keyword", 0],
    ["by-wallet", 0],
    ["anonymous", 0],
  ])("the case %s of a healthy V1 ends with %i", async (name, code) => {
    expect((await probe(["--variant", name])).code).toBe(code);
  });

  test("an unknown id that is not found is as it should be, and a V1 that is gone is not", async () => {
    const asked = ["--variant", "unknown-id"];
    const { out } = await probe(asked);
    expect(out).toMatch(/passport unknown-id +ok +\d+ ms {3}404, as expected of an unknown id\n/);
    start("gone");
    const gone = await probe(asked);
    expect(gone.code).toBe(1);
    expect(gone.out).toMatch(/passport unknown-id +FAIL +\d+ ms {3}410 gone\n/);
  });

  test("an unknown id says nothing where the known ones are refused as well", () => {
    const row = (name: "authenticated" | "unknown-id", status: number) => ({
      ...observeBytes("passport", Buffer.from("{}")),
      ...{ variant: name, outcome: { kind: "status" as const, status }, findings: [] },
    });
    const ofStatus = (status: number) =>
      renderCycle({
        observations: [row("authenticated", status), row("unknown-id", status)],
        ...{ baseUrl: "https://api.example.com", nowMs: 0, frozenAfterSeconds: 1, sentKey: true },
      });
    expect(ofStatus(404)).toMatch(/passport unknown-id +\? +\d+ ms {3}404 not found/);
    expect(ofStatus(410)).toMatch(/passport unknown-id +\? +\d+ ms {3}410 gone/);
  });

  test("a wrong key that is refused is as it should be", async () => {
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
    expect(out).toMatch(/bad-key +ok +\d+ ms {3}401, as expected of a wrong key\n/);
    expect(code).toBe(0);
  });

  test("a wallet of somebody else than the list's first is no disagreement", async () => {
    const { code, out } = await probe([
      "--wallet",
      simulator.population.walletOf(simulator.population.ranked()[300]!, 0),
    ]);
    expect(out).toContain("As documented. Nothing new.");
    expect(code).toBe(0);
  });
});

describe("a mistake of the caller is one clear line and exit code 2:", () => {
  test.each<[string, string[], RegExp]>([
    ["a wrong flag", ["--nonsense"], /Unknown option '--nonsense'.*v1watch probe --help/],
    ["a flag without its value", ["--endpoint"], /--endpoint/],
    [
      "a wrong endpoint",
      ["--endpoint", "passports"],
      /--endpoint is one of passport-list, passport, passport-credentials, not "passports"/,
    ],
    [
      "a wrong case",
      ["--variant", "keyles"],
      /--variant is one of authenticated, anonymous, .*, not "keyles"/,
    ],
    [
      "a case that the endpoint does not have",
      ["--endpoint", "passport", "--variant", "keyword"],
      /the variant keyword is asked of passport-list, not of passport/,
    ],
    ["an argument too many", ["passport"], /unexpected argument "passport"/],
  ])("%s", async (_, args, words) => {
    const answer = await probe(args);
    expect(answer.code).toBe(2);
    expect(answer).toSatisfy(isSingleErrorLine);
    expect(answer.err).toMatch(words);
  });

  test.each<[string, string[], RegExp]>([
    ["no base URL", [], /baseUrl: is missing\. .*V1WATCH_BASE_URL or --base-url/],
    ["a base URL that is none", ["--base-url", "api.example.com"], /--base-url: .*not a web address/],
    [
      "a wallet that is none",
      ["--base-url", "https://api.example.com", "--wallet", "0x12"],
      /--wallet.*not a wallet address/,
    ],
    [
      "a timeout that is none",
      ["--base-url", "https://api.example.com", "--timeout", "soon"],
      /--timeout: "soon" is not a whole number/,
    ],
    [
      "a configuration that is not there",
      ["--config", "no-such.json"],
      /no-such\.json: there is no such file/,
    ],
  ])("%s", async (_, args, words) => {
    const { code, out, err } = await run(["probe", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(words);
    expect(err.trim().split("\n")).toHaveLength(2);
    expect(err).not.toMatch(/\bat .*\.ts:\d/);
  });

  test("a V1 on this machine without --allow-loopback is refused with the remedy, and never asked", async () => {
    const before = simulator.requests();
    const { code, out } = await run(["probe", "--base-url", simulator.url], withKey);
    expect(code).toBe(2);
    expect(out).toMatch(/not asked: its address is private, link-local or loopback\n/);
    expect(out).toMatch(/\n\nV1 was not asked\. If it is on this machine, add --allow-loopback\.\n$/);
    expect(out.match(/--allow-loopback/g)).toHaveLength(1);
    expect(simulator.requests()).toBe(before);
  });

  test("a private address is refused without a remedy that is none for it", async () => {
    const { code, out } = await run(["probe", "--base-url", "http://169.254.169.254"]);
    expect(code).toBe(2);
    expect(out).toMatch(/V1 was not asked: only public addresses are\. Name one with --base-url\.\n$/);
    expect(out).not.toContain("--allow-loopback");
  });
});

describe("the key", () => {
  test.each([
    ["an ordinary one", sentinelKey],
    ["one with a line end inside", "sentinel-key-01234\n56789-3f2a"],
    ["one with a NUL inside", "sentinel-key-01234\u000056789-3f2a"],
    ["one that is not Latin", "sentinel-key-01234-ключ-3f2a"],
  ])("%s is in no output, whatever V1 answers", async (_, key) => {
    const parts = key.split(/[^\x21-\x7e]+/).filter((part) => part.length > 6);
    for (const name of [
      "healthy",
      "key-revoked",
      "quota-exhausted",
      "unsafe-response",
      "serves-v2",
    ] as const) {
      start(name);
      const file = join(folder, "key.xml");
      const world = { env: { V1WATCH_API_KEY: key, V1WATCH_DEBUG: "1" }, isTerminal: true };
      const answers = [await probe(["--junit", file, "--github"], world), await probe(["--json"], world)];
      const everything = answers.map(({ out, err }) => out + err).join("") + (await readFile(file, "utf8"));
      for (const part of parts) expect(everything).not.toContain(part);
    }
  });

  test("that no header may hold is our own mistake, never a 401", async () => {
    const { code, out } = await probe([], { env: { V1WATCH_API_KEY: "sentinel\nkey-0123456789" } });
    expect(code).toBe(2);
    expect(out).toContain("not asked: the key's source holds no key that can be sent");
    expect(out).not.toMatch(/401|sentinel/);
  });

  test("whose source is empty is no-secret, never a 401", async () => {
    const { code, out } = await run(
      ["probe", "--base-url", simulator.url, "--allow-loopback", "--config", await emptyKeyConfig()],
      {},
    );
    expect(code).toBe(2);
    expect(out).toContain("not asked: the key's source holds no key that can be sent");
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

test("on a terminal the progress is drawn on standard error and wiped in the end", async () => {
  const { out, err } = await probe([], { ...withKey, isTerminal: true });
  expect(err).toMatch(/asking V1 … 3 of 4 \(passport-credentials\)/);
  expect(err.endsWith("\r\u001b[K")).toBe(true);
  expect(out).not.toContain("\u001b");
});
